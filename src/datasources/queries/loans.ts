import {
  type ClosedLoan,
  type LOAN_REDUCTION_STATUSES,
  type LOAN_STATUSES,
  type LoanReduction,
  type LoanRepayment,
  type LoanTerms,
  loanCoins,
  loanDebts,
  loanHistory,
  loanOngoing,
  loanReductions,
  loanRepayments,
} from "@exchange-graph/contract/loan";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { type Names, named } from "./named.js";
import { overTime } from "./pageCounts.js";
import { type HistoryArguments, pagedQuery } from "./pagedQuery.js";

interface LoanFilter {
  readonly orderId?: string | null | undefined;
  readonly loanCoin?: string | null | undefined;
  readonly pledgeCoin?: string | null | undefined;
}

const filterValues = ({ orderId, loanCoin, pledgeCoin }: LoanFilter) => ({
  orderId: orderId ?? undefined,
  loanCoin: loanCoin ?? undefined,
  pledgeCoin: pledgeCoin ?? undefined,
});

/** Loans that are running. */
export const readOngoingLoans = (reads: Reads, account: ExchangeAccount, filter: LoanFilter) =>
  reads.read(loanOngoing, filterValues(filter), account);

/** What the account owes and has pledged, per coin. */
export const readDebts = (reads: Reads, account: ExchangeAccount) => reads.read(loanDebts, {}, account);

/** Which coins can be borrowed and pledged, at what rates. The whole list is read, whichever coins are asked for. */
export async function readLoanTerms(reads: Reads, coins?: Names): Promise<LoanTerms> {
  const terms = await reads.read(loanCoins, {});
  return {
    loanCoins: named(terms.loanCoins, ({ coin }) => coin, "coins", coins),
    pledgeCoins: named(terms.pledgeCoins, ({ coin }) => coin, "coins", coins),
  };
}

export const closedLoanPages = overTime(loanHistory);
export const loanRepaymentPages = overTime(loanRepayments);
export const loanReductionPages = overTime(loanReductions);

/** Loans of the past three months that are over, newest first. */
export const readClosedLoans = (
  reads: Reads,
  account: ExchangeAccount,
  values: LoanFilter & { readonly status?: (typeof LOAN_STATUSES)[number] | null | undefined },
  asked: HistoryArguments,
): Promise<Slice<ClosedLoan>> =>
  pagedQuery(reads, { endpoint: loanHistory, account, values, rowKey: ({ orderId }) => orderId }, asked);

/** Repayments of the past three months, newest first. */
export const readLoanRepayments = (
  reads: Reads,
  account: ExchangeAccount,
  values: LoanFilter,
  asked: HistoryArguments,
): Promise<Slice<LoanRepayment>> =>
  pagedQuery(
    reads,
    {
      endpoint: loanRepayments,
      account,
      values,
      rowKey: ({ orderId, repayTime, amount }) => `${orderId} ${repayTime} ${amount}`,
    },
    asked,
  );

/** Collateral that was sold in the past three months, newest first. */
export const readLoanReductions = (
  reads: Reads,
  account: ExchangeAccount,
  values: LoanFilter & { readonly status?: (typeof LOAN_REDUCTION_STATUSES)[number] | null | undefined },
  asked: HistoryArguments,
): Promise<Slice<LoanReduction>> =>
  pagedQuery(
    reads,
    { endpoint: loanReductions, account, values, rowKey: ({ orderId, reduceTime }) => `${orderId} ${reduceTime}` },
    asked,
  );

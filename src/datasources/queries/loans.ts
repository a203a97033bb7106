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
import type { Page } from "@exchange-graph/contract/page";
import type { Row } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Slice } from "../paging/pager.js";
import type { TimeWindow } from "../paging/windows.js";
import type { Reads } from "../reads/reads.js";
import { type Names, named } from "./named.js";
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

/** What the account's past is asked for by: the exchange numbers these pages. */
const pastValues = (filter: LoanFilter, { from, to }: TimeWindow, pageToken: string | undefined, limit: number) => ({
  ...filterValues(filter),
  startTime: from,
  endTime: to,
  pageNo: pageNumber(pageToken),
  pageSize: limit,
});

const numbered = <R>(list: readonly Row<R>[], pageToken: string | undefined): Page<R> => ({
  list,
  cursor: list.length === 0 ? null : String(pageNumber(pageToken) + 1),
});

/** Loans of the past three months that are over, newest first. */
export function readClosedLoans(
  reads: Reads,
  account: ExchangeAccount,
  { status, ...filter }: LoanFilter & { readonly status?: (typeof LOAN_STATUSES)[number] | null | undefined },
  asked: HistoryArguments,
): Promise<Slice<ClosedLoan>> {
  return pagedQuery(
    reads,
    {
      endpoint: loanHistory,
      account,
      filter: { ...filter, status },
      values: (window, pageToken, limit) => ({ ...pastValues(filter, window, pageToken, limit), status: status ?? undefined }),
      page: numbered,
      rowKey: (row) => row.orderId,
    },
    asked,
  );
}

/** Repayments of the past three months, newest first. */
export const readLoanRepayments = (
  reads: Reads,
  account: ExchangeAccount,
  filter: LoanFilter,
  asked: HistoryArguments,
): Promise<Slice<LoanRepayment>> =>
  pagedQuery(
    reads,
    {
      endpoint: loanRepayments,
      account,
      filter: { ...filter },
      values: (window, pageToken, limit) => pastValues(filter, window, pageToken, limit),
      page: numbered,
      rowKey: ({ orderId, repayTime, amount }) => `${orderId} ${repayTime} ${amount}`,
    },
    asked,
  );

/** Collateral that was sold in the past three months, newest first. */
export const readLoanReductions = (
  reads: Reads,
  account: ExchangeAccount,
  { status, ...filter }: LoanFilter & { readonly status?: (typeof LOAN_REDUCTION_STATUSES)[number] | null | undefined },
  asked: HistoryArguments,
): Promise<Slice<LoanReduction>> =>
  pagedQuery(
    reads,
    {
      endpoint: loanReductions,
      account,
      filter: { ...filter, status },
      values: (window, pageToken, limit) => ({ ...pastValues(filter, window, pageToken, limit), status: status ?? undefined }),
      page: numbered,
      rowKey: ({ orderId, reduceTime }) => `${orderId} ${reduceTime}`,
    },
    asked,
  );

const pageNumber = (pageToken: string | undefined): number => (pageToken === undefined ? 1 : Number.parseInt(pageToken, 10));

import {
  type ClosedLoan,
  type LOAN_STATUSES,
  type LoanTerms,
  loanCoins,
  loanDebts,
  loanHistory,
  loanOngoing,
} from "../../contract/loan.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Slice } from "../paging/pager.js";
import type { RequestReads } from "../reads/requestReads.js";
import { type Names, named } from "./named.js";
import { type HistoryArguments, pagedQuery } from "./pagedQuery.js";

export interface LoanFilter {
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
export const ongoingLoans = (reads: RequestReads, account: ExchangeAccount, filter: LoanFilter) =>
  reads.read(loanOngoing, filterValues(filter), account);

/** What the account owes and has pledged, per coin. */
export const debts = (reads: RequestReads, account: ExchangeAccount) => reads.read(loanDebts, {}, account);

/** Which coins can be borrowed and pledged, at what rates. The whole list is read, whichever coins are asked for. */
export async function readLoanTerms(reads: RequestReads, coins?: Names): Promise<LoanTerms> {
  const { loanInfos, pledgeInfos } = await reads.read(loanCoins, {});
  return {
    loanInfos: named(loanInfos, ({ coin }) => coin, "coins", coins),
    pledgeInfos: named(pledgeInfos, ({ coin }) => coin, "coins", coins),
  };
}

/** Loans of the past three months that are over, newest first. The exchange numbers these pages. */
export function closedLoans(
  reads: RequestReads,
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
      values: ({ from, to }, mark, limit) => ({
        ...filterValues(filter),
        status: status ?? undefined,
        startTime: from,
        endTime: to,
        pageNo: pageNumber(mark),
        pageSize: limit,
      }),
      page: (list, mark) => ({ list, cursor: list.length === 0 ? null : String(pageNumber(mark) + 1) }),
      rowKey: (row) => row.orderId,
      maxPageSize: 100,
    },
    asked,
  );
}

const pageNumber = (mark: string | undefined): number => (mark === undefined ? 1 : Number.parseInt(mark, 10));

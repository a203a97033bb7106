import {
  type SAVINGS_FILTERS,
  type SAVINGS_PERIOD_TYPES,
  type SAVINGS_RECORD_TYPES,
  type SavingsHolding,
  type SavingsRecord,
  savingsAccount,
  savingsAssets,
  savingsProducts,
  savingsRecords,
} from "@exchange-graph/contract/savings";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { newestFirst, overTime } from "./pageCounts.js";
import { type HistoryArguments, latestQuery, pagedQuery } from "./pagedQuery.js";

type PeriodType = (typeof SAVINGS_PERIOD_TYPES)[number];

/** Savings products on offer to the account. */
export const readSavingsProducts = (
  reads: Reads,
  account: ExchangeAccount,
  {
    coin,
    filter,
  }: { readonly coin?: string | null | undefined; readonly filter?: (typeof SAVINGS_FILTERS)[number] | null | undefined },
) => reads.read(savingsProducts, { coin: coin ?? undefined, filter: filter ?? undefined }, account);

/** What the account has in savings, and has earned with them. */
export const readSavingsTotals = (reads: Reads, account: ExchangeAccount) => reads.read(savingsAccount, {}, account);

export const savingsHoldingPages = newestFirst(savingsAssets);
export const savingsRecordPages = overTime(savingsRecords);

/** Savings that the account holds now, newest first: whenever they were subscribed, unless it is asked between times. */
export const readSavingsHoldings = (
  reads: Reads,
  account: ExchangeAccount,
  { periodType }: { readonly periodType: PeriodType },
  asked: HistoryArguments,
): Promise<Slice<SavingsHolding>> =>
  latestQuery(
    reads,
    {
      endpoint: savingsAssets,
      account,
      values: { periodType },
      rowKey: ({ productId, orderId }) => `${productId} ${orderId ?? ""}`,
    },
    asked,
  );

/** What was paid into and out of savings, newest first; the last three months without `from`. */
export const readSavingsRecords = (
  reads: Reads,
  account: ExchangeAccount,
  values: {
    readonly periodType: PeriodType;
    readonly coin?: string | null | undefined;
    readonly orderType?: (typeof SAVINGS_RECORD_TYPES)[number] | null | undefined;
  },
  asked: HistoryArguments,
): Promise<Slice<SavingsRecord>> =>
  pagedQuery(reads, { endpoint: savingsRecords, account, values, rowKey: ({ orderId }) => orderId }, asked);

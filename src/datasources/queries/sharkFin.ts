import {
  type SHARK_FIN_FILTERS,
  type SHARK_FIN_RECORD_TYPES,
  type SharkFinOffer,
  type SharkFinProduct,
  type SharkFinRecord,
  sharkFinAccount,
  sharkFinAssets,
  sharkFinOffers,
  sharkFinRecords,
} from "@exchange-graph/contract/sharkfin";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Slice, SliceArguments } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { newestFirst, overTime } from "./pageCounts.js";
import { type HistoryArguments, latestQuery, pagedQuery } from "./pagedQuery.js";

/** What the account has in shark-fin products, and has earned with them. */
export const readSharkFinTotals = (reads: Reads, account: ExchangeAccount) => reads.read(sharkFinAccount, {}, account);

export const sharkFinOfferPages = newestFirst(sharkFinOffers);
export const sharkFinHoldingPages = overTime(sharkFinAssets);
export const sharkFinRecordPages = overTime(sharkFinRecords);

/** Shark-fin products on offer for a subscription coin, newest first. */
export const readSharkFinOffers = (
  reads: Reads,
  account: ExchangeAccount,
  values: { readonly coin: string },
  asked: SliceArguments,
): Promise<Slice<SharkFinOffer>> =>
  latestQuery(reads, { endpoint: sharkFinOffers, account, values, rowKey: ({ productId }) => productId }, asked);

/** Shark-fin products that the account holds (`subscribed`) or held (`settled`), newest first. */
export const readSharkFinHoldings = (
  reads: Reads,
  account: ExchangeAccount,
  values: { readonly status: (typeof SHARK_FIN_FILTERS)[number] },
  asked: HistoryArguments,
): Promise<Slice<SharkFinProduct>> =>
  pagedQuery(
    reads,
    {
      endpoint: sharkFinAssets,
      account,
      values,
      rowKey: (row) => `${row.productId} ${row.subscribeCoin} ${row.interestStartTime} ${row.settleTime}`,
    },
    asked,
  );

/** What went into and came out of shark-fin products, newest first. */
export const readSharkFinRecords = (
  reads: Reads,
  account: ExchangeAccount,
  values: { readonly type: (typeof SHARK_FIN_RECORD_TYPES)[number]; readonly coin?: string | null | undefined },
  asked: HistoryArguments,
): Promise<Slice<SharkFinRecord>> =>
  pagedQuery(reads, { endpoint: sharkFinRecords, account, values, rowKey: ({ orderId }) => orderId }, asked);

import {
  type SAVINGS_PERIOD_TYPES,
  savingsAccount,
  savingsAssets,
  savingsProducts,
  savingsRecords as savingsRecordPages,
  savingsRedeemResult,
} from "@exchange-graph/contract/savings";
import {
  sharkFinOffers as offers,
  sharkFinAccount,
  sharkFinAssets,
  sharkFinRecords as sharkFinRecordPages,
} from "@exchange-graph/contract/sharkfin";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";
import { listNewestFirst, listOverTime } from "./pagedList.js";
import { type FilterOf, withoutNulls } from "./pagedQuery.js";

/** Total holdings and earnings of the account in shark-fin products. */
export const readSharkFinTotals = (reads: Reads, account: ExchangeAccount) => reads.read(sharkFinAccount, {}, account);

/** Shark-fin products on offer for a subscription coin, newest first. */
export const sharkFinOffers = listNewestFirst(offers, ({ productId }) => productId);

/** Shark-fin products of the account, current (`subscribed`) or `settled`, newest first. */
export const sharkFinHoldings = listOverTime(
  sharkFinAssets,
  (row) => `${row.productId} ${row.subscribeCoin} ${row.interestStartTime} ${row.settleTime}`,
);

/** Records of shark-fin products, newest first. */
export const sharkFinRecords = listOverTime(sharkFinRecordPages, ({ orderId }) => orderId);

/** Savings products on offer to the account. */
export const readSavingsProducts = (reads: Reads, account: ExchangeAccount, filter: FilterOf<typeof savingsProducts>) =>
  reads.read(savingsProducts, withoutNulls(filter), account);

/** Total holdings and earnings of the account in savings. */
export const readSavingsTotals = (reads: Reads, account: ExchangeAccount) => reads.read(savingsAccount, {}, account);

/** How a redemption ended. */
export const readRedemption = (
  reads: Reads,
  account: ExchangeAccount,
  redemption: { readonly orderId: string; readonly periodType: (typeof SAVINGS_PERIOD_TYPES)[number] },
) => reads.read(savingsRedeemResult, redemption, account);

/** Current savings of the account, newest first; without times they are not limited to a range. */
export const savingsHoldings = listNewestFirst(savingsAssets, ({ productId, orderId }) => `${productId} ${orderId ?? ""}`);

/** Records of savings, newest first; without `from` those of the last three months. */
export const savingsRecords = listOverTime(savingsRecordPages, ({ orderId }) => orderId);

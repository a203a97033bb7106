import {
  sharkFinOffers as offers,
  sharkFinRecords as records,
  sharkFinAccount,
  sharkFinAssets,
} from "@exchange-graph/contract/sharkfin";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";
import { listNewestFirst, listOverTime } from "./pagedList.js";

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
export const sharkFinRecords = listOverTime(records, ({ orderId }) => orderId);

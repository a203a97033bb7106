import type { Order } from "@exchange-graph/sandbox/world/orders/order";
import { type PlaceOrderInput, placeOrder } from "../../../../src/datasources/writes/mutations/placeOrder.js";
import type { Acknowledgement } from "../../../../src/datasources/writes/policies/replies.js";
import type { WriteResult } from "../../../../src/datasources/writes/writePlan.js";
import { type AccountName, type LiveExchange, UID } from "./liveExchange.js";

/** A spot order far from the market: it rests. */
export const resting = (clientOid: string, more: Partial<PlaceOrderInput> = {}): PlaceOrderInput => ({
  category: "SPOT",
  symbol: "BTCUSDT",
  side: "buy",
  orderType: "limit",
  qty: "0.001",
  price: "60000",
  clientOid,
  ...more,
});

/** Places an order in a separate request. */
export const place = (
  live: LiveExchange,
  input: PlaceOrderInput,
  account: AccountName = "main",
): Promise<WriteResult<Acknowledgement>> => placeOrder(live.writes(), live.account(account), input);

/** The orders of this name that the exchange has, open and finished. */
export function ordersNamed(live: LiveExchange, clientOid: string, account: AccountName = "main"): readonly Order[] {
  const { orders } = live.sandbox.world.state;
  return [...orders.open(UID[account]), ...orders.finished(UID[account])].filter((order) => order.clientOid === clientOid);
}

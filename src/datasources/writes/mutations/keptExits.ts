import { type DecimalText, isZero } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import { classicSpotOpenOrders } from "@exchange-graph/contract/orderReads";
import { rowWhere } from "../../errors/index.js";
import { MAX_FIRST, readOpenOrders, rowsOf } from "../../reads/index.js";
import type { Planning, WithoutNulls } from "./mutation.js";
import type { ExitInput } from "./tpsl.js";

type Exit = WithoutNulls<ExitInput> | undefined;

/** A change of a Classic spot order, by one of its identifiers. */
interface SpotChange {
  readonly symbol: string;
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
  readonly takeProfit?: Exit;
  readonly stopLoss?: Exit;
}

/**
 * The exits of an order that is put in the place of this one. The exchange gives it those alone that are sent with it, so the ones
 * that do not change are read. A trigger price of 0 removes one. Throws `Fault` if they cannot be read.
 */
export async function exitsAfter(
  planning: Planning,
  { takeProfit, stopLoss, ...order }: SpotChange,
): Promise<{ readonly takeProfit: Exit; readonly stopLoss: Exit }> {
  const present = takeProfit === undefined || stopLoss === undefined ? await openSpotOrder(planning, order) : null;
  return {
    takeProfit: after(takeProfit, present?.takeProfit, present?.tpLimitPrice),
    stopLoss: after(stopLoss, present?.stopLoss, present?.slLimitPrice),
  };
}

type Price = DecimalText | null | undefined;

function after(change: Exit, triggerPrice: Price, limitPrice: Price): Exit {
  if (change !== undefined) return isZero(change.triggerPrice) ? undefined : change;
  return triggerPrice === null || triggerPrice === undefined ? undefined : { triggerPrice, limitPrice: limitPrice ?? undefined };
}

/** The order as its list has it: the exchange's look-up does not show exits. Null if it is not open. */
async function openSpotOrder({ reads, account }: Planning, { symbol, orderId, clientOid }: SpotChange): Promise<Order | null> {
  const fresh = reads.afresh(account, [classicSpotOpenOrders.name]);
  const filter = { category: "SPOT", symbol, tpslType: "normal" } as const;
  const orders = rowsOf(await readOpenOrders(fresh, account, filter, { first: MAX_FIRST }));
  return rowWhere(orders, (one) => (orderId === undefined ? one.clientOid === clientOid : one.orderId === orderId));
}

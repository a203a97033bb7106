import { type DecimalText, exact } from "@exchange-graph/contract/decimal";
import type { Order, OrderAck } from "@exchange-graph/contract/order";
import { classicFuturesOrderDetail, classicSpotOrderInfo, orderInfo } from "@exchange-graph/contract/orderReads";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { WithoutCategory } from "@exchange-graph/contract/trading";
import type { FuturesProductType } from "@exchange-graph/contract/vocabulary";
import { Fault } from "../../errors/index.js";
import { foundOrNull } from "../../reads/index.js";
import type { JournalEntry } from "../journal/journalEntry.js";
import { is, isCovered, isEqual, isSameName, wasEndedBefore } from "./evidence.js";
import { isAfter, type LookUp, type LookUpResult, type LostWrite } from "./policy.js";
import type { Acknowledgement, OrderIds } from "./replies.js";

/** Orders are found by the `clientOid` that was sent with them, on either API version. */

export const reply = ({ orderId, clientOid }: OrderAck): Acknowledgement => ({ orderId, clientOid });

/** Whether an answer names the requested order. */
export const isOfThat = (ack: Pick<OrderAck, "orderId" | "clientOid">, { orderId, clientOid }: OrderIds): boolean =>
  orderId === undefined ? ack.clientOid === clientOid : ack.orderId === orderId;

/** A policy about a new order: how it is acknowledged. */
export const OF_NEW_ORDER = {
  reply,
  isAnswerTo: (ack: OrderAck, { clientOid }: OrderIds): boolean => clientOid === undefined || ack.clientOid === clientOid,
};
/** A policy about an order that the request names: how it is acknowledged. The request gives it no name of its own. */
export const OF_NAMED_ORDER = { reply, isAnswerTo: isOfThat, clientOid: undefined };

/** If both are given the exchange uses `orderId`. */
const oneOf = ({ orderId, clientOid }: OrderIds): OrderIds => (orderId === undefined ? { clientOid } : { orderId });

interface Contract {
  readonly symbol: string;
  readonly productType: FuturesProductType;
}
export const unifiedOrder = (lookUp: LookUp, ids: OrderIds) => theOrder(ids, lookUp.read(orderInfo, oneOf(ids)));
export const spotOrder = (lookUp: LookUp, ids: OrderIds) => theOrder(ids, lookUp.read(classicSpotOrderInfo, oneOf(ids)));
export const futuresOrder = (lookUp: LookUp, { symbol, productType }: Contract, ids: OrderIds) =>
  theOrder(ids, lookUp.read(classicFuturesOrderDetail, { symbol, productType, ...oneOf(ids) }));

/** The requested order. An answer about another one is an error: the look-up is repeated. */
async function theOrder<T extends Pick<Order, "orderId" | "clientOid">>(
  ids: OrderIds,
  look: Promise<T | null>,
): Promise<T | null> {
  const order = await foundOrNull(look);
  if (order !== null && !isOfThat(order, ids))
    throw new Fault("EXCHANGE_BAD_RESPONSE", "the answer is about another order than the requested one");
  return order;
}

/** The terms of a placement that the order's record shows unchanged. */
interface OrderTerms {
  readonly symbol: string;
  readonly side?: string | undefined;
  readonly orderType?: string | undefined;
  readonly price?: DecimalText | undefined;
  readonly qty?: DecimalText | undefined;
  readonly reduceOnly?: "yes" | "no" | undefined;
}
/**
 * Whether it has the requested terms. The price of a market order and the unit of its quantity are the exchange's. A reduce-only
 * order for more than the position is made for the position. Undefined if the order lacks the fields that would decide.
 */
export const isAsRequested =
  ({ symbol, side, orderType, price, qty, reduceOnly }: OrderTerms) =>
  (order: Pick<Order, "symbol" | "side" | "orderType" | "price" | "qty">): boolean | undefined => {
    const isQty = (present: DecimalText, requested: DecimalText): boolean =>
      reduceOnly === "yes" ? exact(present).lte(exact(requested)) : isEqual(present, requested);
    const terms = [
      isSameName(order.symbol, symbol),
      side === undefined || is(order.side, side),
      orderType === undefined || is(order.orderType, orderType),
      orderType === "market" || price === undefined || (order.price === null ? undefined : isEqual(order.price, price)),
      orderType === "market" || qty === undefined || (order.qty === null ? undefined : isQty(order.qty, qty)),
    ];
    return terms.includes(false) ? false : terms.includes(undefined) ? undefined : true;
  };

/** An order as it is shown on either API version. */
type Terms = WithoutCategory<Order>;
/** A lost write about an existing order. */
interface LostOrder extends Pick<LostWrite<ParameterSet>, "entry" | "refusedAt"> {
  readonly values: OrderIds;
}
const acknowledged = ({ orderId, clientOid }: Terms): LookUpResult<Acknowledgement> => ({ accepted: { orderId, clientOid } });
const hasEnded = ({ status }: Terms): boolean => status === "filled" || status === "cancelled" || status === "triggered";

/** The terms of a change; a trigger price of `0` removes a take-profit or stop-loss. */
type Change = { readonly [K in "price" | "qty" | "takeProfit" | "stopLoss"]?: DecimalText | undefined };
const priceOrNull = (price: DecimalText): DecimalText | null => (isEqual(price, "0") ? null : price);

/** The client's own identifier may belong to a newer order, made after the end of the intended one. */
const isNamesake = ({ entry, values: { orderId } }: LostOrder, { createdTime }: Terms): boolean =>
  orderId === undefined && (createdTime === null || isAfter({ entry }, createdTime));

/** A change shows in the order itself until it is changed again. An ended order can no longer be changed. */
export async function changed(
  lost: LostOrder & Pick<LostWrite<ParameterSet>, "since">,
  order: Terms | null,
  { price, qty, takeProfit, stopLoss }: Change,
): Promise<LookUpResult<Acknowledgement>> {
  if (order === null) return "no trace";
  if (isNamesake(lost, order)) return "undecidable";
  if ((price !== undefined && order.price === null) || (qty !== undefined && order.qty === null)) return "undecidable";
  const isDone =
    (price === undefined || isEqual(order.price, price)) &&
    (qty === undefined || isEqual(order.qty, qty)) &&
    (takeProfit === undefined || isEqual(order.takeProfit, priceOrNull(takeProfit))) &&
    (stopLoss === undefined || isEqual(order.stopLoss, priceOrNull(stopLoss)));
  if (isDone) return acknowledged(order);
  const isOfThisOrder = ({ orderId, clientOid }: JournalEntry["values"]): boolean =>
    orderId === order.orderId || (clientOid !== undefined && clientOid === order.clientOid);
  if (await isCovered(lost, isOfThisOrder)) return "undecidable";
  // Some changes replace the order by a new one: this change, or another client's.
  if (order.cancelReason === "modify_limit_order") return "undecidable";
  return hasEnded(order) ? { rejected: "EXCHANGE_REJECTED", why: "the order had ended before it could be changed" } : "no trace";
}

/** A cancellation shows in the order's state, for any client that requested it. */
export function cancelled(lost: LostOrder, order: Terms | null): LookUpResult<Acknowledgement> {
  if (order !== null && isNamesake(lost, order)) return "undecidable";
  if (order !== null && (order.status === null || order.status === "UNKNOWN")) return "undecidable";
  if (order?.status === "cancelled") return wasEndedBefore(lost, order) ? "another's" : acknowledged(order);
  return order?.status === "filled" || order?.status === "triggered"
    ? { rejected: "EXCHANGE_REJECTED", why: `the order was ${order.status} before it could be cancelled` }
    : "no trace";
}

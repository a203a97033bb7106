import { type Exact, plain } from "@exchange-graph/contract/decimal";
import type { PositionSide } from "../../world/accounts.js";
import { ZERO } from "../../world/ledger.js";
import type { PriceKind, Side } from "../../world/market/listing.js";
import {
  averagePrice,
  isOpen,
  type Order,
  type OrderType,
  type PositionTerms,
  type TpslTerms,
  tradeSideOf,
} from "../../world/orders/order.js";
import type { Placement } from "../../world/orders/orderEntry.js";
import { classicTimes, orEmpty, orNull, orZero, picked, text, unifiedTimes, withBareNumbers } from "./fields.js";

/** Orders in both API versions. A paid fee is positive in v3 and negative in v2. */

/** v2 spot pads its numbers. */
const padded = (amount: Exact): string => amount.toFixed(16);

/** Fees in v3: one entry of empty fields means none. */
const unifiedFees = ({ fees }: Order): unknown =>
  fees.size === 0 ? [{ feeCoin: "", fee: "" }] : [...fees].map(([feeCoin, fee]) => ({ feeCoin, fee: plain(fee) }));

type Exit = Omit<TpslTerms, "triggerBy"> & { readonly triggerBy: PriceKind };

/** A take-profit and a stop-loss in v3. */
export const unifiedTpsl = (takeProfit: Exit | undefined, stopLoss: Exit | undefined) => ({
  takeProfit: orNull(takeProfit?.triggerPrice),
  stopLoss: orNull(stopLoss?.triggerPrice),
  tpTriggerBy: takeProfit?.triggerBy ?? null,
  slTriggerBy: stopLoss?.triggerBy ?? null,
  tpOrderType: takeProfit === undefined ? null : orderTypeOf(takeProfit),
  slOrderType: stopLoss === undefined ? null : orderTypeOf(stopLoss),
  tpLimitPrice: orNull(takeProfit?.limitPrice),
  slLimitPrice: orNull(stopLoss?.limitPrice),
});
export const orderTypeOf = ({ limitPrice }: Pick<TpslTerms, "limitPrice">): OrderType =>
  limitPrice === undefined ? "market" : "limit";

/** What an order is named by, and so the answer to a write. */
export const idsOf = ({ orderId, clientOid }: Order) => ({ orderId, clientOid });
/** The answer to a placement: without the id of an order that has replaced older ones. */
export const placed = ({ order, hasReplaced }: Placement) => ({ ...idsOf(order), ...(hasReplaced ? { orderId: null } : {}) });

/** v3, an open order. */
export const unifiedOpenOrder = (order: Order) => ({
  ...picked(order, "orderId", "clientOid", "category", "symbol", "orderType", "side", "timeInForce", "stpMode"),
  price: orZero(order.price),
  qty: plain(order.quantity),
  amount: orZero(order.amount),
  cumExecQty: plain(order.filledQuantity),
  cumExecValue: plain(order.filledValue),
  avgPrice: text(averagePrice(order)),
  orderStatus: order.status,
  posSide: order.position?.posSide ?? "",
  holdMode: order.position?.holdMode ?? "",
  tradeSide: tradeSideOf(order),
  reduceOnly: order.position?.reduceOnly === true ? "YES" : "NO",
  feeDetail: unifiedFees(order),
  marginMode: order.position?.marginMode ?? "",
  delegateType: "0",
  ...unifiedTpsl(order.takeProfit, order.stopLoss),
  ...unifiedTimes(order),
});

/** An order that has ended is immutable: it is serialized once for all reads of its history. */
function writtenOnce(write: (order: Order) => unknown): (order: Order) => unknown {
  const written = new WeakMap<Order, unknown>();
  return (order) => {
    if (isOpen(order)) return write(order);
    const row = written.get(order) ?? write(order);
    written.set(order, row);
    return row;
  };
}

/** v3, an order in any state. */
export const unifiedOrder = writtenOnce((order) => ({
  ...unifiedOpenOrder(order),
  ...picked(order, "cancelReason", "execType"),
}));

/** v2 says `live` for an open order without fills. */
export const SPOT_STATUS = {
  new: "live",
  partially_filled: "partially_filled",
  filled: "filled",
  cancelled: "cancelled",
} as const;
const FUTURES_STATUS = { ...SPOT_STATUS, cancelled: "canceled" } as const;

const spotFields = (order: Order, uid: string) => ({
  userId: uid,
  ...picked(order, "symbol", "orderId", "clientOid", "orderType", "side"),
  size: padded(order.amount ?? order.quantity),
  status: SPOT_STATUS[order.status],
  baseVolume: padded(order.filledQuantity),
  quoteVolume: padded(order.filledValue),
  enterPointSource: "API",
  orderSource: order.orderType === "market" ? "market" : "normal",
  ...classicTimes(order),
});

/** v2 spot, an order in any state. */
export const classicSpotOrder = (order: Order, uid: string): unknown => ({
  ...spotFields(order, uid),
  price: padded(order.price ?? ZERO),
  priceAvg: padded(averagePrice(order)),
  feeDetail: spotFees(order),
  cancelReason: order.cancelReason,
  tpslType: "normal",
  triggerPrice: null,
});

/** v2 spot, an open order: the limit price is in `priceAvg`, the price of the fills in `basePrice`. */
export const classicSpotOpenOrder = (order: Order, uid: string): unknown => ({
  ...spotFields(order, uid),
  priceAvg: padded(order.price ?? ZERO),
  basePrice: padded(averagePrice(order)),
  presetTakeProfitPrice: orEmpty(order.takeProfit?.triggerPrice),
  executeTakeProfitPrice: orEmpty(order.takeProfit?.limitPrice),
  presetStopLossPrice: orEmpty(order.stopLoss?.triggerPrice),
  executeStopLossPrice: orEmpty(order.stopLoss?.limitPrice),
  tpslType: "normal",
  triggerPrice: null,
});

/** The fees of a v2 spot order are JSON text with bare numbers: an entry per coin, and their sum again in another form. */
function spotFees({ fees }: Order): string {
  if (fees.size === 0) return "";
  const entries = [...fees].map(([coin, fee]) => [
    coin,
    { deduction: false, feeCoinCode: coin, totalDeductionFee: "0", totalFee: plain(ZERO.minus(fee)) },
  ]);
  const sum = plain(ZERO.minus([...fees.values()].reduce((total, fee) => total.plus(fee), ZERO)));
  const newFees = { c: "0", d: "0", deduction: false, r: sum, t: sum, totalDeductionFee: "0" };
  return withBareNumbers({ ...Object.fromEntries(entries), newFees }, "c", "d", "r", "t", "totalDeductionFee", "totalFee").json;
}

/** In hedge mode v2 has the direction of the position as the side: closing a long position is `buy` and `close`. */
export const classicSide = (side: Side, position: PositionTerms | undefined): Side =>
  position?.holdMode === "hedge_mode" && position.posSide !== undefined ? DIRECTION[position.posSide] : side;
const DIRECTION: Readonly<Record<PositionSide, Side>> = { long: "buy", short: "sell" };

/** v2 futures, an open order. */
export function classicFuturesOpenOrder(order: Order) {
  const { position } = order;
  const isUntouched = order.filledQuantity.eq(ZERO);
  const fee = [...order.fees.values()].reduce((total, paid) => total.plus(paid), ZERO);
  return {
    ...picked(order, "symbol", "orderId", "clientOid", "orderType"),
    size: plain(order.quantity),
    baseVolume: plain(order.filledQuantity),
    fee: isUntouched ? "" : plain(ZERO.minus(fee)),
    price: orEmpty(order.price),
    priceAvg: isUntouched ? "" : text(averagePrice(order)),
    status: FUTURES_STATUS[order.status],
    side: classicSide(order.side, position),
    force: order.timeInForce,
    totalProfits: isUntouched ? "" : plain(order.profit),
    posSide: position?.posSide ?? "net",
    marginCoin: position?.marginCoin ?? "",
    quoteVolume: plain(order.filledValue),
    leverage: String(position?.leverage ?? ""),
    marginMode: position?.marginMode ?? "",
    reduceOnly: position?.reduceOnly === true ? "YES" : "NO",
    enterPointSource: "API",
    tradeSide: tradeSideOf(order),
    posMode: position?.holdMode ?? "",
    orderSource: order.orderType === "market" ? "market" : "normal",
    ...classicTimes(order),
    presetStopSurplusPrice: orEmpty(order.takeProfit?.triggerPrice),
    presetStopSurplusType: triggerType(order.takeProfit),
    presetStopSurplusExecutePrice: orEmpty(order.takeProfit?.limitPrice),
    presetStopLossPrice: orEmpty(order.stopLoss?.triggerPrice),
    presetStopLossType: triggerType(order.stopLoss),
    presetStopLossExecutePrice: orEmpty(order.stopLoss?.limitPrice),
  };
}

const triggerType = (tpsl: TpslTerms | undefined): string =>
  tpsl === undefined ? "" : tpsl.triggerBy === "mark" ? "mark_price" : "fill_price";

/** v2 futures, a row of the history. */
export const classicFuturesOrder = (order: Order): unknown => ({
  ...classicFuturesOpenOrder(order),
  posAvg: text(averagePrice(order)),
  liqPrice: "",
});

/** v2 futures, one order: the status is named `state` here. */
export function classicFuturesDetail(order: Order): unknown {
  const { status, ...rest } = classicFuturesOpenOrder(order);
  return { ...rest, state: status, cancelReason: order.cancelReason };
}

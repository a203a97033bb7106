import { type Exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { classicTimes, orEmpty, picked, withoutNulls } from "../../handlers/wire/fields.js";
import * as calls from "../../handlers/wire/fill.js";
import { classicFuturesOpenOrder, SPOT_STATUS, unifiedOpenOrder } from "../../handlers/wire/order.js";
import { ZERO } from "../../world/ledger.js";
import { averagePrice, type Fill, type Order } from "../../world/orders/order.js";

/** Orders in pushes: the records of the calls with some other keys. */

/** v3. */
export function unifiedOrder(order: Order): unknown {
  const { posSide, takeProfit, stopLoss, feeDetail, ...same } = unifiedOpenOrder(order);
  const { position } = order;
  return {
    ...withoutNulls(same),
    category: order.category.toLowerCase(),
    price: orEmpty(order.price),
    holdSide: posSide === "" && position !== undefined ? "net" : posSide,
    reduceOnly: same.reduceOnly.toLowerCase(),
    marginCoin: position?.marginCoin ?? "",
    leverage: position === undefined ? "" : String(position.leverage),
    totalProfit: plain(order.profit),
    cancelReason: order.cancelReason,
    // A call has an entry of empty fields if there is no fee.
    feeDetail: order.fees.size === 0 ? [] : feeDetail,
    takeprofit: takeProfit ?? "",
    stoploss: stopLoss ?? "",
    matchType: "0",
    requestId: order.requestId ?? "",
  };
}

/** In v2 a paid fee is negative. */
const feesOf = ({ fees }: Order) => [...fees].map(([feeCoin, fee]) => ({ feeCoin, fee: plain(ZERO.minus(fee)) }));

/** The execution that caused the push; absent before the first one. */
const lastFill = (fill: Fill) => ({
  fillPrice: plain(fill.price),
  tradeId: fill.execId,
  baseVolume: plain(fill.quantity),
  fillTime: String(fill.at),
  fillFee: plain(ZERO.minus(fill.fee.amount)),
  fillFeeCoin: fill.fee.coin,
  tradeScope: fill.scope === "taker" ? "T" : "M",
});

/** Decimals of a spot order's average price in calls. */
const AVERAGE_PLACES = 16;

/** v2 spot. A market order has no price, and a market buy has its size in quote coin. */
export const classicSpotOrder = (order: Order, fill: Fill | undefined): unknown => ({
  instId: order.symbol,
  ...picked(order, "orderId", "clientOid", "orderType", "side", "stpMode"),
  ...(order.price === undefined ? {} : { price: plain(order.price) }),
  size: plain(order.amount ?? order.quantity),
  newSize: plain(order.amount ?? order.quantity),
  ...(order.amount === undefined ? {} : { notional: plain(order.amount) }),
  force: order.timeInForce,
  ...(fill === undefined ? {} : lastFill(fill)),
  accBaseVolume: plain(order.filledQuantity),
  priceAvg: plain(truncated(averagePrice(order), AVERAGE_PLACES)),
  status: SPOT_STATUS[order.status],
  ...classicTimes(order),
  feeDetail: feesOf(order),
  enterPointSource: "API",
});

/** Value of a quantity of a futures order, in the currency of its price. */
const notional = (order: Order, quantity: Exact): string => plain(quantity.times(order.price ?? order.reservePrice));

/** v2 futures. A cancelled order has no average price, even with fills. */
export function classicFuturesOrder(order: Order, fill: Fill | undefined): unknown {
  const { symbol, baseVolume, quoteVolume, fee, priceAvg, orderSource, ...same } = classicFuturesOpenOrder(order);
  const fees = feesOf(order);
  return {
    ...same,
    instId: symbol,
    reduceOnly: same.reduceOnly.toLowerCase(),
    ...picked(order, "cancelReason", "stpMode"),
    notionalUsd: notional(order, order.quantity),
    accBaseVolume: baseVolume,
    ...(order.status === "cancelled" ? {} : { priceAvg }),
    totalProfits: plain(order.profit),
    pnl: plain(fill?.profit ?? ZERO),
    feeDetail: fees.length === 0 ? [{ feeCoin: same.marginCoin, fee: "0" }] : fees,
    ...(fill === undefined ? {} : { ...lastFill(fill), fillNotionalUsd: plain(fill.value) }),
  };
}

/** Executions in pushes. */

/** v3. */
export function unifiedFill(fill: Fill) {
  const { posSide, createdTime, ...same } = calls.unifiedFill(fill);
  return { ...same, holdSide: posSide === "" && fill.position !== undefined ? "net" : posSide, execTime: createdTime };
}

/** v3, pushed early: without value and fee. */
export function unifiedFastFill(fill: Fill): unknown {
  const { category, symbol, orderId, clientOid, execId, side, holdSide, ...rest } = unifiedFill(fill);
  const { tradeScope, execPrice, execQty, execTime, updatedTime } = rest;
  return {
    ...{ category, symbol, orderId, clientOid, execId, side, holdSide },
    ...{ tradeScope, execPrice, execQty, execTime, updatedTime },
  };
}

/** v2 spot: only here a paid fee is positive. */
export function classicSpotFill(fill: Fill): unknown {
  const { userId, feeDetail, ...same } = calls.classicSpotFill(fill);
  return { ...same, feeDetail: [{ ...feeDetail, totalDeductionFee: "0", totalFee: plain(fill.fee.amount) }] };
}

/** v2 futures. Unlike in calls the side is that of the trade in the market, in hedge mode too. */
export function classicFuturesFill(fill: Fill): unknown {
  const { enterPointSource, ...same } = calls.classicFuturesFill(fill);
  return { ...same, side: fill.side, orderType: fill.orderType, uTime: same.cTime };
}

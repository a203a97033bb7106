import { mapped } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, PRIVATE_STATE, perSecond } from "./endpoint.js";
import { strictListOf } from "./lists.js";
import { classicFuturesOrder, classicSpotOpenOrder, classicSpotOrder, order } from "./order.js";
import { classicPage, listPagedBy, page } from "./page.js";
import { between, classicPaging, maybe, oneOf, required, symbolName, textRule, unifiedPaging } from "./parameter.js";
import { FUTURES_ORDERS_READ, SPOT_READ, UNIFIED_TRADE_READ } from "./permissions.js";
import { classicOrderIds, orderIdOrClientOid, orderIdText, productType, receiveGuard, unifiedOrderIds } from "./trading.js";
import { PRODUCT_CATEGORIES, SPOT_ORDER_KINDS } from "./vocabulary.js";

/** Reads of orders, of unified accounts first, then of Classic spot and Classic futures. */

const unified = { ...between, ...unifiedPaging(100, 100) };
const classic = { ...between, ...classicPaging(100, 100) };
/** Filters of the lists of Classic spot orders. */
const spot = {
  symbol: maybe("Trading pair", symbolName()),
  orderId: maybe("Order identifier", orderIdText()),
  tpslType: maybe("Which kind", oneOf(SPOT_ORDER_KINDS, { fallback: "normal" })),
  ...classic,
  ...receiveGuard,
};

const UNIFIED = { permissions: UNIFIED_TRADE_READ, rate: perSecond(20, "UID") } as const;
const SPOT = { permissions: SPOT_READ, rate: perSecond(20, "UID") } as const;
const FUTURES = { permissions: FUTURES_ORDERS_READ, rate: perSecond(10, "UID") } as const;

export const openOrders = endpoint({
  ...UNIFIED,
  name: "openOrders",
  doc: "Orders that are still open",
  path: "/api/v3/trade/unfilled-orders",
  cache: PRIVATE_STATE,
  parameters: {
    category: maybe("Product category", oneOf(PRODUCT_CATEGORIES)),
    symbol: maybe("Symbol name", symbolName()),
    ...unified,
  },
  data: page(order),
});

export const orderHistory = endpoint({
  ...UNIFIED,
  name: "orderHistory",
  doc: "Finished orders of the last 90 days",
  path: "/api/v3/trade/history-orders",
  cache: PRIVATE_HISTORY,
  parameters: {
    category: required("Product category", oneOf(PRODUCT_CATEGORIES)),
    symbol: maybe("Symbol name", symbolName()),
    ...unified,
  },
  window: { from: "startTime", to: "endTime", range: { days: 30 }, age: { days: 90 } },
  data: page(order),
});

export const orderInfo = endpoint({
  ...UNIFIED,
  name: "orderInfo",
  doc: "One order, open or finished",
  path: "/api/v3/trade/order-info",
  parameters: unifiedOrderIds,
  rules: [orderIdOrClientOid],
  data: order,
});

export const classicSpotOpenOrders = endpoint({
  ...SPOT,
  name: "classicSpotOpenOrders",
  doc: "Spot orders that are still open, or TP/SL orders that still wait",
  path: "/api/v2/spot/trade/unfilled-orders",
  cache: PRIVATE_STATE,
  parameters: spot,
  data: listPagedBy(classicSpotOpenOrder, ({ orderId }) => orderId),
});

export const classicSpotOrderHistory = endpoint({
  ...SPOT,
  name: "classicSpotOrderHistory",
  doc: "Finished spot orders of the last 90 days",
  path: "/api/v2/spot/trade/history-orders",
  cache: PRIVATE_HISTORY,
  parameters: spot,
  window: { from: "startTime", to: "endTime", age: { days: 90 } },
  data: listPagedBy(classicSpotOrder, ({ orderId }) => orderId),
});

export const classicSpotOrderInfo = endpoint({
  ...SPOT,
  name: "classicSpotOrderInfo",
  doc: "One spot order, open or finished; null when there is none",
  path: "/api/v2/spot/trade/orderInfo",
  parameters: { ...classicOrderIds, ...receiveGuard },
  rules: [orderIdOrClientOid],
  data: mapped(strictListOf(classicSpotOrder), ([found = null]) => found),
});

export const classicFuturesOpenOrders = endpoint({
  ...FUTURES,
  name: "classicFuturesOpenOrders",
  doc: "Futures orders that are still open",
  path: "/api/v2/mix/order/orders-pending",
  cache: PRIVATE_STATE,
  parameters: {
    productType,
    symbol: maybe("Symbol name", symbolName()),
    ...classicOrderIds,
    status: maybe("Only orders in this state", oneOf(["live", "partially_filled"])),
    ...classic,
  },
  window: { from: "startTime", to: "endTime", range: { months: 3 } },
  data: classicPage(classicFuturesOrder, "entrustedList"),
});

export const classicFuturesOrderHistory = endpoint({
  ...FUTURES,
  name: "classicFuturesOrderHistory",
  doc: "Finished futures orders of the last 90 days",
  path: "/api/v2/mix/order/orders-history",
  cache: PRIVATE_HISTORY,
  parameters: {
    productType,
    symbol: maybe("Symbol name", symbolName()),
    ...classicOrderIds,
    orderSource: maybe("Only orders from this source", textRule()),
    ...classic,
  },
  window: { from: "startTime", to: "endTime", age: { days: 90 } },
  data: classicPage(classicFuturesOrder, "entrustedList"),
});

export const classicFuturesOrderDetail = endpoint({
  ...FUTURES,
  name: "classicFuturesOrderDetail",
  doc: "One futures order, open or finished",
  path: "/api/v2/mix/order/detail",
  parameters: { symbol: required("Symbol name", symbolName()), productType, ...classicOrderIds },
  rules: [orderIdOrClientOid],
  data: classicFuturesOrder,
});

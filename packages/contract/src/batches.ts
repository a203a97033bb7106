import { batchResults, classicResults } from "./bulkWrites.js";
import { classicPlaceFuturesOrder } from "./classicFuturesOrderWrites.js";
import { classicPlaceSpotOrder } from "./classicSpotOrderWrites.js";
import { perSecond, writeEndpoint } from "./endpoint.js";
import { placeOrder } from "./orderWrites.js";
import { capitalCoinName, maybe, oneOf, type ParameterSet, parameterList, picked, required, symbolName } from "./parameter.js";
import { FUTURES_ORDERS_WRITE, SPOT_WRITE, UNIFIED_TRADE_WRITE } from "./permissions.js";
import { classicOrderIds, productType, unifiedOrderIds } from "./trading.js";

/**
 * Calls with a list of orders, each of which is accepted or refused separately. They have fewer parameters than the calls for one
 * order.
 */

const UNIFIED = { permissions: UNIFIED_TRADE_WRITE, rate: perSecond(5, "UID"), body: "orders", data: batchResults } as const;

/** A list of orders with these parameters each. */
const orders = <const S extends ParameterSet>(each: S, most: number) => required("The orders", parameterList(each, most));
const UNIFIED_MOST = 20;
const CLASSIC_MOST = 50;

const unifiedOrder = picked(
  placeOrder.parameters,
  ...(["category", "symbol", "clientOid", "side", "posSide", "orderType", "price", "qty", "timeInForce", "stpMode"] as const),
);

export const placeOrderBatch = writeEndpoint({
  ...UNIFIED,
  name: "placeOrderBatch",
  doc: "Places orders of one category; without reduce-only orders, attached exits and isolated margin",
  path: "/api/v3/trade/place-batch",
  parameters: { orders: orders(unifiedOrder, UNIFIED_MOST) },
  rules: [
    {
      rule: "must have one category",
      broken: ({ orders }) => (new Set(orders.map(({ category }) => category)).size > 1 ? "orders" : undefined),
    },
  ],
});

export const cancelOrderBatch = writeEndpoint({
  ...UNIFIED,
  name: "cancelOrderBatch",
  doc: "Asks for the cancellation of open orders",
  path: "/api/v3/trade/cancel-batch",
  parameters: {
    orders: orders({ ...picked(placeOrder.parameters, "category", "symbol"), ...unifiedOrderIds }, UNIFIED_MOST),
  },
});

const ofAllOrders = {
  symbol: maybe("Trading pair of all orders", symbolName()),
  batchMode: maybe(
    "Whether the orders are of one symbol, or each names its own",
    oneOf(["single", "multiple"], { fallback: "single" }),
  ),
};
const ofOneOrder = { symbol: maybe("Trading pair", symbolName()) };
const spotOrder = picked(
  classicPlaceSpotOrder.parameters,
  ...(["side", "orderType", "force", "price", "size", "clientOid", "stpMode"] as const),
  ...(["presetTakeProfitPrice", "executeTakeProfitPrice", "presetStopLossPrice", "executeStopLossPrice"] as const),
);

export const classicPlaceSpotOrderBatch = writeEndpoint({
  name: "classicPlaceSpotOrderBatch",
  doc: "Places spot orders",
  path: "/api/v2/spot/trade/batch-orders",
  permissions: SPOT_WRITE,
  rate: perSecond(5, "UID", { copyTrader: 1 }),
  parameters: { ...ofAllOrders, orderList: orders({ ...ofOneOrder, ...spotOrder }, CLASSIC_MOST) },
  rules: [{ required: "symbol", when: "in single mode", applies: ({ batchMode = "single" }) => batchMode === "single" }],
  data: classicResults,
});

export const classicCancelSpotOrderBatch = writeEndpoint({
  name: "classicCancelSpotOrderBatch",
  doc: "Asks for the cancellation of open spot orders",
  path: "/api/v2/spot/trade/batch-cancel-order",
  permissions: SPOT_WRITE,
  rate: perSecond(10, "UID"),
  parameters: { ...ofAllOrders, orderList: orders({ ...ofOneOrder, ...classicOrderIds }, CLASSIC_MOST) },
  data: classicResults,
});

const futuresOrder = picked(
  classicPlaceFuturesOrder.parameters,
  ...(["clientOid", "side", "tradeSide", "orderType", "price", "size", "force", "reduceOnly"] as const),
  ...(["presetStopSurplusPrice", "presetStopLossPrice", "stpMode"] as const),
);

export const classicPlaceFuturesOrderBatch = writeEndpoint({
  name: "classicPlaceFuturesOrderBatch",
  doc: "Places futures orders of one symbol",
  path: "/api/v2/mix/order/batch-place-order",
  permissions: FUTURES_ORDERS_WRITE,
  rate: perSecond(5, "UID", { copyTrader: 1 }),
  parameters: {
    ...picked(classicPlaceFuturesOrder.parameters, "symbol", "productType", "marginMode", "marginCoin"),
    orderList: orders(futuresOrder, CLASSIC_MOST),
  },
  data: classicResults,
});

export const classicCancelFuturesOrderBatch = writeEndpoint({
  name: "classicCancelFuturesOrderBatch",
  doc: "Asks for the cancellation of open futures orders of one symbol",
  path: "/api/v2/mix/order/batch-cancel-orders",
  permissions: FUTURES_ORDERS_WRITE,
  rate: perSecond(10, "UID"),
  parameters: {
    productType,
    symbol: required("Symbol name", symbolName()),
    marginCoin: maybe("Margin coin", capitalCoinName()),
    // Without it the exchange would cancel every order of the symbol.
    orderIdList: orders(classicOrderIds, CLASSIC_MOST),
  },
  data: classicResults,
});

import { batchResults, classicResults } from "./bulkWrites.js";
import { classicPlaceFuturesOrder } from "./classicFuturesOrderWrites.js";
import { classicPlaceSpotOrder } from "./classicSpotOrderWrites.js";
import { perSecond, writeEndpoint } from "./endpoint.js";
import { cancelOrder, placeOrder } from "./orderWrites.js";
import { capitalCoinName, maybe, oneOf, parameterList, required, symbolName } from "./parameter.js";
import { FUTURES_ORDERS_WRITE, SPOT_WRITE, UNIFIED_TRADE_WRITE } from "./permissions.js";
import { classicOrderIds, lowerCaseProductType, productType } from "./trading.js";
import { PRODUCT_CATEGORIES } from "./vocabulary.js";

/**
 * Calls with a list of orders, each of which is accepted or refused separately. They have fewer parameters than the calls for one
 * order.
 */

const UNIFIED_MOST = 20;
const CLASSIC_MOST = 50;

const unified = placeOrder.parameters;

export const placeOrderBatch = writeEndpoint({
  name: "placeOrderBatch",
  doc: "Places orders of one category; without reduce-only orders, attached exits and isolated margin",
  path: "/api/v3/trade/place-batch",
  permissions: UNIFIED_TRADE_WRITE,
  rate: perSecond(5, "UID"),
  body: "orders",
  parameters: {
    orders: required(
      "The orders",
      parameterList(
        {
          category: unified.category,
          symbol: unified.symbol,
          clientOid: unified.clientOid,
          side: unified.side,
          posSide: unified.posSide,
          orderType: unified.orderType,
          price: unified.price,
          qty: unified.qty,
          timeInForce: unified.timeInForce,
          stpMode: unified.stpMode,
        },
        UNIFIED_MOST,
      ),
    ),
  },
  rules: [
    {
      rule: "must have one category",
      broken: ({ orders }) => (new Set(orders.map(({ category }) => category)).size > 1 ? "orders" : undefined),
    },
  ],
  data: batchResults,
});

export const cancelOrderBatch = writeEndpoint({
  name: "cancelOrderBatch",
  doc: "Asks for the cancellation of open orders",
  path: "/api/v3/trade/cancel-batch",
  permissions: UNIFIED_TRADE_WRITE,
  rate: perSecond(5, "UID"),
  body: "orders",
  parameters: {
    orders: required(
      "The orders",
      parameterList(
        {
          category: required("Product category", oneOf(PRODUCT_CATEGORIES)),
          symbol: required("Symbol name", symbolName()),
          orderId: cancelOrder.parameters.orderId,
          clientOid: cancelOrder.parameters.clientOid,
        },
        UNIFIED_MOST,
      ),
    ),
  },
  data: batchResults,
});

const spot = classicPlaceSpotOrder.parameters;
const batchMode = maybe(
  "Whether the orders are of one symbol, or each names its own",
  oneOf(["single", "multiple"], { fallback: "single" }),
);

export const classicPlaceSpotOrderBatch = writeEndpoint({
  name: "classicPlaceSpotOrderBatch",
  doc: "Places spot orders",
  path: "/api/v2/spot/trade/batch-orders",
  permissions: SPOT_WRITE,
  rate: perSecond(5, "UID", { copyTrader: 1 }),
  parameters: {
    symbol: maybe("Trading pair of all orders", symbolName()),
    batchMode,
    orderList: required(
      "The orders",
      parameterList(
        {
          symbol: maybe("Trading pair", symbolName()),
          side: spot.side,
          orderType: spot.orderType,
          force: spot.force,
          price: spot.price,
          size: spot.size,
          clientOid: spot.clientOid,
          stpMode: spot.stpMode,
          presetTakeProfitPrice: spot.presetTakeProfitPrice,
          executeTakeProfitPrice: spot.executeTakeProfitPrice,
          presetStopLossPrice: spot.presetStopLossPrice,
          executeStopLossPrice: spot.executeStopLossPrice,
        },
        CLASSIC_MOST,
      ),
    ),
  },
  rules: [{ required: "symbol", when: "in single mode", applies: ({ batchMode = "single" }) => batchMode === "single" }],
  data: classicResults,
});

export const classicCancelSpotOrderBatch = writeEndpoint({
  name: "classicCancelSpotOrderBatch",
  doc: "Asks for the cancellation of open spot orders",
  path: "/api/v2/spot/trade/batch-cancel-order",
  permissions: SPOT_WRITE,
  rate: perSecond(10, "UID"),
  parameters: {
    symbol: maybe("Trading pair of all orders", symbolName()),
    batchMode,
    orderList: required(
      "The orders",
      parameterList({ symbol: maybe("Trading pair", symbolName()), ...classicOrderIds }, CLASSIC_MOST),
    ),
  },
  data: classicResults,
});

const futures = classicPlaceFuturesOrder.parameters;

export const classicPlaceFuturesOrderBatch = writeEndpoint({
  name: "classicPlaceFuturesOrderBatch",
  doc: "Places futures orders of one symbol",
  path: "/api/v2/mix/order/batch-place-order",
  permissions: FUTURES_ORDERS_WRITE,
  rate: perSecond(5, "UID", { copyTrader: 1 }),
  parameters: {
    symbol: required("Symbol name", symbolName()),
    productType: lowerCaseProductType,
    marginMode: futures.marginMode,
    marginCoin: futures.marginCoin,
    orderList: required(
      "The orders",
      parameterList(
        {
          clientOid: futures.clientOid,
          side: futures.side,
          tradeSide: futures.tradeSide,
          orderType: futures.orderType,
          price: futures.price,
          size: futures.size,
          force: futures.force,
          reduceOnly: futures.reduceOnly,
          presetStopSurplusPrice: futures.presetStopSurplusPrice,
          presetStopLossPrice: futures.presetStopLossPrice,
          stpMode: futures.stpMode,
        },
        CLASSIC_MOST,
      ),
    ),
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
    orderIdList: required("The orders", parameterList(classicOrderIds, CLASSIC_MOST)),
  },
  data: classicResults,
});

import type { DecimalText } from "./decimal.js";
import { perSecond, writeEndpoint } from "./endpoint.js";
import { orderAck } from "./order.js";
import { amount, maybe, oneOf, required, symbolName, textRule, timestamp, unsent, whole } from "./parameter.js";
import { UNIFIED_TRADE_WRITE } from "./permissions.js";
import {
  limitPrice,
  orderIdOrClientOid,
  reduceOnly,
  stpMode,
  tpslParameters,
  unifiedClientOid,
  unifiedOrderIds,
} from "./trading.js";
import {
  MARGIN_MODES,
  ORDER_SIDES,
  ORDER_TYPES,
  POSITION_SIDES,
  PRODUCT_CATEGORIES,
  type ProductCategory,
  TIMES_IN_FORCE,
} from "./vocabulary.js";

/** Orders of a unified account: one set of endpoints for every category. */

const WRITE = { permissions: UNIFIED_TRADE_WRITE, rate: perSecond(10, "UID"), data: orderAck } as const;

const futuresTpsl = {
  rule: "must not be given outside the futures categories",
  broken({
    category,
    takeProfit,
    stopLoss,
  }: {
    readonly category?: ProductCategory | undefined;
    readonly takeProfit?: DecimalText | undefined;
    readonly stopLoss?: DecimalText | undefined;
  }) {
    if (category !== "SPOT" && category !== "MARGIN") return undefined;
    return takeProfit !== undefined ? ("takeProfit" as const) : stopLoss !== undefined ? ("stopLoss" as const) : undefined;
  },
};

export const placeOrder = writeEndpoint({
  ...WRITE,
  name: "placeOrder",
  doc: "Places an order of any category",
  path: "/api/v3/trade/place-order",
  parameters: {
    category: required("Product category", oneOf(PRODUCT_CATEGORIES)),
    symbol: required("Symbol name", symbolName()),
    clientOid: maybe("The client's own order identifier, unique among open orders", unifiedClientOid()),
    side: required("What to do in the market", oneOf(ORDER_SIDES)),
    posSide: maybe("Position side: required in hedge mode", oneOf(POSITION_SIDES)),
    orderType: required("Limit or market", oneOf(ORDER_TYPES)),
    price: maybe("Limit price", amount()),
    qty: required("Quantity in base coin; in quote coin for a market buy on spot or margin", amount()),
    timeInForce: maybe("How long a limit order may wait", oneOf(TIMES_IN_FORCE, { fallback: "gtc" })),
    reduceOnly,
    stpMode,
    marginMode: maybe("Margin mode", oneOf(MARGIN_MODES, { fallback: "crossed" })),
    ...tpslParameters(amount()),
    requestTime: maybe("When the order was sent", timestamp()),
    receiveWindow: maybe("How many milliseconds after `requestTime` it may arrive", whole({ min: 10, max: 60_000 })),
  },
  rules: [limitPrice, futuresTpsl],
});

export const modifyOrder = writeEndpoint({
  ...WRITE,
  name: "modifyOrder",
  doc: "Changes an open order in place",
  path: "/api/v3/trade/modify-order",
  parameters: {
    ...unifiedOrderIds,
    qty: maybe("New quantity in base coin, not below what is filled", amount()),
    price: maybe("New limit price", amount()),
    autoCancel: maybe("Cancel the order when the change fails", oneOf(["yes", "no"], { fallback: "no" })),
    symbol: maybe("Symbol name", symbolName()),
    category: maybe("Product category", oneOf(PRODUCT_CATEGORIES)),
    requestId: maybe("Comes back in the push that reports the change", textRule({ max: 32 })),
    // `0` removes it.
    ...tpslParameters(amount("zero or more")),
  },
  rules: [
    orderIdOrClientOid,
    {
      rule: "must be given, unless the price, the take-profit or the stop-loss changes",
      broken: ({ qty, price, takeProfit, stopLoss }) =>
        [qty, price, takeProfit, stopLoss].every((change) => change === undefined) ? "qty" : undefined,
    },
    futuresTpsl,
  ],
});

export const cancelOrder = writeEndpoint({
  ...WRITE,
  name: "cancelOrder",
  doc: "Asks for the cancellation of an open order",
  path: "/api/v3/trade/cancel-order",
  parameters: {
    ...unifiedOrderIds,
    category: maybe("Product category", oneOf(PRODUCT_CATEGORIES)),
    symbol: maybe("Symbol name, which a batch requires", unsent(symbolName())),
  },
  rules: [orderIdOrClientOid],
});

import { type Codec, mapped, nothing, optionalText } from "./codec.js";
import { perSecond, writeEndpoint } from "./endpoint.js";
import { strictList, strictListOf } from "./lists.js";
import { maybe, oneOf, required, symbolName, whole } from "./parameter.js";
import { FUTURES_ORDERS_WRITE, SPOT_WRITE, UNIFIED_TRADE_WRITE } from "./permissions.js";
import { record } from "./record.js";
import { productType } from "./trading.js";
import { FUTURES_CATEGORIES, POSITION_SIDES, PRODUCT_CATEGORIES } from "./vocabulary.js";

/** Calls about many orders. The envelope does not report their results: each order has its own. */

const ids = {
  orderId: optionalText("Identifier of the order"),
  clientOid: optionalText("The client's own identifier"),
};

/** The result for one order: a code and a text if it failed. */
const result = record({ ...ids, code: optionalText("Why not, as a code"), msg: optionalText("Why not") });

/** Codes of results that are no failures. */
const FINE: ReadonlySet<string | null> = new Set([null, "0", "00000"]);

export interface BulkResult {
  readonly orderId: string | null;
  readonly clientOid: string | null;
  /** Null unless it failed. */
  readonly code: string | null;
  readonly message: string | null;
}

const unifiedResult: Codec<BulkResult> = mapped(result, ({ code, msg, ...order }) =>
  FINE.has(code) ? { ...order, code: null, message: null } : { ...order, code, message: msg },
);
const unifiedResults = mapped(record({ list: strictList("Results", unifiedResult) }), ({ list }) => list);
/** A batch answers with the list alone. */
export const batchResults: Codec<readonly BulkResult[]> = strictListOf(unifiedResult);

const UNIFIED = { permissions: UNIFIED_TRADE_WRITE, rate: perSecond(5, "UID"), data: unifiedResults } as const;

export const classicResults: Codec<readonly BulkResult[]> = mapped(
  record({
    successList: strictList("Orders with which it was done", record(ids)),
    failureList: strictList(
      "Orders with which it was not",
      record({ ...ids, errorMsg: optionalText("Why not"), errorCode: optionalText("Why not, as a code") }),
    ),
  }),
  ({ successList, failureList }) => [
    ...successList.map((order) => ({ ...order, code: null, message: null })),
    ...failureList.map(({ errorMsg: message, errorCode, ...order }) => ({ ...order, code: errorCode ?? "", message })),
  ],
);

export const cancelSymbolOrders = writeEndpoint({
  ...UNIFIED,
  name: "cancelSymbolOrders",
  doc: "Cancels the open orders of a category, or of one symbol in it",
  path: "/api/v3/trade/cancel-symbol-order",
  parameters: {
    category: required("Product category", oneOf(PRODUCT_CATEGORIES)),
    symbol: maybe("Symbol name; none: all of the category", symbolName()),
  },
});

export const countdownCancelAll = writeEndpoint({
  name: "countdownCancelAll",
  doc: "Starts the time anew after which every open order is cancelled, or ends it",
  path: "/api/v3/trade/countdown-cancel-all",
  permissions: UNIFIED_TRADE_WRITE,
  rate: perSecond(1, "UID"),
  parameters: { countdown: required("Seconds; 0 ends it", whole({ min: 0, max: 60 })) },
  rules: [
    {
      rule: "must be 0, or from 5 to 60",
      broken: ({ countdown }) => (countdown > 0 && countdown < 5 ? "countdown" : undefined),
    },
  ],
  data: nothing,
});

export const closePositions = writeEndpoint({
  ...UNIFIED,
  name: "closePositions",
  doc: "Closes the positions of a futures category at market, or those in one symbol or on one side",
  path: "/api/v3/trade/close-positions",
  parameters: {
    category: required("Futures category", oneOf(FUTURES_CATEGORIES)),
    symbol: maybe("Symbol name; none: all of the category", symbolName()),
    posSide: maybe("Position side; none: both", oneOf(POSITION_SIDES)),
  },
});

export const classicCancelSpotSymbolOrders = writeEndpoint({
  name: "classicCancelSpotSymbolOrders",
  doc: "Cancels the open spot orders of a symbol, after its answer",
  path: "/api/v2/spot/trade/cancel-symbol-order",
  permissions: SPOT_WRITE,
  rate: perSecond(5, "UID"),
  parameters: { symbol: required("Trading pair", symbolName()) },
  data: record({ symbol: optionalText("Trading pair") }),
});

export const classicCancelAllFuturesOrders = writeEndpoint({
  name: "classicCancelAllFuturesOrders",
  doc: "Cancels the open futures orders of a product type, or of one symbol in it",
  path: "/api/v2/mix/order/cancel-all-orders",
  permissions: FUTURES_ORDERS_WRITE,
  rate: perSecond(10, "UID"),
  parameters: { productType, symbol: maybe("Symbol name; none: all of the product type", symbolName()) },
  data: classicResults,
});

export const classicClosePositions = writeEndpoint({
  name: "classicClosePositions",
  doc: "Closes the futures positions of a product type at market, or those in one symbol or on one side",
  path: "/api/v2/mix/order/close-positions",
  permissions: FUTURES_ORDERS_WRITE,
  rate: perSecond(1, "UID"),
  parameters: {
    productType,
    symbol: maybe("Symbol name; none: all of the product type", symbolName()),
    holdSide: maybe("Position side; hedge mode alone", oneOf(POSITION_SIDES)),
  },
  data: classicResults,
});

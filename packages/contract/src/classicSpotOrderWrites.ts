import { optionalText, optionalToken } from "./codec.js";
import { perSecond, writeEndpoint } from "./endpoint.js";
import { orderAck } from "./order.js";
import { amount, maybe, oneOf, required, symbolName } from "./parameter.js";
import { SPOT_WRITE } from "./permissions.js";
import { record } from "./record.js";
import { classicClientOid, classicOrderIds, limitPrice, orderIdOrClientOid, receiveGuard, stpMode } from "./trading.js";
import { ORDER_SIDES, ORDER_TYPES, SPOT_ORDER_KINDS, TIMES_IN_FORCE } from "./vocabulary.js";

/** Spot orders of a Classic account. */

const WRITE = { permissions: SPOT_WRITE, rate: perSecond(10, "UID"), data: orderAck } as const;

const tpslParameters = {
  presetTakeProfitPrice: maybe("Trigger price of the attached take-profit", amount()),
  executeTakeProfitPrice: maybe("Limit price of the take-profit; 0 or none: at market", amount("zero or more")),
  presetStopLossPrice: maybe("Trigger price of the attached stop-loss", amount()),
  executeStopLossPrice: maybe("Limit price of the stop-loss; 0 or none: at market", amount("zero or more")),
};

/** Parameters that are not allowed on an order with a trigger of its own. */
const NOT_WITH_TPSL = [
  "clientOid",
  "presetTakeProfitPrice",
  "executeTakeProfitPrice",
  "presetStopLossPrice",
  "executeStopLossPrice",
] as const;

const tpslType = maybe("An ordinary order, or one that waits for its trigger", oneOf(SPOT_ORDER_KINDS, { fallback: "normal" }));

export const classicPlaceSpotOrder = writeEndpoint({
  ...WRITE,
  name: "classicPlaceSpotOrder",
  doc: "Places a spot order, or a spot order that waits for a trigger price",
  path: "/api/v2/spot/trade/place-order",
  rate: perSecond(10, "UID", { copyTrader: 1 }),
  parameters: {
    symbol: required("Trading pair", symbolName()),
    side: required("Buy or sell", oneOf(ORDER_SIDES)),
    orderType: required("Limit or market", oneOf(ORDER_TYPES)),
    force: required("How long a limit order may wait; without effect on a market order", oneOf(TIMES_IN_FORCE)),
    price: maybe("Limit price", amount()),
    size: required("Quantity in base coin; in quote coin for a market buy", amount()),
    clientOid: maybe("The client's own order identifier; valid for 6 hours while the order is unfilled", classicClientOid()),
    triggerPrice: maybe("The price that a TP/SL order waits for", amount()),
    tpslType,
    ...receiveGuard,
    stpMode,
    ...tpslParameters,
  },
  rules: [
    limitPrice,
    { required: "triggerPrice", when: "when tpslType is tpsl", applies: ({ tpslType }) => tpslType === "tpsl" },
    {
      rule: "must not be given for an order that waits for a trigger price",
      broken: (values) => (values.tpslType === "tpsl" ? NOT_WITH_TPSL.find((name) => values[name] !== undefined) : undefined),
    },
  ],
});

export const classicCancelSpotOrder = writeEndpoint({
  ...WRITE,
  name: "classicCancelSpotOrder",
  doc: "Asks for the cancellation of an open spot order",
  path: "/api/v2/spot/trade/cancel-order",
  parameters: { symbol: maybe("Trading pair", symbolName()), ...classicOrderIds, tpslType },
  rules: [
    orderIdOrClientOid,
    {
      rule: "must be given, except for an order that waits for a trigger price",
      broken: ({ symbol, tpslType }) => (symbol === undefined && tpslType !== "tpsl" ? "symbol" : undefined),
    },
  ],
});

/** The answer to cancel-replace: a failure is reported inside a successful envelope. */
const replacement = record({
  orderId: optionalText("The new order"),
  clientOid: optionalText("The client's own identifier of the new order"),
  success: optionalToken("Was the order replaced?", ["success", "failure"]),
  msg: optionalText("Why not"),
});

export const classicReplaceSpotOrder = writeEndpoint({
  ...WRITE,
  name: "classicReplaceSpotOrder",
  doc: "Cancels an open spot order and places another in its stead",
  path: "/api/v2/spot/trade/cancel-replace-order",
  rate: perSecond(5, "UID"),
  parameters: {
    symbol: required("Trading pair", symbolName()),
    price: required("New limit price", amount()),
    size: required("New quantity in base coin", amount()),
    ...classicOrderIds,
    newClientOid: maybe("The client's own identifier of the new order", classicClientOid()),
    ...tpslParameters,
  },
  rules: [orderIdOrClientOid],
  data: replacement,
});

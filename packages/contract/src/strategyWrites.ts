import { nothing } from "./codec.js";
import { perSecond, writeEndpoint } from "./endpoint.js";
import { orderAck } from "./order.js";
import { amount, maybe, oneOf, required, symbolName, unsent } from "./parameter.js";
import { UNIFIED_TRADE_WRITE } from "./permissions.js";
import { strategyParameters, strategyRules } from "./strategyTerms.js";
import { orderIdOrClientOid, tpslParameters, unifiedClientOid, unifiedOrderIds } from "./trading.js";
import {
  FUTURES_CATEGORIES,
  ORDER_SIDES,
  ORDER_TYPES,
  POSITION_SIDES,
  PRODUCT_CATEGORIES,
  STRATEGY_TYPES,
  TRIGGER_PRICES,
} from "./vocabulary.js";

/** Strategy orders of a unified account: exits of a position, orders that wait for a trigger price, and those with own terms. */

const WRITE = { permissions: UNIFIED_TRADE_WRITE, rate: perSecond(10, "UID"), data: orderAck } as const;

const FUTURES: readonly string[] = FUTURES_CATEGORIES;

/** The calls name an order only, but its effect is looked up in lists by category. */
const whereToLook = {
  category: maybe("Product category of the list that has it; not sent", unsent(oneOf(PRODUCT_CATEGORIES))),
};

/** The trigger of an order that is placed at a price, and that order. */
const trigger = {
  triggerPrice: maybe("Trigger price of that order", amount()),
  triggerBy: maybe("What its trigger looks at", oneOf(TRIGGER_PRICES, { fallback: "market" })),
  triggerOrderType: maybe("How that order acts", oneOf(ORDER_TYPES, { fallback: "market" })),
  triggerOrderPrice: maybe("Its limit price", amount()),
};

export const placeStrategyOrder = writeEndpoint({
  ...WRITE,
  name: "placeStrategyOrder",
  doc: "Places a strategy order: exits of a position, an order that waits for a trigger price, or one of the kinds with own terms",
  path: "/api/v3/trade/place-strategy-order",
  parameters: {
    category: required("Product category", oneOf(PRODUCT_CATEGORIES)),
    symbol: required("Symbol name", symbolName()),
    posSide: maybe("Position side", oneOf(POSITION_SIDES)),
    type: maybe("Kind of strategy order", oneOf(STRATEGY_TYPES, { fallback: "tpsl" })),
    tpslMode: maybe("The whole position, or a part of it", oneOf(["full", "partial"], { fallback: "full" })),
    qty: maybe("Quantity in base coin", amount()),
    ...tpslParameters(amount()),
    side: maybe("Side of its orders; not for tpsl", oneOf(ORDER_SIDES)),
    reduceOnly: maybe("May its orders only make a position smaller?", oneOf(["yes", "no"], { fallback: "no" })),
    ...trigger,
    ...strategyParameters,
    clientOid: maybe("The client's own identifier", unifiedClientOid()),
  },
  rules: [
    {
      rule: "must be given: takeProfit, stopLoss or both",
      broken: ({ type = "tpsl", takeProfit, stopLoss }) =>
        type === "tpsl" && takeProfit === undefined && stopLoss === undefined ? "takeProfit" : undefined,
    },
    { required: "posSide", when: "when type is tpsl", applies: ({ type = "tpsl" }) => type === "tpsl" },
    {
      rule: "must be a futures category when type is tpsl",
      broken: ({ type = "tpsl", category }) => (type === "tpsl" && !FUTURES.includes(category) ? "category" : undefined),
    },
    {
      rule: "must be given unless type is tpsl",
      broken: ({ type = "tpsl", side, qty }) =>
        type === "tpsl" ? undefined : side === undefined ? "side" : qty === undefined ? "qty" : undefined,
    },
    { required: "triggerPrice", when: "when type is trigger", applies: ({ type }) => type === "trigger" },
    ...strategyRules,
    {
      required: "triggerOrderPrice",
      when: "when triggerOrderType is limit",
      applies: ({ type, triggerOrderType }) => type === "trigger" && triggerOrderType === "limit",
    },
    { required: "qty", when: "when tpslMode is partial", applies: ({ tpslMode }) => tpslMode === "partial" },
  ],
});

export const modifyStrategyOrder = writeEndpoint({
  ...WRITE,
  name: "modifyStrategyOrder",
  doc: "Changes a strategy order of the types tpsl and trigger; the others have no parameters for changes",
  path: "/api/v3/trade/modify-strategy-order",
  parameters: {
    ...unifiedOrderIds,
    ...whereToLook,
    qty: required(
      "Quantity in base coin: of a partial tpsl and of a trigger the new one, else the present one",
      amount("zero or more"),
    ),
    ...tpslParameters(amount("zero or more")),
    ...trigger,
  },
  rules: [
    orderIdOrClientOid,
    {
      required: "triggerOrderPrice",
      when: "when triggerOrderType is limit",
      applies: ({ triggerOrderType }) => triggerOrderType === "limit",
    },
  ],
});

export const cancelStrategyOrder = writeEndpoint({
  ...WRITE,
  name: "cancelStrategyOrder",
  doc: "Cancels a strategy order",
  path: "/api/v3/trade/cancel-strategy-order",
  parameters: { ...unifiedOrderIds, ...whereToLook },
  rules: [orderIdOrClientOid],
  data: nothing,
});

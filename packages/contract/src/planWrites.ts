import { classicResults } from "./bulkWrites.js";
import { nothing } from "./codec.js";
import { exact } from "./decimal.js";
import { endpoint, perSecond } from "./endpoint.js";
import { orderAck } from "./order.js";
import { amount, capitalCoinName, maybe, oneOf, required, structure, symbolName, unsent } from "./parameter.js";
import { FUTURES_ORDERS_WRITE, UNIFIED_TRADE_WRITE } from "./permissions.js";
import { strategyParameters, strategyRules } from "./strategyParameters.js";
import {
  classicClientOid,
  lowerCaseProductType,
  orderIdOrClientOid,
  orderIdText,
  productType,
  unifiedClientOid,
} from "./trading.js";
import {
  CLASSIC_TPSL_PLANS,
  CLASSIC_TRIGGER_PRICES,
  FUTURES_CATEGORIES,
  MARGIN_MODES,
  ORDER_SIDES,
  ORDER_TYPES,
  PLAN_HOLD_SIDES,
  POSITION_SIDES,
  PRODUCT_CATEGORIES,
  STP_MODES,
  STRATEGY_TYPES,
  TRIGGER_PRICES,
} from "./vocabulary.js";

const FUTURES: readonly string[] = FUTURES_CATEGORIES;

const strategyOrderIds = {
  orderId: maybe("Identifier of the strategy order; decides when both are given", orderIdText()),
  clientOid: maybe("The client's own identifier", unifiedClientOid()),
};

/** The calls name an order alone, and the lists are by category. */
const whereToLook = {
  category: maybe("Product category of the list that has it; not sent", unsent(oneOf(PRODUCT_CATEGORIES))),
};

/** Take-profit and stop-loss of a position. */
const exits = (price: ReturnType<typeof amount>) => ({
  takeProfit: maybe("Trigger price of the take-profit", price),
  stopLoss: maybe("Trigger price of the stop-loss", price),
  tpTriggerBy: maybe("What the take-profit looks at", oneOf(TRIGGER_PRICES, { fallback: "market" })),
  slTriggerBy: maybe("What the stop-loss looks at", oneOf(TRIGGER_PRICES, { fallback: "market" })),
  tpOrderType: maybe("How the take-profit leaves", oneOf(ORDER_TYPES)),
  slOrderType: maybe("How the stop-loss leaves", oneOf(ORDER_TYPES)),
  tpLimitPrice: maybe("Limit price of the take-profit", amount()),
  slLimitPrice: maybe("Limit price of the stop-loss", amount()),
});

/** The trigger of an order that is placed at a price, and that order. */
const trigger = {
  triggerPrice: maybe("Trigger price of that order", amount()),
  triggerBy: maybe("What its trigger looks at", oneOf(TRIGGER_PRICES, { fallback: "market" })),
  triggerOrderType: maybe("How that order acts", oneOf(ORDER_TYPES, { fallback: "market" })),
  triggerOrderPrice: maybe("Its limit price", amount()),
};

export const placeStrategyOrder = endpoint({
  name: "placeStrategyOrder",
  doc: "Places a strategy order: exits of a position, an order that waits for a trigger price, or one of the kinds with own terms",
  method: "POST",
  path: "/api/v3/trade/place-strategy-order",
  permissions: UNIFIED_TRADE_WRITE,
  rate: perSecond(10, "UID"),
  parameters: {
    category: required("Product category", oneOf(PRODUCT_CATEGORIES)),
    symbol: required("Symbol name", symbolName()),
    posSide: maybe("Position side", oneOf(POSITION_SIDES)),
    type: maybe("Kind of strategy order", oneOf(STRATEGY_TYPES, { fallback: "tpsl" })),
    tpslMode: maybe("The whole position, or a part of it", oneOf(["full", "partial"], { fallback: "full" })),
    qty: maybe("Quantity in base coin", amount()),
    ...exits(amount()),
    side: maybe("Side of its orders; not for tpsl", oneOf(ORDER_SIDES)),
    reduceOnly: maybe("May its orders only make a position smaller?", oneOf(["yes", "no"], { fallback: "no" })),
    ...trigger,
    ...strategyParameters,
    clientOid: maybe("The client's own identifier", unifiedClientOid()),
  },
  rules: [
    {
      says: "must be given: takeProfit, stopLoss or both",
      broken: ({ type = "tpsl", takeProfit, stopLoss }) =>
        type === "tpsl" && takeProfit === undefined && stopLoss === undefined ? "takeProfit" : undefined,
    },
    {
      says: "must be given when type is tpsl",
      broken: ({ type = "tpsl", posSide }) => (type === "tpsl" && posSide === undefined ? "posSide" : undefined),
    },
    {
      says: "must be a futures category when type is tpsl",
      broken: ({ type = "tpsl", category }) => (type === "tpsl" && !FUTURES.includes(category) ? "category" : undefined),
    },
    {
      says: "must be given unless type is tpsl",
      broken: ({ type = "tpsl", side, qty }) =>
        type === "tpsl" ? undefined : side === undefined ? "side" : qty === undefined ? "qty" : undefined,
    },
    {
      says: "must be given when type is trigger",
      broken: ({ type, triggerPrice }) => (type === "trigger" && triggerPrice === undefined ? "triggerPrice" : undefined),
    },
    ...strategyRules,
    {
      says: "must be given when triggerOrderType is limit",
      broken: ({ type, triggerOrderType, triggerOrderPrice }) =>
        type === "trigger" && triggerOrderType === "limit" && triggerOrderPrice === undefined ? "triggerOrderPrice" : undefined,
    },
    {
      says: "must be given when tpslMode is partial",
      broken: ({ tpslMode, qty }) => (tpslMode === "partial" && qty === undefined ? "qty" : undefined),
    },
  ],
  data: orderAck,
});

export const modifyStrategyOrder = endpoint({
  name: "modifyStrategyOrder",
  doc: "Changes a strategy order of the types tpsl and trigger; the others have no parameters for changes",
  method: "POST",
  path: "/api/v3/trade/modify-strategy-order",
  permissions: UNIFIED_TRADE_WRITE,
  rate: perSecond(10, "UID"),
  parameters: {
    ...strategyOrderIds,
    ...whereToLook,
    qty: required(
      "Quantity in base coin: of a partial tpsl and of a trigger the new one, else the present one",
      amount("zero or more"),
    ),
    ...exits(amount("zero or more")),
    ...trigger,
  },
  rules: [
    orderIdOrClientOid,
    {
      says: "must be given when triggerOrderType is limit",
      broken: ({ triggerOrderType, triggerOrderPrice }) =>
        triggerOrderType === "limit" && triggerOrderPrice === undefined ? "triggerOrderPrice" : undefined,
    },
  ],
  data: orderAck,
});

export const cancelStrategyOrder = endpoint({
  name: "cancelStrategyOrder",
  doc: "Cancels a strategy order",
  method: "POST",
  path: "/api/v3/trade/cancel-strategy-order",
  permissions: UNIFIED_TRADE_WRITE,
  rate: perSecond(10, "UID"),
  parameters: { ...strategyOrderIds, ...whereToLook },
  rules: [orderIdOrClientOid],
  data: nothing,
});

/** Trigger orders for a given quantity; the others apply to the whole position. */
const SIZED_PLANS: readonly string[] = ["profit_plan", "loss_plan", "moving_plan"];

export const placeTpslOrder = endpoint({
  name: "placeTpslOrder",
  doc: "Places a take-profit, stop-loss or trailing stop on a Classic futures position",
  method: "POST",
  path: "/api/v2/mix/order/place-tpsl-order",
  permissions: FUTURES_ORDERS_WRITE,
  rate: perSecond(10, "UID"),
  parameters: {
    marginCoin: required("Margin coin, in capitals", capitalCoinName()),
    productType: lowerCaseProductType,
    symbol: required("Symbol name", symbolName()),
    planType: required(
      "Take-profit or stop-loss of a quantity or of the position, or a trailing stop",
      oneOf(CLASSIC_TPSL_PLANS),
    ),
    triggerPrice: required("The price to wait for", amount()),
    triggerType: maybe(
      "What the trigger price is compared with: the last trade or the mark price",
      oneOf(CLASSIC_TRIGGER_PRICES),
    ),
    executePrice: maybe("Limit price once triggered; 0 or none: at market", amount("zero or more")),
    holdSide: required(
      "The position: long or short in hedge mode, buy (long) or sell (short) in one-way mode",
      oneOf(PLAN_HOLD_SIDES),
    ),
    size: maybe("Quantity in base coin; not needed for a plan on the whole position", amount("zero or more")),
    rangeRate: maybe("How far the trailing stop stays behind", amount()),
    clientOid: maybe("The client's own identifier", classicClientOid()),
    stpMode: maybe("What happens when it would trade with the account's own orders", oneOf(STP_MODES, { fallback: "none" })),
  },
  rules: [
    {
      says: "must not be given when planType is moving_plan, which acts at market alone",
      broken: ({ planType, executePrice }) =>
        planType === "moving_plan" && executePrice !== undefined ? "executePrice" : undefined,
    },
    {
      says: "must be given and greater than 0 when planType is profit_plan, loss_plan or moving_plan",
      broken: ({ planType, size = "0" }) => (SIZED_PLANS.includes(planType) && !amount().accepts(size) ? "size" : undefined),
    },
    {
      says: "must be given when planType is moving_plan",
      broken: ({ planType, rangeRate }) => (planType === "moving_plan" && rangeRate === undefined ? "rangeRate" : undefined),
    },
  ],
  data: orderAck,
});

/** Either identifier of a Classic trigger order. */
const planOrderIds = {
  orderId: maybe("Identifier of the trigger order; decides when both are given", orderIdText()),
  clientOid: maybe("The client's own identifier", classicClientOid()),
};

export const classicPlacePlanOrder = endpoint({
  name: "classicPlacePlanOrder",
  doc: "Places a Classic futures order that waits for a trigger price, or that trails the price",
  method: "POST",
  path: "/api/v2/mix/order/place-plan-order",
  permissions: FUTURES_ORDERS_WRITE,
  rate: perSecond(10, "UID"),
  parameters: {
    planType: required("An order at a trigger price, or a trailing one", oneOf(["normal_plan", "track_plan"])),
    symbol: required("Symbol name", symbolName()),
    productType,
    marginMode: required("Margin mode", oneOf(MARGIN_MODES)),
    marginCoin: required("Margin coin", capitalCoinName()),
    size: required("Quantity in base coin", amount()),
    price: maybe("Limit price; not for a trailing order", amount()),
    callbackRatio: maybe("Distance of a trailing order, in percent", amount()),
    triggerPrice: required("Trigger price; a trailing order begins to follow there", amount()),
    triggerType: required("What the trigger price is compared with", oneOf(CLASSIC_TRIGGER_PRICES)),
    side: required("Side in the market in one-way mode, direction of the position in hedge mode", oneOf(ORDER_SIDES)),
    tradeSide: maybe("Whether a position is opened or closed; hedge mode alone", oneOf(["open", "close"])),
    orderType: required("How its order acts", oneOf(ORDER_TYPES)),
    clientOid: maybe("The client's own identifier", classicClientOid()),
    reduceOnly: maybe("Only make the position smaller; one-way mode alone", oneOf(["yes", "no"], { fallback: "no" })),
    stpMode: maybe("What happens when it would trade with the account's own orders", oneOf(STP_MODES, { fallback: "none" })),
  },
  rules: [
    {
      says: "must be given for a limit order",
      broken: ({ orderType, price }) => (orderType === "limit" && price === undefined ? "price" : undefined),
    },
    {
      says: "must be market for a trailing order",
      broken: ({ planType, orderType }) => (planType === "track_plan" && orderType !== "market" ? "orderType" : undefined),
    },
    {
      says: "must be given for a trailing order, at most 10 percent",
      broken: ({ planType, callbackRatio }) =>
        planType === "track_plan" && (callbackRatio === undefined || exact(callbackRatio).gt("10")) ? "callbackRatio" : undefined,
    },
  ],
  data: orderAck,
});

export const classicModifyPlanOrder = endpoint({
  name: "classicModifyPlanOrder",
  doc: "Changes a Classic futures order that waits for a trigger price, or that trails the price",
  method: "POST",
  path: "/api/v2/mix/order/modify-plan-order",
  permissions: FUTURES_ORDERS_WRITE,
  rate: perSecond(10, "UID"),
  parameters: {
    ...planOrderIds,
    productType,
    symbol: maybe("Symbol of the list that has it; not sent", unsent(symbolName())),
    planType: maybe("Kind of the list that has it; not sent", unsent(oneOf(["normal_plan", "track_plan"]))),
    newSize: maybe("New quantity in base coin", amount()),
    newPrice: maybe("New limit price", amount()),
    newCallbackRatio: maybe("New distance of a trailing order, in percent", amount()),
    newTriggerPrice: maybe("New trigger price", amount()),
    newTriggerType: maybe("What it is compared with", oneOf(CLASSIC_TRIGGER_PRICES)),
  },
  rules: [
    orderIdOrClientOid,
    {
      says: "must be given with newTriggerType",
      broken: ({ newTriggerType, newTriggerPrice }) =>
        newTriggerType !== undefined && newTriggerPrice === undefined ? "newTriggerPrice" : undefined,
    },
  ],
  data: orderAck,
});

export const classicModifyTpslOrder = endpoint({
  name: "classicModifyTpslOrder",
  doc: "Changes a take-profit or stop-loss of a Classic futures position",
  method: "POST",
  path: "/api/v2/mix/order/modify-tpsl-order",
  permissions: FUTURES_ORDERS_WRITE,
  rate: perSecond(10, "UID"),
  parameters: {
    ...planOrderIds,
    marginCoin: required("Margin coin", capitalCoinName()),
    productType,
    symbol: required("Symbol name", symbolName()),
    triggerPrice: required("New trigger price", amount()),
    triggerType: maybe("What it is compared with", oneOf(CLASSIC_TRIGGER_PRICES)),
    executePrice: maybe("New limit price; 0 or none: at market", amount("zero or more")),
    size: maybe("New quantity in base coin; empty for the whole position", amount()),
  },
  rules: [orderIdOrClientOid],
  data: orderAck,
});

interface PlanIds {
  readonly orderId?: string;
  readonly clientOid?: string;
}

/** A list of trigger orders, each by one id or both. */
function readPlanIds(wire: unknown): readonly PlanIds[] | undefined {
  if (!Array.isArray(wire) || wire.length === 0) return undefined;
  const named = (item: unknown): item is PlanIds => {
    if (typeof item !== "object" || item === null) return false;
    const { orderId, clientOid } = item as Readonly<Record<string, unknown>>;
    const given = [orderId, clientOid].filter((id) => id !== undefined && id !== null && id !== "");
    return given.length > 0 && given.every((id) => typeof id === "string");
  };
  return wire.every(named) ? wire : undefined;
}

export const classicCancelPlanOrders = endpoint({
  name: "classicCancelPlanOrders",
  doc: "Cancels trigger orders: those listed, or all of a kind",
  method: "POST",
  path: "/api/v2/mix/order/cancel-plan-order",
  permissions: FUTURES_ORDERS_WRITE,
  rate: perSecond(10, "UID"),
  parameters: {
    productType,
    symbol: maybe("Symbol name", symbolName()),
    marginCoin: maybe("Margin coin", capitalCoinName()),
    planType: maybe(
      "Kind of plan; profit_loss means every take-profit and stop-loss",
      oneOf(["normal_plan", "track_plan", "profit_loss", ...CLASSIC_TPSL_PLANS], { fallback: "normal_plan" }),
    ),
    orderIdList: maybe(
      "The plans to cancel",
      structure("a list of trigger orders, each with an orderId or a clientOid", readPlanIds),
    ),
  },
  // Each trigger order succeeds or fails by itself, inside a successful envelope; a failure has no code.
  data: classicResults,
});

import { classicResults } from "./bulkWrites.js";
import { exact } from "./decimal.js";
import { perSecond, writeEndpoint } from "./endpoint.js";
import { orderAck } from "./order.js";
import { amount, capitalCoinName, maybe, oneOf, required, structure, symbolName, unsent } from "./parameter.js";
import { FUTURES_ORDERS_WRITE } from "./permissions.js";
import {
  classicClientOid,
  classicOrderIds,
  limitPrice,
  lowerCaseProductType,
  orderIdOrClientOid,
  productType,
  reduceOnly,
  stpMode,
} from "./trading.js";
import {
  CLASSIC_TPSL_PLANS,
  CLASSIC_TRIGGER_PRICES,
  MARGIN_MODES,
  ORDER_SIDES,
  ORDER_TYPES,
  PLAN_HOLD_SIDES,
} from "./vocabulary.js";

/** Trigger orders of a Classic account on futures. */

/** Trigger orders for a given quantity; the others apply to the whole position. */
const SIZED_PLANS: readonly string[] = ["profit_plan", "loss_plan", "moving_plan"];

const WRITE = { permissions: FUTURES_ORDERS_WRITE, rate: perSecond(10, "UID"), data: orderAck } as const;

export const placeTpslOrder = writeEndpoint({
  ...WRITE,
  name: "placeTpslOrder",
  doc: "Places a take-profit, stop-loss or trailing stop on a Classic futures position",
  path: "/api/v2/mix/order/place-tpsl-order",
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
    stpMode,
  },
  rules: [
    {
      rule: "must not be given when planType is moving_plan, which has no limit price",
      broken: ({ planType, executePrice }) =>
        planType === "moving_plan" && executePrice !== undefined ? "executePrice" : undefined,
    },
    {
      rule: "must be given and greater than 0 when planType is profit_plan, loss_plan or moving_plan",
      broken: ({ planType, size = "0" }) => (SIZED_PLANS.includes(planType) && !amount().accepts(size) ? "size" : undefined),
    },
    { required: "rangeRate", when: "when planType is moving_plan", applies: ({ planType }) => planType === "moving_plan" },
  ],
});

export const classicPlacePlanOrder = writeEndpoint({
  ...WRITE,
  name: "classicPlacePlanOrder",
  doc: "Places a Classic futures order that waits for a trigger price, or that trails the price",
  path: "/api/v2/mix/order/place-plan-order",
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
    reduceOnly,
    stpMode,
  },
  rules: [
    limitPrice,
    {
      rule: "must be market for a trailing order",
      broken: ({ planType, orderType }) => (planType === "track_plan" && orderType !== "market" ? "orderType" : undefined),
    },
    {
      rule: "must be given for a trailing order, at most 10 percent",
      broken: ({ planType, callbackRatio }) =>
        planType === "track_plan" && (callbackRatio === undefined || exact(callbackRatio).gt("10")) ? "callbackRatio" : undefined,
    },
  ],
});

export const classicModifyPlanOrder = writeEndpoint({
  ...WRITE,
  name: "classicModifyPlanOrder",
  doc: "Changes a Classic futures order that waits for a trigger price, or that trails the price",
  path: "/api/v2/mix/order/modify-plan-order",
  parameters: {
    ...classicOrderIds,
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
    { required: "newTriggerPrice", when: "with newTriggerType", applies: ({ newTriggerType }) => newTriggerType !== undefined },
  ],
});

export const classicModifyTpslOrder = writeEndpoint({
  ...WRITE,
  name: "classicModifyTpslOrder",
  doc: "Changes a take-profit or stop-loss of a Classic futures position",
  path: "/api/v2/mix/order/modify-tpsl-order",
  parameters: {
    ...classicOrderIds,
    marginCoin: required("Margin coin", capitalCoinName()),
    productType,
    symbol: required("Symbol name", symbolName()),
    triggerPrice: required("New trigger price", amount()),
    triggerType: maybe("What it is compared with", oneOf(CLASSIC_TRIGGER_PRICES)),
    executePrice: maybe("New limit price; 0 or none: at market", amount("zero or more")),
    size: maybe("New quantity in base coin; empty for the whole position", amount()),
  },
  rules: [orderIdOrClientOid],
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
    const identifiers = [orderId, clientOid].filter((id) => id !== undefined && id !== null && id !== "");
    return identifiers.length > 0 && identifiers.every((id) => typeof id === "string");
  };
  return wire.every(named) ? wire : undefined;
}

export const classicCancelPlanOrders = writeEndpoint({
  ...WRITE,
  name: "classicCancelPlanOrders",
  doc: "Cancels trigger orders: those listed, or all of a kind",
  path: "/api/v2/mix/order/cancel-plan-order",
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

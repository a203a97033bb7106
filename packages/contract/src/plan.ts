import {
  type Codec,
  type Decoded,
  decimalAboveZero,
  id,
  mapped,
  needed,
  optionalDecimal,
  optionalText,
  optionalTime,
  optionalToken,
  text,
  token,
} from "./codec.js";
import { tpslTerms } from "./order.js";
import { optionalPercent } from "./percent.js";
import { record, withWireKeys } from "./record.js";
import { icebergTerms, ocoTerms, strategyTerms, trailingStopTerms, twapTerms } from "./strategyTerms.js";
import { asExecuted, marginMode, positionTerms, tpslOrderType, type WithoutCategory } from "./trading.js";
import {
  ORDER_SIDES,
  ORDER_STATUS_WIRE_NAMES,
  ORDER_TYPES,
  PLAN_STATUS_WIRE_NAMES,
  PLAN_STATUSES,
  PLAN_TYPE_WIRE_NAMES,
  PLAN_TYPES,
  PRODUCT_CATEGORIES,
  SUB_ORDER_STATUSES,
  TPSL_ROLES,
  TRIGGER_PRICE_WIRE_NAMES,
  TRIGGER_PRICES,
} from "./vocabulary.js";

/**
 * An order that waits for a price, or that the exchange executes in parts: a strategy order of v3, a plan of Classic. v3 has
 * `tpsl`, with a take-profit, a stop-loss or both, `trigger`, an order that is placed at its price, and orders with terms of their
 * own; Classic has a plan for each exit, and also trailing stops and opening orders. With either API version, the prices of exits
 * are in the `takeProfit` or `stopLoss` fields.
 */
const fields = {
  orderId: id("The exchange's identifier of the trigger order"),
  clientOid: optionalText("The client's own identifier of the trigger order"),
  symbol: text("Symbol name, for example `BTCUSDT`"),
  planType: optionalToken("Kind of trigger order", PLAN_TYPES, PLAN_TYPE_WIRE_NAMES),
  status: optionalToken(
    "State of the trigger order (`planStatus`, `status`); null in the history of unified accounts",
    PLAN_STATUSES,
    PLAN_STATUS_WIRE_NAMES,
    "planStatus",
    "status",
  ),
  side: optionalToken("What it will do in the market; null where the exchange does not say", ORDER_SIDES),
  ...positionTerms,
  orderType: optionalToken(
    "How it acts: at a limit price or at market; of `TPSL`, see `takeProfit` and `stopLoss` (also spelt `triggerOrderType`)",
    ORDER_TYPES,
  ),
  qty: needed(decimalAboveZero("Quantity, in base coin; null for the whole position (Classic: `size`)")),
  triggerPrice: needed(decimalAboveZero("The price that it waits for; of `TPSL`, see `takeProfit` and `stopLoss`")),
  triggerBy: optionalToken(
    "The price that the trigger is compared with (Classic: `triggerType`)",
    TRIGGER_PRICES,
    TRIGGER_PRICE_WIRE_NAMES,
  ),
  executePrice: needed(
    decimalAboveZero("Limit price once triggered, in quote coin; null when it acts at market (also spelt `triggerOrderPrice`)"),
  ),
  callbackRate: needed(
    optionalPercent(
      "How far a trailing stop stays behind the price, as a fraction (`callbackRatio`, in percent)",
      "callbackRatio",
    ),
  ),
  takeProfit: needed(decimalAboveZero("Trigger price of the take-profit")),
  stopLoss: needed(decimalAboveZero("Trigger price of the stop-loss")),
  ...tpslTerms,
  marginMode: marginMode("Margin mode; Classic only"),
  marginCoin: optionalText("Margin coin; Classic only"),
  orderSource: optionalText("Where it came from, in the exchange's word; Classic only"),
  enterPointSource: optionalText("What it was entered with, such as API or WEB; Classic only"),
  executeOrderId: optionalText("Identifier of the order that its trigger placed; history of Classic accounts only"),
  createdTime: optionalTime("When it was placed (Classic: `cTime`)"),
  updatedTime: optionalTime("When it last changed (Classic: `uTime`)", "updatedTime", "createdTime"),
};

const strategyOrder = record({
  category: token("Product category that it trades in", PRODUCT_CATEGORIES),
  ...withWireKeys(fields, {
    planType: ["type"],
    orderType: ["orderType", "triggerOrderType"],
    executePrice: ["executePrice", "triggerOrderPrice"],
  }),
  triggeredExit: optionalToken(
    "Whether its take-profit or its stop-loss was triggered; history of unified accounts only",
    TPSL_ROLES,
    undefined,
    "triggerType",
  ),
  oco: strategyTerms("Terms of an OCO order", ocoTerms, "ocoParams"),
  trailingStop: strategyTerms("Terms of a trailing stop", trailingStopTerms, "trailingStopParams"),
  iceberg: strategyTerms("Terms of an iceberg order", icebergTerms, "icebergParams"),
  twap: strategyTerms("Terms of a TWAP order", twapTerms, "twapParams"),
});
export type PlanOrder = Decoded<typeof strategyOrder>;

/** v3 omits the kind in places. Take-profit and stop-loss each have an order type of their own. */
function kindOf({ planType, oco, trailingStop, iceberg, twap, ...plan }: PlanOrder): PlanOrder["planType"] {
  if (planType !== null) return planType;
  if (oco !== null) return "oco";
  if (trailingStop !== null) return "trailing_stop";
  if (iceberg !== null) return "iceberg";
  if (twap !== null) return "twap";
  return plan.orderType === null && plan.executePrice === null && plan.triggerPrice === null ? "tpsl" : "normal_plan";
}

/** The trigger and the placed order of kinds that have them among their own terms. */
function triggerOf({ oco, trailingStop, twap }: PlanOrder) {
  if (oco !== null) {
    const { triggerPrice, orderType, orderTypeRaw, executePrice } = oco;
    return { triggerPrice, orderType, orderTypeRaw, executePrice };
  }
  if (trailingStop !== null) {
    const { activationPrice, callbackRate, orderType, orderTypeRaw, executePrice } = trailingStop;
    return { triggerPrice: activationPrice, callbackRate, orderType, orderTypeRaw, executePrice };
  }
  return twap === null ? {} : { triggerPrice: twap.triggerPrice };
}

export const planOrder: Codec<PlanOrder> = mapped(strategyOrder, (plan) => ({
  ...plan,
  ...triggerOf(plan),
  planType: kindOf(plan),
}));

/** v3's list of open ones lacks the status in places. */
export const openPlanOrder: Codec<PlanOrder> = mapped(planOrder, (plan) => ({ ...plan, status: plan.status ?? "live" }));

const classicPlan = record({
  ...withWireKeys(fields, {
    holdMode: ["posMode"],
    qty: ["size"],
    triggerBy: ["triggerType"],
    takeProfit: ["stopSurplusTriggerPrice"],
    tpTriggerBy: ["stopSurplusTriggerType"],
    tpLimitPrice: ["stopSurplusExecutePrice"],
    stopLoss: ["stopLossTriggerPrice"],
    slTriggerBy: ["stopLossTriggerType"],
    slLimitPrice: ["stopLossExecutePrice"],
    createdTime: ["cTime"],
    updatedTime: ["uTime", "cTime"],
  }),
  price: needed(decimalAboveZero("Limit price of a plan that opens")),
});

const TAKES_PROFIT: readonly (string | null)[] = ["profit_plan", "pos_profit"];
const STOPS_LOSS: readonly (string | null)[] = ["loss_plan", "pos_loss"];

/** A Classic take-profit or stop-loss may have its prices in the general fields only. */
function toPlanOrder({ price, ...wire }: Decoded<typeof classicPlan>): WithoutCategory<PlanOrder> {
  const plan = { ...wire, executePrice: wire.executePrice ?? price };
  const none = { triggerPrice: null, executePrice: null, triggerBy: null, triggerByRaw: null };
  const profit = TAKES_PROFIT.includes(plan.planType) ? plan : none;
  const loss = STOPS_LOSS.includes(plan.planType) ? plan : none;
  const takeProfit = plan.takeProfit ?? profit.triggerPrice;
  const tpLimitPrice = plan.tpLimitPrice ?? profit.executePrice;
  const stopLoss = plan.stopLoss ?? loss.triggerPrice;
  const slLimitPrice = plan.slLimitPrice ?? loss.executePrice;
  return asExecuted({
    ...plan,
    takeProfit,
    tpLimitPrice,
    tpTriggerBy: plan.tpTriggerBy ?? profit.triggerBy,
    tpTriggerByRaw: plan.tpTriggerByRaw ?? profit.triggerByRaw,
    tpOrderType: tpslOrderType(takeProfit, tpLimitPrice),
    stopLoss,
    slLimitPrice,
    slTriggerBy: plan.slTriggerBy ?? loss.triggerBy,
    slTriggerByRaw: plan.slTriggerByRaw ?? loss.triggerByRaw,
    slOrderType: tpslOrderType(stopLoss, slLimitPrice),
    triggeredExit: null,
    triggeredExitRaw: null,
    oco: null,
    trailingStop: null,
    iceberg: null,
    twap: null,
  });
}

export const classicPlanOrder: Codec<WithoutCategory<PlanOrder>> = mapped(classicPlan, toPlanOrder);

/** An order that a strategy order has placed: an iceberg or TWAP order has many, others one. */
export const subOrder = record({
  subOrderId: id("The exchange's identifier of the order"),
  subClientOid: optionalText("The client's own identifier of the order"),
  category: token("Product category", PRODUCT_CATEGORIES),
  symbol: text("Symbol name, for example `BTCUSDT`"),
  side: optionalToken("Side of the order in the market", ORDER_SIDES),
  orderType: optionalToken("Whether it is a limit or a market order", ORDER_TYPES),
  posSide: positionTerms.posSide,
  status: optionalToken("State of the order; `live` while it is in the book", SUB_ORDER_STATUSES, {
    ...Object.fromEntries(
      Object.entries(ORDER_STATUS_WIRE_NAMES).flatMap(([word, status]) => (status === "new" ? [[word, "live"]] : [])),
    ),
    new: "live",
    pending: "live",
    partially_filled: "live",
    canceled: "cancelled",
  }),
  price: needed(decimalAboveZero("Limit price, in quote coin; null for a market order")),
  qty: needed(decimalAboveZero("Quantity, in base coin")),
  cumExecQty: needed(optionalDecimal("Quantity filled so far, in base coin")),
  avgPrice: decimalAboveZero("Average price of its fills, in quote coin; null before the first one"),
  createdTime: optionalTime("When it was placed"),
  updatedTime: optionalTime("When it last changed"),
});
export type SubOrder = Decoded<typeof subOrder>;

/**
 * v2 has fewer fields: the others are those of the trigger order, or unknown. `success` means that it was placed, not how it was
 * filled.
 */
export const classicSubOrder = record({
  orderId: id("The exchange's identifier of the order"),
  price: needed(decimalAboveZero("Limit price, in quote coin; null for a market order")),
  type: optionalToken("Whether it is a limit or a market order", ORDER_TYPES),
  status: optionalToken("State of the order", SUB_ORDER_STATUSES, {
    success: "placed",
    fail: "failed",
    canceled: "cancelled",
    in_progress: "live",
    in_progress_tracking: "live",
  }),
});

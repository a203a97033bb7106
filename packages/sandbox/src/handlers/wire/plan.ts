import { plain } from "@exchange-graph/contract/decimal";
import { STRATEGY_PARAMETER } from "@exchange-graph/contract/strategyTerms";
import { CLASSIC_TPSL_PLANS, type StrategyType } from "@exchange-graph/contract/vocabulary";
import type { Account } from "../../world/accounts.js";
import type { FuturesInstrument } from "../../world/catalogue/instrument.js";
import { ZERO } from "../../world/ledger.js";
import type { Side } from "../../world/market/listing.js";
import { averagePrice, isOpen, type Order } from "../../world/orders/order.js";
import type { Leg, Plan, PlanKind, Trigger } from "../../world/plans/plan.js";
import { closedBy, openedBy } from "../../world/positions/position.js";
import { classicTimes, orEmpty, orZero, picked, unifiedTimes } from "./fields.js";
import { orderTypeOf, unifiedTpsl } from "./order.js";

/** Trigger orders and strategy orders in both API versions. */

const legOf = ({ legs }: Plan, role: Leg["role"]): Leg | undefined => legs.find((leg) => leg.role === role);
const termsOf = (leg: Leg | undefined) => leg && { ...leg, triggerPrice: leg.trigger.price, triggerBy: leg.trigger.by };

/** What a trigger order is named by, and so the answer to a write. */
export const planIdsOf = ({ planId, clientOid }: Plan) => ({ orderId: planId, clientOid });

const TPSL_KINDS: readonly string[] = CLASSIC_TPSL_PLANS;

/** Whether a trigger order on futures is in this list of v2. */
export const isInClassicList = ({ kind }: Plan, list: PlanKind | "profit_loss" | undefined): boolean =>
  list === "profit_loss" ? TPSL_KINDS.includes(kind) : kind === list;

/** The list of v3 in which a trigger order appears. */
export const strategyType = ({ action, strategy }: Plan): StrategyType =>
  strategy?.kind ?? (action.kind === "close" ? "tpsl" : "trigger");

/** The terms of a strategy as they were sent: a list with one element, and empty lists for the other kinds. */
const strategyTerms = ({ strategy }: Plan) =>
  Object.fromEntries(
    Object.entries(STRATEGY_PARAMETER).map(([kind, name]) => {
      const params = strategy?.kind === kind ? strategy.params : undefined;
      const shown = Object.entries(params ?? {}).map(([key, value]: [string, unknown]) => [key, String(value)]);
      return [name, params === undefined ? [] : [Object.fromEntries(shown)]];
    }),
  );

/** v3's additional fields of a trigger order that places an order. */
function unifiedTrigger(plan: Plan) {
  const {
    action,
    strategy,
    legs: [leg],
  } = plan;
  if (action.kind === "close") return {};
  const { side, orderType, price } = action.request;
  if (strategy !== undefined) return { side, ...strategyTerms(plan) };
  return {
    side,
    triggerPrice: orEmpty(leg?.trigger.price),
    triggerBy: leg?.trigger.by ?? null,
    triggerOrderType: orderType,
    triggerOrderPrice: orEmpty(price),
  };
}

/** v3's words for the state of a strategy order. */
const UNIFIED_STATUS = {
  live: "pending",
  executing: "submitting",
  executed: "success",
  fail_execute: "failed",
  cancelled: "cancelled",
} as const satisfies Readonly<Record<Plan["status"], string>>;

/** v3, a waiting or running strategy order. */
export function unifiedPlan(plan: Plan) {
  return {
    type: strategyType(plan),
    ...unifiedTrigger(plan),
    status: UNIFIED_STATUS[plan.status],
    orderId: plan.planId,
    ...picked(plan, "clientOid", "category", "symbol"),
    qty: orEmpty(plan.quantity),
    posSide: (plan.action.kind === "close" ? plan.action.side : plan.action.request.posSide) ?? "",
    ...unifiedTpsl(termsOf(legOf(plan, "takeProfit")), termsOf(legOf(plan, "stopLoss"))),
    ...unifiedTimes(plan),
  };
}

/** v3, an ended trigger order. */
export const unifiedEndedPlan = (plan: Plan): unknown => ({
  ...unifiedPlan(plan),
  triggerType: triggeredExit(plan),
});

/** The take-profit or stop-loss that was reached; an order placed at its trigger price has none. */
export const triggeredExit = ({ triggered }: Plan): string =>
  triggered?.role === "takeProfit" || triggered?.role === "stopLoss" ? triggered.role : "";

/** v3, an order that a strategy order has placed. */
export const subOrder = (order: Order): unknown => ({
  subOrderId: order.orderId,
  subClientOid: order.clientOid,
  ...picked(order, "category", "symbol", "side", "orderType"),
  price: orEmpty(order.price),
  qty: plain(order.quantity),
  cumExecQty: plain(order.filledQuantity),
  avgPrice: orEmpty(order.filledQuantity.eq(ZERO) ? undefined : averagePrice(order)),
  posSide: order.position?.posSide ?? "",
  status: isOpen(order) ? "live" : order.status,
  ...unifiedTimes(order),
});

/** v2, an order that a trigger order has placed. */
export const classicSubOrder = (order: Order): unknown => ({
  orderId: order.orderId,
  price: orEmpty(order.price),
  type: order.orderType,
  status: isOpen(order) ? "in_progress" : order.status === "cancelled" ? "cancelled" : "success",
});

const CLASSIC_TRIGGER = { market: "fill_price", mark: "mark_price", index: "index_price" } as const satisfies Readonly<
  Record<Trigger["by"], string>
>;

/** The operation of a trigger order, in v2's values. In hedge mode the side is the direction of the position. */
function intent(plan: Plan, holdMode: string): { readonly side: Side; readonly posSide: string; readonly tradeSide: string } {
  const { action } = plan;
  if (action.kind === "close") {
    const isHedged = holdMode === "hedge_mode";
    const side = closedBy(action.side);
    return {
      side: isHedged ? openedBy(action.side) : side,
      posSide: action.side,
      tradeSide: isHedged ? "close" : `${side}_single`,
    };
  }
  const { side, posSide } = action.request;
  if (posSide === undefined) return { side, posSide: "net", tradeSide: `${side}_single` };
  const opens = side === openedBy(posSide);
  return { side: openedBy(posSide), posSide, tradeSide: opens ? "open" : "close" };
}

/** v2 futures, a trigger order in any state. */
export function classicPlan(plan: Plan, account: Account, { contract }: FuturesInstrument) {
  const holdMode = account.holdMode(contract.category);
  const leg = plan.legs[0];
  const profit = classicTpsl(legOf(plan, "takeProfit"));
  const loss = classicTpsl(legOf(plan, "stopLoss"));
  const orderType = plan.action.kind === "order" ? plan.action.request.orderType : leg && orderTypeOf(leg);
  const price = plan.action.kind === "close" ? leg?.limitPrice : plan.action.request.price;
  return {
    planType: plan.kind,
    ...picked(plan, "symbol", "clientOid"),
    size: orEmpty(plan.quantity),
    orderId: plan.planId,
    // A price of zero means the market price.
    price: orZero(price),
    executePrice: orZero(price),
    callbackRatio: orEmpty(plan.trail?.distance),
    triggerPrice: orEmpty(leg?.trigger.price),
    triggerType: leg === undefined ? "" : CLASSIC_TRIGGER[leg.trigger.by],
    planStatus: plan.status,
    ...intent(plan, holdMode),
    marginCoin: contract.marginCoin,
    marginMode: account.setting(contract.category, plan.symbol).marginMode,
    enterPointSource: "API",
    posMode: holdMode,
    orderType: orderType ?? "market",
    orderSource: plan.kind,
    ...classicTimes(plan),
    ...(plan.status === "live" ? {} : { executeOrderId: plan.orderId ?? "" }),
    stopSurplusExecutePrice: profit.limit,
    stopSurplusTriggerPrice: profit.trigger,
    stopSurplusTriggerType: profit.by,
    stopLossExecutePrice: loss.limit,
    stopLossTriggerPrice: loss.trigger,
    stopLossTriggerType: loss.by,
  };
}

/** The limit price of a take-profit or stop-loss, its trigger price and the type of that price. */
const classicTpsl = (leg: Leg | undefined) => ({
  limit: orEmpty(leg?.limitPrice),
  trigger: orEmpty(leg?.trigger.price),
  by: leg === undefined ? "" : CLASSIC_TRIGGER[leg.trigger.by],
});

/** v2 spot shows a waiting TP/SL order as an order with a trigger. */
export function classicSpotPlan(plan: Plan): unknown {
  const request = plan.action.kind === "order" ? plan.action.request : undefined;
  return {
    userId: plan.uid,
    ...picked(plan, "symbol", "clientOid", "status"),
    orderId: plan.planId,
    size: orEmpty(request?.amount ?? plan.quantity),
    orderType: request?.orderType ?? "market",
    side: request?.side ?? "",
    price: orZero(request?.price),
    priceAvg: orZero(request?.price),
    basePrice: "0",
    baseVolume: "0",
    quoteVolume: "0",
    enterPointSource: "API",
    orderSource: "tpsl",
    presetTakeProfitPrice: "",
    executeTakeProfitPrice: "",
    presetStopLossPrice: "",
    executeStopLossPrice: "",
    cancelReason: "",
    feeDetail: "",
    tpslType: "tpsl",
    triggerPrice: orEmpty(plan.legs[0]?.trigger.price),
    ...classicTimes(plan),
  };
}

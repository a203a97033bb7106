import { plain } from "@exchange-graph/contract/decimal";
import { classicTimes, orEmpty, orZero, withoutNulls } from "../../handlers/wire/fields.js";
import * as calls from "../../handlers/wire/plan.js";
import { ZERO } from "../../world/ledger.js";
import type { Plan, PlanKind } from "../../world/plans/plan.js";
import { closedBy } from "../../world/positions/position.js";
import { contractOf, type State } from "../../world/state.js";

/** Trigger orders in pushes. */

/** v3. Missing values are empty here, not null. */
export function unifiedPlan(plan: Plan): unknown {
  const shown = {
    triggerPrice: plan.triggered === undefined ? "" : plan.triggered.trigger.price.toFixed(),
    ...calls.unifiedPlan(plan),
  };
  return {
    ...withoutNulls(shown),
    side: plan.action.kind === "close" ? closedBy(plan.action.side) : plan.action.request.side,
    triggerType: calls.triggeredExit(plan),
  };
}

/** Kinds of trigger orders on futures in v2's pushes. */
const CLASSIC_KINDS: Partial<Readonly<Record<PlanKind, string>>> = {
  normal_plan: "pl",
  profit_plan: "tp",
  loss_plan: "sl",
  pos_profit: "ptp",
  pos_loss: "psl",
  track_plan: "track",
  moving_plan: "mtpsl",
};

/** Whether v2's pushes have this kind. */
export const isClassicPlan = ({ kind }: Plan): boolean => CLASSIC_KINDS[kind] !== undefined;

/** v2 futures. */
export function classicPlan(state: State, plan: Plan): unknown {
  const instrument = contractOf(state, plan.category, plan.symbol);
  const { symbol, planType, planStatus, stopSurplusExecutePrice, stopLossExecutePrice, orderSource, ...same } = calls.classicPlan(
    plan,
    state.accounts.of(plan.uid),
    instrument,
  );
  return {
    ...same,
    instId: symbol,
    planType: CLASSIC_KINDS[planType] ?? planType,
    status: planStatus,
    actualSize: plan.status === "executed" ? same.size : "0",
    triggerTime: plan.triggered === undefined ? "" : same.uTime,
    stopSurplusPrice: stopSurplusExecutePrice,
    stopLossPrice: stopLossExecutePrice,
    stpMode: plan.action.kind === "close" ? plan.action.stpMode : (plan.action.request.stpMode ?? "none"),
  };
}

/** v2 spot. */
export function classicSpotPlan(plan: Plan): unknown {
  const { action, legs, status } = plan;
  if (action.kind === "close") throw new Error(`the plan ${plan.planId} closes a position, which spot has not`);
  const { amount, price, orderType, side, stpMode = "none" } = action.request;
  return {
    instId: plan.symbol,
    orderId: plan.planId,
    clientOid: plan.clientOid,
    triggerPrice: orEmpty(legs[0]?.trigger.price),
    triggerType: legs[0]?.trigger.by === "mark" ? "mark_price" : "fill_price",
    planType: amount === undefined ? "amount" : "total",
    price: orZero(price),
    executePrice: orZero(price),
    size: plain(amount ?? plan.quantity ?? ZERO),
    orderType,
    side,
    status,
    enterPointSource: "API",
    stpMode,
    ...classicTimes(plan),
  };
}

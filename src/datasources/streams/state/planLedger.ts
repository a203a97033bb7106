import type { PlanOrder } from "@exchange-graph/contract/plan";
import {
  CLASSIC_PLAN_LISTS,
  FUTURES_CATEGORIES,
  PRODUCT_CATEGORIES,
  STRATEGY_TYPES,
  type StrategyType,
} from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../calls/index.js";
import { type MergeRules, merged } from "./merge.js";
import { byTime, type RecordKind, RecordLedger } from "./recordLedger.js";

const ENDS: ReadonlySet<string | null> = new Set(["executed", "fail_execute", "cancelled"]);
/** Whether it has ended. */
export const isPlanOver = ({ planStatus }: PlanOrder): boolean => ENDS.has(planStatus);

const CLEARABLE = ["takeProfit", "stopLoss", "tpTriggerBy", "slTriggerBy", "tpOrderType", "slOrderType", "tpLimitPrice"];
const RULES: MergeRules = {
  clearable: new Set([...CLEARABLE, "slLimitPrice", "qty", "executePrice", "callbackRate"]),
  restOnly: new Set(),
};

/** The lists of open trigger orders. */
export const planParts = (mode: AccountMode): readonly string[] =>
  mode === "UNIFIED"
    ? PRODUCT_CATEGORIES.flatMap((category) => STRATEGY_TYPES.map((type) => `${category} ${type}`))
    : FUTURES_CATEGORIES.flatMap((category) => CLASSIC_PLAN_LISTS.map((kind) => `${category} ${kind}`));

/** The list of a unified account that has this kind. */
export const strategyTypeOf = ({ planType }: Pick<PlanOrder, "planType">): StrategyType =>
  STRATEGY_TYPES.find((type) => type === planType) ?? "trigger";

/** The list of open trigger orders that has one. */
const planPart = (mode: AccountMode, { category, planType }: PlanOrder): string => {
  if (mode === "UNIFIED") return `${category} ${strategyTypeOf({ planType })}`;
  return `${category} ${planType === "normal_plan" || planType === "track_plan" ? planType : "profit_loss"}`;
};

/** Pushes may lack the terms of a kind. They do not change, and neither do the fields that are part of them. */
function withTerms(known: PlanOrder | undefined, plan: PlanOrder): PlanOrder {
  if (known === undefined || !hasOwnTerms(known) || hasOwnTerms(plan)) return plan;
  const { executePrice, callbackRate } = known;
  return { ...plan, executePrice, callbackRate };
}
const hasOwnTerms = ({ oco, trailingStop, iceberg, twap }: PlanOrder): boolean =>
  [oco, trailingStop, iceberg, twap].some((terms) => terms !== null);

const PLANS: Omit<RecordKind<PlanOrder>, "partOf"> = {
  keyOf: ({ orderId }) => orderId,
  hasEnded: isPlanOver,
  compared(plan, known) {
    // The history may lack the final status: the first end that was seen stays.
    if (isPlanOver(plan)) return isPlanOver(known) ? "SAME" : "LATER";
    const sequence = byTime(plan.updatedTime, known.updatedTime);
    const isSameMoment = plan.updatedTime === known.updatedTime && plan.planStatus === known.planStatus;
    return isSameMoment ? "SAME" : sequence;
  },
  rulesOf: () => RULES,
  merged: (known, plan, source) => merged(known, withTerms(known, plan), source, RULES),
  // Pushes lack some fields.
  leavesOut: (known) => (known === undefined ? "fields" : "nothing"),
  reportsUnknownEnds: true,
};

/** The open trigger orders of an account, and those that have ended recently. */
export const planLedger = (mode: AccountMode): RecordLedger<PlanOrder> =>
  new RecordLedger({ ...PLANS, partOf: (plan) => planPart(mode, plan) });

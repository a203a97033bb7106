import { classicPlanOrdersChannel, strategyOrderChannel } from "@exchange-graph/contract/channels/plan";
import { TPSL_FIELDS } from "@exchange-graph/contract/order";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { positions } from "@exchange-graph/contract/position";
import {
  CLASSIC_PLAN_LISTS,
  FUTURES_CATEGORIES,
  PRODUCT_CATEGORIES,
  STRATEGY_TYPES,
  type StrategyType,
} from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { FUTURES_PLANS, FUTURES_POSITIONS, type RequestReads, UNIFIED_PLANS } from "../../reads/index.js";
import { updateOf } from "../feeds/feed.js";
import { type PrivateState, source } from "../feeds/privateState.js";
import { NO_ROWS, openPlansIn, plansEnded } from "../reconcile.js";
import { isChanged, type MergeRules, merged } from "../state/merge.js";
import { byTime, RecordLedger, stateOf } from "../state/recordLedger.js";
import { privateChannel } from "./channel.js";

const ENDS: ReadonlySet<string | null> = new Set(["executed", "fail_execute", "cancelled"]);
const isPlanOver = ({ status }: PlanOrder): boolean => ENDS.has(status);

const RULES: MergeRules = {
  clearable: new Set([...TPSL_FIELDS, "qty", "executePrice", "callbackRate"]),
  restOnly: new Set(),
};

/** What a modification changes. */
const TERMS = ["clientOid", "qty", "triggerPrice", "triggerBy", "executePrice", "callbackRate", ...TPSL_FIELDS] as const;

/** The lists of open trigger orders. */
const planParts = (mode: AccountMode): readonly string[] =>
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

/** Keeps the fields that are part of the terms if a push lacks the terms, which never change. */
function withTerms(held: PlanOrder | undefined, plan: PlanOrder): PlanOrder {
  if (held === undefined || !hasOwnTerms(held) || hasOwnTerms(plan)) return plan;
  const { executePrice, callbackRate } = held;
  return { ...plan, executePrice, callbackRate };
}
const hasOwnTerms = ({ oco, trailingStop, iceberg, twap }: PlanOrder): boolean =>
  [oco, trailingStop, iceberg, twap].some((terms) => terms !== null);

/** The open trigger orders of an account, and those that have ended recently. */
const planLedger = (mode: AccountMode): RecordLedger<PlanOrder> =>
  new RecordLedger<PlanOrder>({
    keyOf: ({ orderId }) => orderId,
    hasEnded: isPlanOver,
    compared(plan, held, source) {
      // The history may lack the final status: the first end that was seen stays.
      if (isPlanOver(plan)) return isPlanOver(held) ? "SAME" : "LATER";
      if (plan.updatedTime !== held.updatedTime) return byTime(plan.updatedTime, held.updatedTime);
      if (!isChanged(held, withTerms(held, plan), source, RULES, ["status", ...TERMS])) return "SAME";
      return plan.updatedTime === null ? "UNDECIDED" : "TIED";
    },
    rulesOf: () => RULES,
    merged: (held, plan, source) => merged(held, withTerms(held, plan), source, RULES),
    // Pushes lack some fields.
    leavesOut: (held) => (held === undefined ? "fields" : "nothing"),
    reportsUnknownEnds: true,
    partOf: (plan) => planPart(mode, plan),
  });

type Plans = readonly PlanOrder[];

/**
 * Trigger orders: the open ones first, then each one that is placed, changes or ends. After a gap the list is read again, and the
 * outcome of each one that is gone from it.
 */
export function plansState(account: ExchangeAccount, mode: AccountMode): PrivateState<Plans> {
  const ledger = planLedger(mode);
  const accept = (plans: Plans) => updateOf(ledger.pushed(plans));
  return {
    sources:
      mode === "UNIFIED"
        ? [source(strategyOrderChannel, {}, [...UNIFIED_PLANS, positions], accept)]
        : FUTURES_CATEGORIES.map((category) =>
            source(classicPlanOrdersChannel, { category }, [...FUTURES_PLANS, ...FUTURES_POSITIONS], accept),
          ),
    ...stateOf(ledger),
    parts: planParts(mode),
    async read(reads: RequestReads, since, parts) {
      const reading = ledger.beginReading(reads);
      const [open, ended] = await Promise.all([
        openPlansIn(reads, account, parts),
        since === undefined ? NO_ROWS : plansEnded(reads, account, parts, since),
      ]);
      // An order that could not be decoded is not gone from the list.
      const missing = open.isWhole ? reading.missingIn(parts, [...open.rows, ...ended.rows]) : [];
      // The list of ended ones may be sorted by creation: one that has waited for long is further back in it.
      const all = missing.length > 0 ? await plansEnded(reads, account, parts, undefined) : NO_ROWS;
      const isMissing = new Set(missing.map(({ orderId }) => orderId));
      const found = all.rows.filter(({ orderId }) => isMissing.has(orderId));
      return () => {
        const changed = [...reading.take(open.rows), ...reading.takeEnded(ended.rows), ...reading.takeEnded(found)];
        const isWhole = open.isWhole && ended.isWhole && all.isWhole;
        // It may also be among the ended ones that could not be decoded.
        const isKnown = open.isWhole && all.isWhole;
        const lost = isKnown && missing.length > 0 ? reading.missingIn(parts, [...open.rows, ...ended.rows, ...found]) : [];
        for (const plan of lost) ledger.forget(plan);
        // One that cannot be found has no final state: only a whole list shows that it is gone.
        if (lost.length === 0) return { change: updateOf(changed), isWhole };
        return { change: { kind: "snapshot", value: [...ledger.open, ...changed.filter((plan) => !ledger.has(plan))] }, isWhole };
      };
    },
  };
}

export const planOrders = {
  ...privateChannel(() => plansState, {
    // Take-profits and stop-losses of whole positions.
    implies: new Map([[classicPlanOrdersChannel.name, ["positions"]]]),
  }),
  hasEnded: isPlanOver,
};

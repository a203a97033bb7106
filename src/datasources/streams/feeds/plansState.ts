import { classicPlanOrdersChannel, strategyOrderChannel } from "@exchange-graph/contract/channels/plan";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { positions } from "@exchange-graph/contract/position";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { FUTURES_PLANS, FUTURES_POSITIONS, type RequestReads, UNIFIED_PLANS } from "../../reads/index.js";
import { NO_ROWS, openPlansIn, plansEnded } from "../reconcile.js";
import { planLedger, planParts } from "../state/planLedger.js";
import { updateOf } from "./feed.js";
import { type PrivateState, source } from "./privateState.js";

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
    current: () => ledger.open,
    queryState: () => ledger.open,
    parts: planParts(mode),
    hasOpen: (part) => ledger.hasOpen(part),
    partialParts: () => ledger.partialParts,
    unchanged: () => [],
    async read(reads: RequestReads, since, parts) {
      const reading = ledger.beginReading();
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

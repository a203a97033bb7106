import { classicPlanOrdersChannel, strategyOrderChannel } from "@exchange-graph/contract/channels/plan";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { positions } from "@exchange-graph/contract/position";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { FUTURES_PLANS, FUTURES_POSITIONS, UNIFIED_PLANS } from "../../reads/readGroups.js";
import type { RequestReads } from "../../requestReads.js";
import { PlanLedger } from "../../state/planLedger.js";
import { allOpenPlans, NO_ROWS, plansEnded } from "../reconcile.js";
import { updateOf } from "./feed.js";
import { type PrivateState, source } from "./privateState.js";

type Plans = readonly PlanOrder[];

/**
 * Trigger orders: the open ones first, then each one that is placed, changes or ends. After a gap the list is read again, and the
 * outcome of each one that is gone from it.
 */
export function plansState(account: ExchangeAccount, mode: AccountMode): PrivateState<Plans> {
  const ledger = new PlanLedger();
  const accept = (plans: Plans) => updateOf(ledger.take(plans, "PUSH"));
  return {
    sources:
      mode === "UNIFIED"
        ? [source(strategyOrderChannel, {}, [...UNIFIED_PLANS, positions], accept)]
        : FUTURES_CATEGORIES.map((category) =>
            source(classicPlanOrdersChannel, { category }, [...FUTURES_PLANS, ...FUTURES_POSITIONS], accept),
          ),
    current: () => ledger.open,
    queryState: () => ledger.open,
    isPartial: () => ledger.isPartial,
    unchanged: () => [],
    async reconcile(reads: RequestReads, since) {
      const before = ledger.open;
      const [open, ended] = await Promise.all([
        allOpenPlans(reads, account),
        since === undefined ? NO_ROWS : plansEnded(reads, account, since),
      ]);
      const news = [...ledger.take(open.rows, "REST"), ...ledger.takeEnded(ended.rows)];
      const isWhole = open.isWhole && ended.isWhole;
      // An order that could not be decoded is not gone from the list.
      if (!open.isWhole) return { change: updateOf(news), isWhole };
      const listed = new Set(open.rows.map(({ orderId }) => orderId));
      const isGone = ({ orderId }: PlanOrder) => ledger.has(orderId) && !listed.has(orderId);
      // The list of ended ones may be sorted by creation: one that has waited for long is further back in it.
      if (before.some(isGone)) {
        const all = await plansEnded(reads, account, undefined);
        news.push(...ledger.takeEnded(all.rows.filter(isGone)));
        // It may also be among the ended ones that could not be decoded.
        if (!all.isWhole) return { change: updateOf(news), isWhole: false };
      }
      const lost = before.filter(isGone);
      for (const { orderId } of lost) ledger.forget(orderId);
      // One that cannot be found has no final state: only a whole list shows that it is gone.
      if (lost.length > 0)
        return {
          change: { kind: "snapshot", value: [...ledger.open, ...news.filter(({ orderId }) => !ledger.has(orderId))] },
          isWhole,
        };
      return { change: updateOf(news), isWhole };
    },
  };
}

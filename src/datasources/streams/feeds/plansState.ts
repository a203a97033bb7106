import { classicPlanOrdersChannel, strategyOrderChannel } from "@exchange-graph/contract/channels/plan";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { positions } from "@exchange-graph/contract/position";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { FUTURES_PLANS, FUTURES_POSITIONS, UNIFIED_PLANS } from "../../reads/readGroups.js";
import type { RequestReads } from "../../requestReads.js";
import { PlanLedger } from "../../state/planLedger.js";
import { allOpenPlans, NO_ROWS, plansEnded } from "../reconcile.js";
import type { Change } from "./feed.js";
import { type PrivateState, source } from "./privateState.js";

type Plans = readonly PlanOrder[];

/**
 * Trigger orders: those that wait first, then each that is placed, changes or ends. After a gap the list is read again, and
 * what became of each that is gone from it.
 */
export function plansState(account: ExchangeAccount, mode: AccountMode): PrivateState<Plans> {
  const ledger = new PlanLedger();
  const changeOf = (news: Plans): Change<Plans> | undefined => (news.length === 0 ? undefined : { kind: "update", value: news });
  const accept = (plans: Plans) => changeOf(ledger.take(plans, "PUSH"));
  return {
    sources:
      mode === "UNIFIED"
        ? [source(strategyOrderChannel, {}, [...UNIFIED_PLANS, positions], accept)]
        : FUTURES_CATEGORIES.map((category) =>
            source(classicPlanOrdersChannel, { category }, [...FUTURES_PLANS, ...FUTURES_POSITIONS], accept),
          ),
    current: () => ledger.open,
    known: () => ledger.open,
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
      // One that could not be read in the list is not gone from it.
      if (!open.isWhole) return { change: changeOf(news), isWhole };
      const listed = new Set(open.rows.map(({ orderId }) => orderId));
      const isGone = ({ orderId }: PlanOrder) => ledger.has(orderId) && !listed.has(orderId);
      // The list of ended plans may begin with their placing: one that had waited for long stands further back in it.
      if (before.some(isGone)) {
        const all = await plansEnded(reads, account, undefined);
        news.push(...ledger.takeEnded(all.rows.filter(isGone)));
        // Nor is it lost while it may be what could not be read of those that have ended.
        if (!all.isWhole) return { change: changeOf(news), isWhole: false };
      }
      const lost = before.filter(isGone);
      for (const { orderId } of lost) ledger.forget(orderId);
      // A plan without a trace has no last word: only the whole list says that it is gone.
      if (lost.length > 0)
        return {
          change: { kind: "snapshot", value: [...ledger.open, ...news.filter(({ orderId }) => !ledger.has(orderId))] },
          isWhole,
        };
      return { change: changeOf(news), isWhole };
    },
  };
}

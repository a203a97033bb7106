import { classicPlanOrdersChannel, strategyOrderChannel } from "@exchange-graph/contract/channels/plan";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../accounts/accountModes.js";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { growingLru } from "../../cache/lru.js";
import type { RequestReads } from "../../requestReads.js";
import { allOpenPlans, NO_ROWS, plansEnded } from "../reconcile.js";
import type { Change } from "./feed.js";
import { type PrivateState, source } from "./privateFeed.js";

/** More plans than the exchange lets an account have waiting. */
const MAX_OPEN = 10_000;
/** Plans that have ended are remembered, so that none is told twice and no late message brings one back to life. */
const MAX_ENDED = 5_000;

const ENDS: ReadonlySet<string | null> = new Set(["executed", "fail_execute", "cancelled"]);
const hasEnded = ({ planStatus }: PlanOrder): boolean => ENDS.has(planStatus);

type Plans = readonly PlanOrder[];

const isEarlier = ({ updatedTime: one }: PlanOrder, { updatedTime: other }: PlanOrder): boolean =>
  one !== null && other !== null && one < other;

/** The trigger orders of an account: those that wait, and those whose end was told lately. */
class PlanLedger {
  readonly #open = growingLru<PlanOrder>(MAX_OPEN);
  readonly #ended = growingLru<true>(MAX_ENDED);

  get open(): Plans {
    return [...this.#open.rvalues()].filter((one) => one !== undefined);
  }

  has(orderId: string): boolean {
    return this.#open.has(orderId);
  }

  /** Takes plans as they came; gives those that are news. */
  take(plans: Plans): Plans {
    return plans.filter((plan) => (hasEnded(plan) ? this.#end(plan) : this.#keep(plan)));
  }

  /** Takes plans off a list of those that have ended: it need not say of each how. */
  takeEnded(plans: Plans): Plans {
    return plans.filter((plan) => this.#end(plan));
  }

  /** The exchange no longer knows it. */
  forget(orderId: string): void {
    this.#open.delete(orderId);
  }

  #end({ orderId }: PlanOrder): boolean {
    if (this.#ended.has(orderId)) return false;
    this.#open.delete(orderId);
    this.#ended.set(orderId, true);
    return true;
  }

  #keep(plan: PlanOrder): boolean {
    const known = this.#open.peek(plan.orderId);
    const isOld =
      known !== undefined &&
      (isEarlier(plan, known) || (plan.updatedTime === known.updatedTime && plan.planStatus === known.planStatus));
    if (isOld || this.#ended.has(plan.orderId)) return false;
    this.#open.set(plan.orderId, plan);
    return true;
  }
}

/**
 * Trigger orders: those that wait first, then each that is placed, changes or ends. After a gap the list is read again, and
 * what became of each that is gone from it.
 */
export function plansState(account: ExchangeAccount, mode: AccountMode): PrivateState<Plans> {
  const ledger = new PlanLedger();
  const told = (news: Plans): Change<Plans> | undefined => (news.length === 0 ? undefined : { kind: "update", value: news });
  const accept = (plans: Plans) => told(ledger.take(plans));
  return {
    sources:
      mode === "UNIFIED"
        ? [source(strategyOrderChannel, {}, accept)]
        : FUTURES_CATEGORIES.map((category) => source(classicPlanOrdersChannel, { category }, accept)),
    current: () => ledger.open,
    unchanged: () => [],
    async reconcile(reads: RequestReads, since) {
      const before = ledger.open;
      const [open, ended] = await Promise.all([
        allOpenPlans(reads, account),
        since === undefined ? NO_ROWS : plansEnded(reads, account, since),
      ]);
      const news = [...ledger.take(open.rows), ...ledger.takeEnded(ended.rows)];
      const isWhole = open.isWhole && ended.isWhole;
      // One that could not be read in the list is not gone from it.
      if (!open.isWhole) return { change: told(news), isWhole };
      const listed = new Set(open.rows.map(({ orderId }) => orderId));
      const isGone = ({ orderId }: PlanOrder) => ledger.has(orderId) && !listed.has(orderId);
      // The list of ended plans may begin with their placing: one that had waited for long stands further back in it.
      if (before.some(isGone)) {
        const all = await plansEnded(reads, account, undefined);
        news.push(...ledger.takeEnded(all.rows.filter(isGone)));
        // Nor is it lost while it may be what could not be read of those that have ended.
        if (!all.isWhole) return { change: told(news), isWhole: false };
      }
      const lost = before.filter(isGone);
      for (const { orderId } of lost) ledger.forget(orderId);
      // A plan without a trace has no last word: only the whole list says that it is gone.
      if (lost.length > 0)
        return {
          change: { kind: "snapshot", value: [...ledger.open, ...news.filter(({ orderId }) => !ledger.has(orderId))] },
          isWhole,
        };
      return { change: told(news), isWhole };
    },
  };
}

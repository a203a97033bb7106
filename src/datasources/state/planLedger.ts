import type { PlanOrder } from "@exchange-graph/contract/plan";
import { growingLru } from "../cache/lru.js";
import { isSame, type MergeRules, merged, type NewsSource } from "./merge.js";

/** More plans than the exchange lets an account have waiting. */
const MAX_OPEN = 10_000;
/** Plans that have ended are remembered, so that none is reported twice and no late message brings one back to life. */
const MAX_ENDED = 5_000;

const ENDS: ReadonlySet<string | null> = new Set(["executed", "fail_execute", "cancelled"]);
/** Does it no longer wait? */
export const hasEnded = ({ planStatus }: PlanOrder): boolean => ENDS.has(planStatus);

type Plans = readonly PlanOrder[];

const CLEARABLE = ["takeProfit", "stopLoss", "tpTriggerBy", "slTriggerBy", "tpOrderType", "slOrderType", "tpLimitPrice"];
const RULES: MergeRules = {
  clearable: new Set([...CLEARABLE, "slLimitPrice", "qty", "executePrice", "callbackRate"]),
  restOnly: new Set(),
};

const isEarlier = ({ updatedTime: one }: PlanOrder, { updatedTime: other }: PlanOrder): boolean =>
  one !== null && other !== null && one < other;

/** The trigger orders of an account: those that wait, and those whose end was reported lately. */
export class PlanLedger {
  readonly #open = growingLru<PlanOrder>(MAX_OPEN);
  readonly #ended = growingLru<true>(MAX_ENDED);
  /** Open ones that are known from pushes alone: some fields are only in the lists. */
  readonly #partial = new Set<string>();

  /** Is something missing that only the lists say? */
  get isPartial(): boolean {
    return this.#partial.size > 0;
  }

  get open(): Plans {
    return [...this.#open.rvalues()].filter((one) => one !== undefined);
  }

  has(orderId: string): boolean {
    return this.#open.has(orderId);
  }

  /** Takes plans as they came; gives those that are news, each as a whole. */
  take(plans: Plans, source: NewsSource): Plans {
    return plans.flatMap((plan) => (hasEnded(plan) ? this.#end(plan, source) : this.#keep(plan, source)) ?? []);
  }

  /** Takes plans off a list of those that have ended: it need not say of each how. */
  takeEnded(plans: Plans): Plans {
    return plans.flatMap((plan) => this.#end(plan, "REST", true) ?? []);
  }

  /** The exchange no longer knows it. */
  forget(orderId: string): void {
    this.#open.delete(orderId);
    this.#partial.delete(orderId);
  }

  #end(plan: PlanOrder, source: NewsSource, isFromHistory = false): PlanOrder | undefined {
    const { orderId, planStatus, planStatusRaw } = plan;
    if (this.#ended.has(orderId)) return undefined;
    const whole = merged(this.#open.peek(orderId), plan, source, RULES);
    this.forget(orderId);
    this.#ended.set(orderId, true);
    // That it waits is no longer so, whether or not the history says what became of it.
    return isFromHistory ? { ...whole, planStatus, planStatusRaw } : whole;
  }

  #keep(plan: PlanOrder, source: NewsSource): PlanOrder | undefined {
    const { orderId } = plan;
    const known = this.#open.peek(orderId);
    if (this.#ended.has(orderId)) return undefined;
    if (known !== undefined && isEarlier(plan, known)) return undefined;
    if (known !== undefined && plan.updatedTime === known.updatedTime && plan.planStatus === known.planStatus)
      return this.#fillIn(plan, known, source);
    if (source === "REST") this.#partial.delete(orderId);
    else if (known === undefined) this.#partial.add(orderId);
    return this.#put(merged(known, plan, source, RULES));
  }

  /** What was pushed stands, and the list fills in what pushes leave out. */
  #fillIn(plan: PlanOrder, known: PlanOrder, source: NewsSource): PlanOrder | undefined {
    if (source === "PUSH" || !this.#partial.delete(plan.orderId)) return undefined;
    const whole = merged(plan, known, "PUSH", RULES);
    return isSame(whole, known) ? undefined : this.#put(whole);
  }

  #put(plan: PlanOrder): PlanOrder {
    this.#open.set(plan.orderId, plan);
    return plan;
  }
}

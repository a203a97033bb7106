import type { PlanOrder } from "@exchange-graph/contract/plan";
import { growingLru } from "../cache/lru.js";
import { isSame, type MergeRules, merged, type NewsSource } from "./merge.js";

/** More than the exchange's maximum of open trigger orders. */
const MAX_OPEN = 10_000;
/** Ended trigger orders that are remembered, so that none is emitted twice and no late message reopens one. */
const MAX_ENDED = 5_000;

const ENDS: ReadonlySet<string | null> = new Set(["executed", "fail_execute", "cancelled"]);
/** Whether it has ended. */
export const hasEnded = ({ planStatus }: PlanOrder): boolean => ENDS.has(planStatus);

type Plans = readonly PlanOrder[];

const CLEARABLE = ["takeProfit", "stopLoss", "tpTriggerBy", "slTriggerBy", "tpOrderType", "slOrderType", "tpLimitPrice"];
const RULES: MergeRules = {
  clearable: new Set([...CLEARABLE, "slLimitPrice", "qty", "executePrice", "callbackRate"]),
  restOnly: new Set(),
};

const isEarlier = ({ updatedTime: one }: PlanOrder, { updatedTime: other }: PlanOrder): boolean =>
  one !== null && other !== null && one < other;

/** The open trigger orders of an account, and those that have ended recently. */
export class PlanLedger {
  readonly #open = growingLru<PlanOrder>(MAX_OPEN);
  readonly #ended = growingLru<true>(MAX_ENDED);
  /** Open ones that are known from pushes only, which lack some fields. */
  readonly #partial = new Set<string>();

  /** Whether fields are missing that only the lists have. */
  get isPartial(): boolean {
    return this.#partial.size > 0;
  }

  get open(): Plans {
    return [...this.#open.rvalues()].filter((one) => one !== undefined);
  }

  has(orderId: string): boolean {
    return this.#open.has(orderId);
  }

  /** Merges trigger orders; returns those that are new or changed, complete. */
  take(plans: Plans, source: NewsSource): Plans {
    return plans.flatMap((plan) => (hasEnded(plan) ? this.#end(plan, source) : this.#keep(plan, source)) ?? []);
  }

  /** Merges a list of ended trigger orders, whose final status may be missing. */
  takeEnded(plans: Plans): Plans {
    return plans.flatMap((plan) => this.#end(plan, "REST", true) ?? []);
  }

  /** Removes one that the exchange no longer has. */
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
    // It has ended, whether or not the history has its final status.
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

  /** The pushed version is kept, and the list adds the fields that pushes lack. */
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

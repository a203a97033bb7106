import { byId } from "../ids.js";
import type { Pasts } from "../pasts.js";
import { Register } from "../register.js";
import type { Plan } from "./plan.js";

/** How many plans that are over are kept per user. */
const ENDED_PER_USER = 2_000;

const NONE: readonly Plan[] = [];

/** How a plan is named: by our id or by the client's. */
export interface PlanKey {
  readonly planId?: string | undefined;
  readonly clientOid?: string | undefined;
}

/** Plans that wait, and the latest of those that no longer do. */
export class PlanStore {
  /** By market, oldest first. The lists are never changed: whoever goes through one may enter and end plans. */
  readonly #waiting = new Map<string, readonly Plan[]>();
  readonly #ended = new Register<Plan>(({ planId }) => planId, ENDED_PER_USER);

  constructor(private readonly pasts: Pasts) {}

  /** The plans that wait on a market, oldest first. */
  on(market: string): readonly Plan[] {
    return this.#waiting.get(market) ?? NONE;
  }

  /** The waiting plans of a user, newest first. */
  waiting(uid: string): readonly Plan[] {
    const found = [...this.#waiting.values()].flatMap((plans) => plans.filter((plan) => plan.uid === uid));
    return found.sort((a, b) => byId(b.planId, a.planId));
  }

  /** Plans of a user that are over, newest first. */
  ended(uid: string): readonly Plan[] {
    this.pasts.recall(uid);
    return this.#ended.of(uid);
  }

  /** A waiting plan; `isMeant` is for clients who look among a kind of them. */
  find(uid: string, { planId, clientOid }: PlanKey, isMeant: (plan: Plan) => boolean = () => true): Plan | undefined {
    return this.waiting(uid).find(
      (plan) => (planId === undefined ? plan.clientOid === clientOid : plan.planId === planId) && isMeant(plan),
    );
  }

  enter(market: string, plan: Plan): void {
    this.#waiting.set(market, [...this.on(market), plan]);
  }

  /** The plan waits no longer. */
  end(market: string, plan: Plan): void {
    const plans = this.on(market).filter((other) => other !== plan);
    if (plans.length === 0) this.#waiting.delete(market);
    else this.#waiting.set(market, plans);
    this.#ended.enter(plan.uid, plan);
  }
}

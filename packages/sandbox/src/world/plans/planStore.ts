import { byId } from "../ids.js";
import type { OrderKey } from "../orders/orderStore.js";
import type { Pasts } from "../pasts.js";
import { Register } from "../register.js";
import type { Plan } from "./plan.js";

/** Number of ended trigger orders kept per user. */
const ENDED_PER_USER = 2_000;

const NONE: readonly Plan[] = [];

/** Key of a trigger order: its id, which calls name as that of an order, or the client's. */
export type PlanKey = Pick<OrderKey, "orderId" | "clientOid">;

/** Waiting trigger orders, and the latest ended ones. */
export class PlanStore {
  /** By market, oldest first. The lists are immutable, so that trigger orders can be added and ended during an iteration. */
  readonly #waiting = new Map<string, readonly Plan[]>();
  readonly #ended = new Register<Plan>(({ planId }) => planId, ENDED_PER_USER);

  constructor(private readonly pasts: Pasts) {}

  /** The waiting trigger orders of a market, oldest first. */
  on(market: string): readonly Plan[] {
    return this.#waiting.get(market) ?? NONE;
  }

  /** The waiting trigger orders of a user, newest first. */
  waiting(uid: string): readonly Plan[] {
    const found = [...this.#waiting.values()].flatMap((plans) => plans.filter((plan) => plan.uid === uid));
    return found.sort((a, b) => byId(b.planId, a.planId));
  }

  /** Ended trigger orders of a user, newest first. */
  ended(uid: string): readonly Plan[] {
    this.pasts.recall(uid);
    return this.#ended.of(uid);
  }

  /** A waiting trigger order; `isMeant` limits the search to a kind. */
  find(uid: string, { orderId, clientOid }: PlanKey, isMeant: (plan: Plan) => boolean = () => true): Plan | undefined {
    return this.waiting(uid).find(
      (plan) => (orderId === undefined ? plan.clientOid === clientOid : plan.planId === orderId) && isMeant(plan),
    );
  }

  enter(market: string, plan: Plan): void {
    this.#waiting.set(market, [...this.on(market), plan]);
  }

  /** Moves a trigger order from the waiting ones to the ended ones. */
  end(market: string, plan: Plan): void {
    const plans = this.on(market).filter((other) => other !== plan);
    if (plans.length === 0) this.#waiting.delete(market);
    else this.#waiting.set(market, plans);
    this.#ended.enter(plan.uid, plan);
  }
}

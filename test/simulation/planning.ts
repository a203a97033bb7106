import { exact, plain } from "@exchange-graph/contract/decimal";
import type { SandboxInMemory } from "@exchange-graph/sandbox";
import type { Plan } from "@exchange-graph/sandbox/world/plans/plan";
import type { State } from "@exchange-graph/sandbox/world/state";
import type { MarketName } from "./actions.js";
import type { Invariant } from "./auditor.js";
import type { Payload } from "./operations.js";
import type { VirtualTime } from "./time.js";

/** The price that a market reaches within so many movements, or comes closest to it: the one that is farthest from the present. */
export function reachedPrice({ markets }: State, { category, symbol }: MarketName, reachedIn: number): string {
  const { listing } = markets.of(category, symbol);
  const present = listing.steps(markets.tick);
  const coming = Array.from({ length: reachedIn }, (_, at) => listing.steps(markets.tick + at + 1));
  const farthest = coming.reduce(
    (one, other) => (Math.abs(other - present) > Math.abs(one - present) ? other : one),
    present + 1,
  );
  return plain(listing.grid.price(farthest));
}

interface Parts {
  readonly time: VirtualTime;
  readonly exchange: SandboxInMemory;
  readonly fail: (invariant: Invariant, text: string) => void;
}

/** A change that a client has asked for. */
export interface PlanChange {
  readonly planId: string;
  readonly requestedAt: number;
  readonly terms: string;
  /** Whether its effect can be told from that of another change, and from none. */
  isUnique: boolean;
}

/** Judges changes of trigger orders by the terms that they have had at the exchange. */
export class PlanTerms {
  /** By trigger order: its terms in order, each with the world time from which it had them. */
  readonly #had = new Map<string, { readonly at: number; readonly terms: string }[]>();
  readonly #asked = new Map<string, PlanChange>();

  constructor(private readonly parts: Parts) {
    parts.exchange.world.state.events.on((event) => {
      if (event.kind !== "plan") return;
      const had = this.#had.get(event.plan.planId) ?? [];
      const terms = termsOf(event.plan);
      this.#had.set(event.plan.planId, had);
      if (had.at(-1)?.terms !== terms) had.push({ at: parts.time.now, terms });
    });
  }

  asked(plan: Plan, triggerPrice: string, qty: string): PlanChange {
    const terms = text(triggerPrice, qty);
    const key = `${plan.planId} ${terms}`;
    const before = this.#asked.get(key);
    const isNew = before === undefined && this.#had.get(plan.planId)?.every((had) => had.terms !== terms) === true;
    const change = { planId: plan.planId, requestedAt: this.parts.time.now, terms, isUnique: isNew };
    if (before === undefined) this.#asked.set(key, change);
    else before.isUnique = false;
    return change;
  }

  answered({ planId, terms, isUnique }: PlanChange, outcome: Payload["outcome"] | undefined): void {
    if (!isUnique) return;
    const isDone = this.#had.get(planId)?.some((had) => had.terms === terms) === true;
    if (outcome === "ACCEPTED" && !isDone)
      this.parts.fail("accepted has an effect", `a change of ${planId} to ${terms} was ACCEPTED, and it never had these terms`);
    if (outcome === "REJECTED" && isDone)
      this.parts.fail("rejected has no effect", `a change of ${planId} to ${terms} was REJECTED, and it had these terms`);
  }
}

const text = (triggerPrice: string, qty: string): string => `${plain(exact(qty))} at ${plain(exact(triggerPrice))}`;

const termsOf = ({ legs: [leg], quantity }: Plan): string =>
  leg === undefined || quantity === undefined ? "none" : text(plain(leg.trigger.price), plain(quantity));

import { type Clock, MINUTE_MS } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";
import { ANY_CALLER } from "../principal/caller.js";

/** What one caller may ask for in a minute; 0 is as much as it likes. */
export interface CallerLimits {
  readonly operationsPerMinute: number;
  readonly upstreamCallsPerMinute: number;
}

/** As much as it likes of both. */
export const NO_CALLER_LIMITS: CallerLimits = { operationsPerMinute: 0, upstreamCallsPerMinute: 0 };

const UNLIMITED = ANY_CALLER.principal;
/** The least recently seen goes first, and starts anew with a full budget. */
const MAX_CALLERS = 10_000;

/** A budget that fills up evenly, to what a minute brings. Counted in sixty-thousandths: each ms brings whole ones. */
interface Bucket {
  left: number;
  /** When `left` was right, Unix ms. */
  at: number;
}

/** What is left of one kind of budget, by caller. Costs one look-up per spending. */
class Budget {
  readonly #buckets = new LRUCache<string, Bucket>({ max: MAX_CALLERS });

  constructor(
    private readonly perMinute: number,
    private readonly clock: Clock,
  ) {}

  /** Spends, or says in how many milliseconds there will be enough. What is more than a whole budget takes all of it. */
  spend(principal: string, amount: number): number | undefined {
    if (this.perMinute === 0) return undefined;
    const bucket = this.#filled(principal);
    const wanted = this.#parts(amount);
    if (!(wanted <= bucket.left)) return Math.ceil((wanted - bucket.left) / this.perMinute);
    bucket.left -= wanted;
    return undefined;
  }

  /** Takes what was spent already; what there is, if it was more. */
  take(principal: string, amount: number): void {
    if (this.perMinute === 0) return;
    const bucket = this.#filled(principal);
    bucket.left = Math.max(0, bucket.left - this.#parts(amount));
  }

  /** Gives back what was spent for nothing. */
  giveBack(principal: string, amount: number): void {
    if (this.perMinute === 0) return;
    const bucket = this.#filled(principal);
    bucket.left = Math.min(this.#parts(this.perMinute), bucket.left + this.#parts(amount));
  }

  #parts(amount: number): number {
    return Math.min(amount, this.perMinute) * MINUTE_MS;
  }

  #filled(principal: string): Bucket {
    const now = this.clock.now();
    const known = this.#buckets.get(principal);
    if (known === undefined) {
      const full = { left: this.#parts(this.perMinute), at: now };
      this.#buckets.set(principal, full);
      return full;
    }
    known.left = Math.min(this.#parts(this.perMinute), known.left + Math.max(0, now - known.at) * this.perMinute);
    known.at = now;
    return known;
  }
}

/** Keeps one caller from using up what is there for all. Whoever reaches a gateway without callers has no budget. */
export class CallerBudgets {
  readonly #operations: Budget;
  readonly #calls: Budget;

  constructor({ operationsPerMinute, upstreamCallsPerMinute }: CallerLimits, clock: Clock) {
    this.#operations = new Budget(operationsPerMinute, clock);
    this.#calls = new Budget(upstreamCallsPerMinute, clock);
  }

  /** One more operation; or in how many milliseconds it may come. */
  operation(principal: string): number | undefined {
    return principal === UNLIMITED ? undefined : this.#operations.spend(principal, 1);
  }

  /** Calls that an operation may make; or in how many milliseconds it may come. */
  calls(principal: string, estimated: number): number | undefined {
    return principal === UNLIMITED || estimated === 0 ? undefined : this.#calls.spend(principal, estimated);
  }

  /** What was estimated and not made is given back, and what was made beyond it is taken. */
  settle(principal: string, estimated: number, actual: number): void {
    if (principal === UNLIMITED) return;
    if (actual < estimated) this.#calls.giveBack(principal, estimated - actual);
    if (actual > estimated) this.#calls.take(principal, actual - estimated);
  }
}

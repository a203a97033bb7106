import { type Clock, MINUTE_MS } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";
import { ANONYMOUS_CLIENT } from "../principal/clientPrincipal.js";

/** What one client may ask for in a minute; 0 is as much as it likes. */
export interface ClientLimits {
  readonly operationsPerMinute: number;
  readonly upstreamCallsPerMinute: number;
}

/** As much as it likes of both. */
export const NO_CLIENT_LIMITS: ClientLimits = { operationsPerMinute: 0, upstreamCallsPerMinute: 0 };

const UNLIMITED = ANONYMOUS_CLIENT.id;
/** The least recently seen goes first, and starts anew with a full budget. */
const MAX_CLIENTS = 10_000;

/** A budget that fills up evenly, to what a minute brings. Counted in sixty-thousandths: each ms brings whole ones. */
interface Bucket {
  left: number;
  /** When `left` was right, Unix ms. */
  at: number;
}

/** What is left of one kind of budget, by client. Costs one look-up per spending. */
class Budget {
  readonly #buckets = new LRUCache<string, Bucket>({ max: MAX_CLIENTS });

  constructor(
    private readonly perMinute: number,
    private readonly clock: Clock,
  ) {}

  /** Spends, or says in how many milliseconds there will be enough. What is more than a whole budget takes all of it. */
  spend(principalId: string, amount: number): number | undefined {
    if (this.perMinute === 0) return undefined;
    const bucket = this.#filled(principalId);
    const wanted = this.#parts(amount);
    if (!(wanted <= bucket.left)) return Math.ceil((wanted - bucket.left) / this.perMinute);
    bucket.left -= wanted;
    return undefined;
  }

  /** Takes what was spent already; what there is, if it was more. */
  take(principalId: string, amount: number): void {
    if (this.perMinute === 0) return;
    const bucket = this.#filled(principalId);
    bucket.left = Math.max(0, bucket.left - this.#parts(amount));
  }

  /** Gives back what was spent for nothing. */
  giveBack(principalId: string, amount: number): void {
    if (this.perMinute === 0) return;
    const bucket = this.#filled(principalId);
    bucket.left = Math.min(this.#parts(this.perMinute), bucket.left + this.#parts(amount));
  }

  #parts(amount: number): number {
    return Math.min(amount, this.perMinute) * MINUTE_MS;
  }

  #filled(principalId: string): Bucket {
    const now = this.clock.now();
    const known = this.#buckets.get(principalId);
    if (known === undefined) {
      const full = { left: this.#parts(this.perMinute), at: now };
      this.#buckets.set(principalId, full);
      return full;
    }
    known.left = Math.min(this.#parts(this.perMinute), known.left + Math.max(0, now - known.at) * this.perMinute);
    known.at = now;
    return known;
  }
}

/** Keeps one client from using up what is there for all. Whoever reaches a gateway without clients has no budget. */
export class ClientBudgets {
  readonly #operations: Budget;
  readonly #calls: Budget;

  constructor({ operationsPerMinute, upstreamCallsPerMinute }: ClientLimits, clock: Clock) {
    this.#operations = new Budget(operationsPerMinute, clock);
    this.#calls = new Budget(upstreamCallsPerMinute, clock);
  }

  /** One more operation; or in how many milliseconds it may come. */
  operation(principalId: string): number | undefined {
    return principalId === UNLIMITED ? undefined : this.#operations.spend(principalId, 1);
  }

  /** Calls that an operation may make; or in how many milliseconds it may come. */
  calls(principalId: string, estimated: number): number | undefined {
    return principalId === UNLIMITED || estimated === 0 ? undefined : this.#calls.spend(principalId, estimated);
  }

  /** What was estimated and not made is given back, and what was made beyond it is taken. */
  settle(principalId: string, estimated: number, actual: number): void {
    if (principalId === UNLIMITED) return;
    if (actual < estimated) this.#calls.giveBack(principalId, estimated - actual);
    if (actual > estimated) this.#calls.take(principalId, actual - estimated);
  }
}

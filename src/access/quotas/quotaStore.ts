import { type Clock, MINUTE_MS } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";

/** The token buckets of all clients for one kind of quota, refilled evenly up to a minute's quota. */
export interface Quota {
  /** Takes an amount, or returns the time in ms until there is enough. An amount above the whole quota takes all of it. */
  spend(client: string, amount: number): number | undefined;
  /** Takes an amount that was already used; at most what is left. */
  take(client: string, amount: number): void;
  /** Returns an amount that was not used. */
  giveBack(client: string, amount: number): void;
}

/**
 * Quotas of clients over all replicas. Every call is answered synchronously, from the part that this replica may use by itself;
 * its use is reported to the others later. Each replica can exceed the common quota by at most a twentieth of a minute's quota.
 */
export interface QuotaStore {
  /** The quotas of one kind, by a name that all replicas use; `perMinute` is above 0. */
  quota(kind: string, perMinute: number): Quota;
}

/** Maximum number of clients. The least recently seen is dropped, and starts again with a full quota. */
const MAX_CLIENTS = 10_000;

/**
 * A token bucket that is refilled evenly, up to a minute's quota. Counted in sixty-thousandths, so that each ms adds a whole
 * number.
 */
interface Bucket {
  left: number;
  /** Time at which `left` was computed, Unix ms. */
  at: number;
}

/** Quotas of clients in this process alone. One look-up per use. */
export const memoryQuotas = (clock: Clock): QuotaStore => ({ quota: (_kind, perMinute) => new MemoryQuota(clock, perMinute) });

class MemoryQuota implements Quota {
  readonly #buckets = new LRUCache<string, Bucket>({ max: MAX_CLIENTS });

  constructor(
    private readonly clock: Clock,
    private readonly perMinute: number,
  ) {}

  spend(client: string, amount: number): number | undefined {
    const bucket = this.#filled(client);
    const wanted = this.#parts(amount);
    if (!(wanted <= bucket.left)) return Math.ceil((wanted - bucket.left) / this.perMinute);
    bucket.left -= wanted;
    return undefined;
  }

  take(client: string, amount: number): void {
    const bucket = this.#filled(client);
    bucket.left = Math.max(0, bucket.left - this.#parts(amount));
  }

  giveBack(client: string, amount: number): void {
    const bucket = this.#filled(client);
    bucket.left = Math.min(this.#parts(this.perMinute), bucket.left + this.#parts(amount));
  }

  #parts(amount: number): number {
    return Math.min(amount, this.perMinute) * MINUTE_MS;
  }

  #filled(client: string): Bucket {
    const now = this.clock.now();
    const bucket = this.#buckets.get(client);
    if (bucket === undefined) {
      const full = { left: this.#parts(this.perMinute), at: now };
      this.#buckets.set(client, full);
      return full;
    }
    bucket.left = Math.min(this.#parts(this.perMinute), bucket.left + Math.max(0, now - bucket.at) * this.perMinute);
    bucket.at = now;
    return bucket;
  }
}

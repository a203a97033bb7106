import { type Clock, MINUTE_MS } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";
import type { Quota, QuotaStore } from "./quotaStore.js";

/** The least recently seen goes first, and starts again with a full budget. */
const MAX_CLIENTS = 10_000;

/** A budget that fills up evenly, to what a minute brings. Counted in sixty-thousandths: each ms brings whole ones. */
interface Bucket {
  left: number;
  /** When `left` was right, Unix ms. */
  at: number;
}

/** The budgets of clients of this process alone. Costs one look-up per spending. */
export class MemoryQuotas implements QuotaStore {
  constructor(private readonly clock: Clock) {}

  quota(_kind: string, perMinute: number): Quota {
    return new MemoryQuota(this.clock, perMinute);
  }
}

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
    const known = this.#buckets.get(client);
    if (known === undefined) {
      const full = { left: this.#parts(this.perMinute), at: now };
      this.#buckets.set(client, full);
      return full;
    }
    known.left = Math.min(this.#parts(this.perMinute), known.left + Math.max(0, now - known.at) * this.perMinute);
    known.at = now;
    return known;
  }
}

import type { Clock } from "@exchange-graph/contract/clock";
import type { RateLimit } from "@exchange-graph/contract/endpoint";
import type { RateBudgetStore, SlotLease } from "../ports/rateBudgetStore.js";
import { Budget } from "./budget.js";
import type { Neighbours } from "./neighbours.js";
import { WaitingLine } from "./waitingLine.js";

/** With so many buckets, and then with twice as many as are in use, those that are not are forgotten. */
const FORGET_FROM = 128;

/** One of the exchange's counters, and those who wait for it. */
export interface Bucket<T> {
  readonly endpoint: string;
  readonly counter: string;
  readonly budget: Budget;
  readonly lease: SlotLease;
  readonly waiting: WaitingLine<T>;
  /** Have cancels spent it? */
  isForCancels: boolean;
  wake: (() => void) | undefined;
}

/** What an operator sees of one counter. */
export interface BucketState {
  readonly endpoint: string;
  readonly counter: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly left: number;
  readonly waiting: number;
}

interface BucketParts<T> {
  readonly store: RateBudgetStore;
  readonly neighbours: Neighbours;
  /** There may be more slots of one. */
  readonly changed: (bucket: Bucket<T>) => void;
}

/** The counters in use. */
export class Buckets<T> {
  readonly #all = new Map<string, Bucket<T>>();
  #forgetAt = FORGET_FROM;

  constructor(
    private readonly clock: Clock,
    private readonly parts: BucketParts<T>,
  ) {}

  [Symbol.iterator](): Iterator<Bucket<T>> {
    return this.#all.values();
  }

  /** The counter of an endpoint's calls for `counter`. */
  of(endpoint: string, counter: string, rate: RateLimit): Bucket<T> {
    const limit = rate.cautious ?? rate.limit;
    // An account whose tariff has changed is counted again by the new one.
    const key = `${endpoint}\n${counter}\n${limit}`;
    const known = this.#all.get(key);
    if (known !== undefined) return known;
    if (this.#all.size >= this.#forgetAt) this.#forgetIdle();
    const { store, neighbours, changed } = this.parts;
    const lease = store.lease(
      { endpoint, counter, limit, windowMs: rate.windowMs },
      () => ({ held: bucket.budget.held(this.clock.now()), waiting: bucket.waiting.size, isForCancels: bucket.isForCancels }),
      () => changed(bucket),
    );
    const bucket: Bucket<T> = {
      endpoint,
      counter,
      lease,
      budget: new Budget(limit, rate.windowMs, () => neighbours.share(counter), lease),
      waiting: new WaitingLine(),
      isForCancels: false,
      wake: undefined,
    };
    this.#all.set(key, bucket);
    return bucket;
  }

  #forgetIdle(): void {
    const now = this.clock.now();
    for (const [key, { budget, waiting, lease }] of this.#all) {
      if (waiting.size > 0 || !budget.isIdle(now)) continue;
      this.#all.delete(key);
      lease.release();
    }
    this.#forgetAt = Math.max(FORGET_FROM, 2 * this.#all.size);
  }
}

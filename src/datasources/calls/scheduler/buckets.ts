import type { Clock } from "@exchange-graph/contract/clock";
import type { Endpoint, RateLimit } from "@exchange-graph/contract/endpoint";
import type { KnownUsers } from "../accounts/accounts.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { Budget } from "./budget.js";
import type { Neighbours } from "./neighbours.js";
import type { RateBudgetStore, SharedCounter, SlotLease } from "./rateBudgetStore.js";
import { PRIORITIES, type Priority, WaitingLine } from "./waitingLine.js";

/** The counter of all calls from this address. */
export const ADDRESS_COUNTER = "IP";

/** The exchange's counter for a call, and its limit. */
export interface Counter {
  /** The exchange's user or its placeholder, or `IP` for all calls from this address. */
  readonly counter: string;
  readonly rate: RateLimit;
}

/**
 * The counter of an account's calls to an endpoint: the exchange counts for a user, whatever its accounts are called. Copy-trading
 * traders have lower limits on some endpoints.
 */
export function counterOf(
  { rate }: Pick<Endpoint, "rate">,
  account: ExchangeAccount | undefined,
  users: Pick<KnownUsers, "idOf">,
): Counter {
  const { limit, copyTrader = limit } = rate;
  return {
    counter: rate.per === "UID" ? (account === undefined ? "" : users.idOf(account)) : ADDRESS_COUNTER,
    rate: account?.isCopyTrader === true ? { ...rate, limit: copyTrader } : rate,
  };
}

/** Number of buckets from which unused ones are dropped; then again at twice the number in use. */
const FORGET_FROM = 128;

/** A counter of the exchange, and the calls that wait for it. */
export interface Bucket<T> {
  readonly endpoint: string;
  counter: string;
  /** The same as that of another bucket, once their counters have turned out to be one. */
  budget: Budget;
  lease: SlotLease;
  readonly rate: RateLimit;
  readonly waiting: WaitingLine<T>;
  /** Whether cancels have used it. */
  isForCancels: boolean;
  wake: (() => void) | undefined;
}

/** State of a counter, for operators. */
export interface BucketState extends SharedCounter {
  /** Slots that are not in use, by any replica. */
  readonly left: number;
  readonly waiting: number;
}

interface BucketParts<T> {
  readonly store: RateBudgetStore;
  readonly neighbours: Neighbours;
  /** Called when a bucket may have more slots. */
  readonly changed: (bucket: Bucket<T>) => void;
}

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
    // After a change of its rate tier an account gets a new counter with the new limit.
    const key = `${endpoint}\n${counter}\n${limit}`;
    const existing = this.#all.get(key);
    if (existing !== undefined) return existing;
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
      rate,
      budget: new Budget(limit, rate.windowMs, () => neighbours.share(counter), lease),
      waiting: new WaitingLine(),
      isForCancels: false,
      wake: undefined,
    };
    this.#all.set(key, bucket);
    return bucket;
  }

  /**
   * Two counters are one at the exchange: the slots of `from` count for `to` from now on. Calls that wait stay in their line, and
   * take their slots from there.
   */
  merge(from: string, to: string): void {
    if (from === to) return;
    const now = this.clock.now();
    for (const [key, bucket] of [...this.#all]) {
      if (bucket.counter !== from) continue;
      this.#all.delete(key);
      bucket.lease.release();
      const next = this.of(bucket.endpoint, to, bucket.rate);
      next.budget.absorb(bucket.budget, now);
      next.isForCancels ||= bucket.isForCancels;
      [bucket.counter, bucket.budget, bucket.lease] = [to, next.budget, next.lease];
      if (bucket.waiting.size > 0) this.parts.changed(bucket);
    }
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

/** Number of clients per bucket that are compared for the next turn at the address's budget: those with the next turns there. */
const MAX_COMPARED = 16;

/** More clients than ever wait for the same budget at once. */
const MAX_CLIENTS = 10_000;

/**
 * Number of turns of each client at a scarce resource, divided by its weight. A new client starts with the count of the client
 * that is served now, so that it has no claim on former turns.
 */
export class Turns {
  readonly #had = new Map<string, number>();
  #floor = 0;

  /** A lower count comes first. */
  of(client: string): number {
    return Math.max(this.#had.get(client) ?? 0, this.#floor);
  }

  /** Counts one more turn. */
  taken(client: string, weight: number): void {
    this.#floor = this.of(client);
    if (this.#had.size >= MAX_CLIENTS && !this.#had.has(client)) this.clear();
    this.#had.set(client, this.#floor + 1 / weight);
  }

  /** Called when no client waits any more. */
  clear(): void {
    // Clearing allocates a new table, even for an empty map.
    if (this.#had.size > 0) this.#had.clear();
    this.#floor = 0;
  }
}

/** The bucket with the call of the highest priority that may leave, and among equals with the client that has had the fewest turns. */
export function foremostOf<T>(
  buckets: ReadonlySet<Bucket<T>>,
  taken: Turns,
  mayLeave: (bucket: Bucket<T>, priority: Priority) => boolean,
): { readonly bucket: Bucket<T>; readonly client: string } | undefined {
  let best: { bucket: Bucket<T>; client: string; rank: number; turns: number } | undefined;
  for (const bucket of buckets) {
    const { foremost } = bucket.waiting;
    if (foremost === undefined) continue;
    const rank = PRIORITIES.indexOf(foremost);
    if (best !== undefined && rank > best.rank) continue;
    for (const client of bucket.waiting.foremostClients(MAX_COMPARED)) {
      const turns = taken.of(client);
      if (best !== undefined && rank === best.rank && turns >= best.turns) continue;
      if (best?.bucket !== bucket && !mayLeave(bucket, foremost)) break;
      best = { bucket, client, rank, turns };
    }
  }
  return best;
}

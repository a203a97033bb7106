import type { Clock } from "@exchange-graph/contract/clock";
import type { RateLimit } from "@exchange-graph/contract/endpoint";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { Fault } from "../fault.js";
import { MemoryRateBudgets } from "../ports/memoryRateBudgets.js";
import type { RateBudgetStore } from "../ports/rateBudgetStore.js";
import { AddressBudget, ALL_ENDPOINTS, OVERALL } from "./addressBudget.js";
import { type Bucket, type BucketState, Buckets } from "./buckets.js";
import { ADDRESS_COUNTER } from "./counterOf.js";
import { Neighbours } from "./neighbours.js";
import { GATEWAY, type Requester } from "./requester.js";
import { foremostOf, Turns } from "./turns.js";
import type { Priority } from "./waitingLine.js";

/**
 * What a call keeps of the time to its deadline for its answer: a second, where that is no more than a part of it. One that left at the
 * last moment would be given up on the way, and might arrive, and be counted, after its slot has been given to the next one.
 */
const KEPT_FOR_ANSWER_MS = 1_000;
const KEPT_FOR_ANSWER = { most: 0.2, least: 0.05 };
/** Leave to send one call. Exactly one of the two is called, once. */
export interface Permit {
  /** How long the call waited for its slot. */
  readonly waitedMs: number;
  /** The call has ended. `remaining` is what the exchange says is left; `refused` that it said "too many". */
  settle(outcome?: { remaining?: number | undefined; refused?: boolean }): void;
  /** The call did not leave. */
  giveBack(): void;
}

/** What the budgets are made of. */
interface SchedulerOptions {
  /** What may be sent from this address. Default: the exchange's own limit. */
  readonly overall?: Pick<RateLimit, "limit" | "windowMs">;
  /**
   * Calls under way at the same time. It is to be the number of connections: then whoever waits waits here, where clients take
   * turns, and never for a connection, where they would not.
   */
  readonly connections?: number;
  readonly instrumentation?: Instrumentation | undefined;
  /** Divides the limits among replicas. Default: this process has them whole. */
  readonly store?: RateBudgetStore;
  /**
   * What slots rest by: a clock that is never set, however wrong it is. Default: the other one. Where that is put forward, slots would
   * rest too short.
   */
  readonly steady?: Clock;
}

interface Job {
  readonly bookedAt: number;
  /** Of its client. */
  readonly weight: number;
  grant(permit: Permit): void;
}

/** Spends the exchange's rate limits: who may send now, who waits, and who would wait in vain. */
export class Scheduler {
  readonly #buckets: Buckets<Job>;
  readonly #address: AddressBudget;
  readonly #store: RateBudgetStore;
  readonly #steady: Clock;
  /** Buckets with budget of their own that wait for the address's one, or for a connection. */
  readonly #held = new Set<Bucket<Job>>();
  /** Of the clients whose calls are in them. */
  readonly #turns = new Turns();

  /** Others that spend the same limits. */
  readonly neighbours: Neighbours;

  constructor(
    private readonly clock: Clock,
    {
      overall = OVERALL,
      connections = Number.POSITIVE_INFINITY,
      instrumentation,
      store = new MemoryRateBudgets(),
      steady = clock,
    }: SchedulerOptions = {},
  ) {
    this.neighbours = new Neighbours(clock, instrumentation);
    this.#store = store;
    this.#steady = steady;
    this.#address = new AddressBudget(steady, {
      overall,
      connections,
      store,
      share: () => this.neighbours.addressShare(),
      waiting: () => this.#waitingForAddress(),
      changed: () => this.#freed(),
    });
    this.#buckets = new Buckets(steady, { store, neighbours: this.neighbours, changed: (bucket) => this.#freed(bucket) });
  }

  /**
   * Waits for a slot of `endpoint`'s budget on `counter` (an account for limits per user, the address otherwise). Clients
   * that wait for the same take turns. Throws `RATE_LIMITED` at once when no slot can come in time for an answer before
   * `deadlineAt`, or when none came. Throws why nothing is to be sent for the requester any more, as soon as that is so
   * and at the latest when its turn has come.
   */
  async acquire(
    endpoint: string,
    counter: string,
    rate: RateLimit,
    priority: Priority,
    deadlineAt: number,
    requester: Requester = GATEWAY,
  ): Promise<Permit> {
    const turn = this.#turn(endpoint, counter, rate, priority, deadlineAt, requester);
    const permit = turn instanceof Promise ? await turn : turn;
    const found = requester.refusal();
    const why = found instanceof Promise ? await found : found;
    if (why === undefined) return permit;
    permit.giveBack();
    throw why;
  }

  #turn(
    endpoint: string,
    counter: string,
    rate: RateLimit,
    priority: Priority,
    deadlineAt: number,
    requester: Requester,
  ): Permit | Promise<Permit> {
    const bucket = this.#buckets.of(endpoint, counter, rate);
    bucket.isForCancels ||= priority === "cancel";
    const { client, weight } = requester;
    const now = this.#steady.now();
    const leftMs = deadlineAt - this.clock.now();
    const keptMs = Math.max(leftMs * KEPT_FOR_ANSWER.least, Math.min(leftMs * KEPT_FOR_ANSWER.most, KEPT_FOR_ANSWER_MS), 0);
    const leaveBy = now + leftMs - keptMs;
    const earliest = this.#earliest(bucket, priority, now, bucket.waiting.ahead(priority, client, weight));
    if (earliest > leaveBy || !bucket.waiting.hasRoomFor(priority, client)) throw limited(endpoint, earliest - now);
    if (bucket.waiting.size === 0 && bucket.budget.left(now) > 0 && this.#address.mayLeave(priority, now))
      return this.#take(bucket, now, now);
    return new Promise((resolve, reject) => {
      const job: Job = {
        bookedAt: now,
        weight,
        grant: (permit) => {
          cancel();
          stay();
          resolve(permit);
        },
      };
      const waiting = bucket.waiting.add(priority, client, job, weight);
      const cancel = this.#steady.after(leaveBy - now, () => {
        if (!bucket.waiting.remove(priority, waiting)) return;
        stay();
        const now = this.#steady.now();
        // Slots that are not settled yet give no time: one window from now is the soonest that is sure.
        const earliest = this.#earliest(bucket, priority, now, bucket.waiting.ahead(priority, client, weight));
        reject(limited(endpoint, Math.max(earliest - now, bucket.budget.windowMs)));
      });
      const stay = requester.onceRefused((why) => {
        if (!bucket.waiting.remove(priority, waiting)) return;
        cancel();
        reject(why);
      });
      this.#grant(bucket);
    });
  }

  /** Every counter in use. */
  buckets(): BucketState[] {
    const now = this.#steady.now();
    return [...this.#buckets].map(({ endpoint, counter, budget, waiting }) => ({
      endpoint,
      counter,
      limit: budget.limit,
      windowMs: budget.windowMs,
      left: budget.left(now),
      waiting: waiting.size,
    }));
  }

  /** The counter of everything that leaves from this address. Whoever waits for it waits in the bucket of an endpoint. */
  overall(): BucketState {
    return {
      endpoint: ALL_ENDPOINTS,
      counter: ADDRESS_COUNTER,
      limit: this.#address.budget.limit,
      windowMs: this.#address.budget.windowMs,
      left: this.#address.budget.left(this.#steady.now()),
      waiting: this.#waitingForAddress(),
    };
  }

  /** Gives back what of the limits is leased. */
  async close(): Promise<void> {
    await this.#store.close();
  }

  #waitingForAddress(): number {
    let waiting = 0;
    for (const bucket of this.#held) waiting += bucket.waiting.size;
    return waiting;
  }

  /** Hands out what is free now, and books a wake-up for the rest. */
  #grant(bucket: Bucket<Job>): void {
    const now = this.#steady.now();
    while (this.#grantOne(bucket, now) !== undefined);
    this.#book(bucket, now);
  }

  #grantOne(bucket: Bucket<Job>, now: number, client?: string): Job | undefined {
    if (bucket.budget.left(now) === 0) return undefined;
    const job = bucket.waiting.next((priority) => this.#address.mayLeave(priority, now), client);
    job?.grant(this.#take(bucket, now, job.bookedAt));
    return job;
  }

  /** Has those who still wait looked at again in time. */
  #book(bucket: Bucket<Job>, now: number): void {
    bucket.wake?.();
    bucket.wake = undefined;
    this.#held.delete(bucket);
    if (this.#held.size === 0) this.#turns.clear();
    const { foremost } = bucket.waiting;
    if (foremost === undefined) return;
    if (bucket.budget.left(now) === 0) bucket.lease.demand();
    if (!this.#address.mayLeave(foremost, now)) {
      this.#held.add(bucket);
      this.#address.demand();
    }
    const next = Math.max(bucket.budget.nextFree(now, 0), this.#address.nextFree(foremost, now));
    // Nothing has settled yet: the next `settle` wakes the bucket.
    if (next > now) bucket.wake = this.#steady.after(next - now, () => this.#freed(bucket));
  }

  /** When a call with `ahead` others before it may leave by its endpoint's budget and by the address's: never too late. */
  #earliest(bucket: Bucket<Job>, priority: Priority, now: number, ahead: number): number {
    return Math.max(bucket.budget.earliest(now, ahead), this.#address.earliest(priority, now));
  }

  #take(bucket: Bucket<Job>, now: number, bookedAt: number): Permit {
    bucket.budget.take(now);
    this.#address.take(now);
    const foreign = bucket.budget.departure(now);
    return {
      waitedMs: now - bookedAt,
      settle: ({ remaining, refused = false } = {}) => {
        const now = this.#steady.now();
        bucket.budget.settle(now);
        this.#address.settle(now);
        if (refused) this.neighbours.noticed(bucket.counter, "refused");
        else this.neighbours.answered(bucket.counter);
        if (!refused && remaining !== undefined && foreign(remaining) > 0) this.neighbours.noticed(bucket.counter, "counted");
        if (remaining !== undefined) bucket.budget.correct(now, remaining);
        if (refused) bucket.budget.close(now);
        this.#freed(bucket);
      },
      giveBack: () => {
        bucket.budget.giveBack();
        this.#address.giveBack();
        this.#freed(bucket);
      },
    };
  }

  /**
   * A slot has come back: to this bucket if one is named, and to those that wait for the address. There the most urgent goes
   * first, and among equals the client that has had the fewest.
   */
  #freed(bucket?: Bucket<Job>): void {
    if (this.#held.size === 0) {
      if (bucket !== undefined) this.#grant(bucket);
      return;
    }
    const now = this.#steady.now();
    if (bucket !== undefined) this.#held.add(bucket);
    // Whoever has been served comes last among equals.
    const all = new Set(this.#held);
    const open = new Set(all);
    for (;;) {
      const next = foremostOf(open, this.#turns);
      if (next === undefined) break;
      open.delete(next.bucket);
      const granted = this.#grantOne(next.bucket, now, next.client);
      if (granted === undefined) continue;
      this.#turns.taken(next.client, granted.weight);
      for (const buckets of [open, all]) {
        buckets.delete(next.bucket);
        buckets.add(next.bucket);
      }
    }
    for (const one of all) this.#book(one, now);
  }
}

const limited = (endpoint: string, afterMs: number): Fault => {
  const retryAfterMs = Math.max(1, Math.ceil(afterMs));
  return new Fault("RATE_LIMITED", `${endpoint}: no rate budget before the deadline, try again in ${retryAfterMs} ms`, {
    endpoint,
    retryAfterMs,
  });
};

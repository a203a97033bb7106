import type { Clock } from "@exchange-graph/contract/clock";
import type { RateLimit } from "@exchange-graph/contract/endpoint";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import { callFault, type Fault } from "../../errors/index.js";
import { AddressBudget, ALL_ENDPOINTS, OVERALL } from "./addressBudget.js";
import { ADDRESS_COUNTER, type Bucket, type BucketState, Buckets, foremostOf, Turns } from "./buckets.js";
import { Neighbours } from "./neighbours.js";
import { MemoryRateBudgets, type RateBudgetStore } from "./rateBudgetStore.js";
import { GATEWAY, type Requester } from "./requester.js";
import { PRIORITIES, type Priority } from "./waitingLine.js";

/**
 * Part of the time to its deadline that a call reserves for its answer: a second, but only a fraction of a shorter time. A call
 * sent at the last moment would be given up before its answer, and could be counted after its slot was taken by the next call.
 */
const KEPT_FOR_ANSWER_MS = 1_000;
const KEPT_FOR_ANSWER = { most: 0.2, least: 0.05 };
/** Permission to send one call. Exactly one of `settle` and `giveBack` is called, once. */
export interface Permit {
  /** Time that the call waited for its slot, in ms. */
  readonly waitedMs: number;
  /** The call has ended. `remaining` is what the exchange reports as left; `refused`: it was refused for its rate. */
  settle(outcome?: { remaining?: number | undefined; refused?: boolean }): void;
  /** The call was not sent. */
  giveBack(): void;
}

interface SchedulerOptions {
  /** The limit per address. Default: the exchange's. */
  readonly overall?: Pick<RateLimit, "limit" | "windowMs">;
  /**
   * Maximum number of calls at the same time. It should be the number of connections: then calls wait here, where clients take
   * turns, and never for a connection.
   */
  readonly connections?: number;
  readonly instrumentation?: Instrumentation | undefined;
  /** Divides the limits among replicas. Default: this process has them whole. */
  readonly store?: RateBudgetStore;
  /** The name of a counter for operators. */
  readonly nameOf?: (counter: string) => string;
  /** Monotonic clock for the rest of slots, which a forward step of the system clock would shorten. Default: `clock`. */
  readonly steady?: Clock;
}

interface Job {
  readonly bookedAt: number;
  readonly weight: number;
  grant(permit: Permit): void;
}

/** Manages the exchange's rate limits: decides which call is sent, which one waits, and which one would miss its deadline. */
export class Scheduler {
  readonly #buckets: Buckets<Job>;
  readonly #address: AddressBudget;
  readonly #store: RateBudgetStore;
  readonly #steady: Clock;
  /** Buckets whose calls wait for the address's budget or a connection. The one that was served last comes last. */
  readonly #held = new Set<Bucket<Job>>();
  /** No call in these buckets has a higher priority. */
  #foremostHeld: Priority = LOWEST;
  /** Wakes these buckets. */
  #wake: { readonly at: number; readonly cancel: () => void } | undefined;
  /** Turns of the clients with calls in these buckets. */
  readonly #turns = new Turns();

  /** Other clients on the same limits. */
  readonly neighbours: Neighbours;

  constructor(
    private readonly clock: Clock,
    {
      overall = OVERALL,
      connections = Number.POSITIVE_INFINITY,
      instrumentation,
      nameOf,
      store = new MemoryRateBudgets(),
      steady = clock,
    }: SchedulerOptions = {},
  ) {
    this.neighbours = new Neighbours(clock, instrumentation, nameOf);
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
   * Waits for a slot of `endpoint`'s budget on `counter` (a user, otherwise the address). Waiting clients
   * take turns. Throws `RATE_LIMITED` at once if no slot can be free in time for an answer before `deadlineAt`, or later if none
   * was. Throws the requester's refusal as soon as there is one, at the latest when its turn has come.
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
    if (bucket.waiting.size === 0 && this.#mayLeave(bucket, priority, now)) return this.#take(bucket, now, now);
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
        this.#left(bucket);
        const now = this.#steady.now();
        // Slots that are not settled have no known time: one window from now is the earliest possible.
        const earliest = this.#earliest(bucket, priority, now, bucket.waiting.ahead(priority, client, weight));
        reject(limited(endpoint, Math.max(earliest - now, bucket.budget.windowMs)));
      });
      const stay = requester.onceRefused((why) => {
        if (!bucket.waiting.remove(priority, waiting)) return;
        cancel();
        this.#left(bucket);
        reject(why);
      });
      this.#grant(bucket);
    });
  }

  /** Two counters are one at the exchange: calls for either take the slots of `to` from now on. */
  merge(from: string, to: string): void {
    this.#buckets.merge(from, to);
    this.neighbours.merge(from, to);
  }

  buckets(): BucketState[] {
    const now = this.#steady.now();
    return [...this.#buckets].map(({ endpoint, counter, budget, waiting }) => ({
      endpoint,
      counter,
      limit: budget.limit,
      windowMs: budget.windowMs,
      left: budget.unused(now),
      waiting: waiting.size,
    }));
  }

  /** The counter of all calls from this address. Calls that wait for it are counted in their endpoint's bucket. */
  overall(): BucketState {
    return {
      endpoint: ALL_ENDPOINTS,
      counter: ADDRESS_COUNTER,
      limit: this.#address.budget.limit,
      windowMs: this.#address.budget.windowMs,
      left: this.#address.budget.unused(this.#steady.now()),
      waiting: this.#waitingForAddress(),
    };
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  #waitingForAddress(): number {
    let waiting = 0;
    for (const bucket of this.#held) waiting += bucket.waiting.size;
    return waiting;
  }

  /** A call has left the line without its slot. A bucket in which none waits is not woken any more. */
  #left(bucket: Bucket<Job>): void {
    if (bucket.waiting.size === 0) this.#grant(bucket);
  }

  /** Grants free slots to waiting calls, and schedules a wake-up for the rest. */
  #grant(bucket: Bucket<Job>): void {
    const now = this.#steady.now();
    while (this.#grantOne(bucket, now) !== undefined);
    this.#held.delete(bucket);
    this.#book(bucket, now);
    this.#bookHeld(now);
  }

  #grantOne(bucket: Bucket<Job>, now: number, client?: string): Job | undefined {
    if (bucket.budget.left(now) === 0) return undefined;
    const job = bucket.waiting.next((priority) => this.#mayLeave(bucket, priority, now), client);
    job?.grant(this.#take(bucket, now, job.bookedAt));
    return job;
  }

  /** Schedules the next check of waiting calls, or adds them to those that wait for the address. */
  #book(bucket: Bucket<Job>, now: number): void {
    bucket.wake?.();
    bucket.wake = undefined;
    const { foremost } = bucket.waiting;
    if (foremost !== undefined && bucket.budget.left(now) === 0) bucket.lease.demand();
    if (foremost !== undefined && !this.#address.mayLeave(foremost, now)) {
      this.#hold(bucket, foremost);
      return;
    }
    this.#held.delete(bucket);
    if (foremost === undefined) return;
    const next = bucket.budget.nextFree(now, keptFrom(bucket, foremost));
    // Nothing has settled yet: the next `settle` wakes the bucket.
    if (next > now) bucket.wake = this.#steady.after(next - now, () => this.#freed(bucket));
  }

  #hold(bucket: Bucket<Job>, foremost: Priority): void {
    this.#held.add(bucket);
    if (PRIORITIES.indexOf(foremost) < PRIORITIES.indexOf(this.#foremostHeld)) this.#foremostHeld = foremost;
  }

  /** Schedules the next check of calls that wait for the address. */
  #bookHeld(now: number): void {
    if (this.#held.size === 0) {
      this.#turns.clear();
      this.#foremostHeld = LOWEST;
      this.#wake?.cancel();
      this.#wake = undefined;
      return;
    }
    this.#address.demand();
    const at = this.#address.nextFree(this.#foremostHeld, now);
    if (at <= now || at === this.#wake?.at) return;
    this.#wake?.cancel();
    const cancel = this.#steady.after(at - now, () => {
      this.#wake = undefined;
      this.#freed();
    });
    this.#wake = { at, cancel };
  }

  /**
   * Earliest time at which a call with `ahead` others before it may be sent, by its endpoint's budget and the address's: a lower
   * bound.
   */
  #earliest(bucket: Bucket<Job>, priority: Priority, now: number, ahead: number): number {
    return Math.max(bucket.budget.earliest(now, ahead + keptFrom(bucket, priority)), this.#address.earliest(priority, now));
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
   * A slot has become free: in this bucket, or at the address. Calls that wait for the address go by priority, and within a
   * priority the client with the fewest turns first. Only while the address has a slot for one of them, all buckets are compared.
   */
  #freed(bucket?: Bucket<Job>): void {
    if (this.#held.size === 0) {
      if (bucket !== undefined && bucket.waiting.size > 0) this.#grant(bucket);
      return;
    }
    const now = this.#steady.now();
    const changed = new Set<Bucket<Job>>();
    const foremost = bucket?.waiting.foremost;
    if (bucket !== undefined && foremost !== undefined) {
      this.#hold(bucket, foremost);
      changed.add(bucket);
    }
    while (this.#address.mayLeave(this.#foremostHeld, now)) {
      const next = foremostOf(this.#held, this.#turns, (one, priority) => this.#mayLeave(one, priority, now));
      const granted = next && this.#grantOne(next.bucket, now, next.client);
      if (next === undefined || granted === undefined) {
        // The others wait for their own slots, or their calls have lower priorities than any that the address has a slot for.
        this.#foremostHeld = LOWEST;
        for (const one of this.#held) changed.add(one);
        break;
      }
      this.#turns.taken(next.client, granted.weight);
      // After a bucket was served, it comes last among equals.
      this.#held.delete(next.bucket);
      this.#held.add(next.bucket);
      changed.add(next.bucket);
    }
    for (const one of changed) this.#book(one, now);
    this.#bookHeld(now);
  }

  /** Whether there is a slot for a call of this priority: in the bucket, and at the address. */
  #mayLeave(bucket: Bucket<Job>, priority: Priority, now: number): boolean {
    return bucket.budget.left(now) > keptFrom(bucket, priority) && this.#address.mayLeave(priority, now);
  }
}

const LOWEST: Priority = "background";

/** Slots of an endpoint's budget that a call of this priority leaves to others. */
const keptFrom = <T>({ budget }: Bucket<T>, priority: Priority): number => (priority === "background" ? budget.half : 0);

const limited = (endpoint: string, afterMs: number): Fault => {
  const retryAfterMs = Math.max(1, Math.ceil(afterMs));
  return callFault("RATE_LIMITED", endpoint, `no rate budget before the deadline, try again in ${retryAfterMs} ms`, {
    retryAfterMs,
  });
};

import type { Clock } from "@exchange-graph/contract/clock";
import { ADDRESS_LIMIT, type RateLimit } from "@exchange-graph/contract/endpoint";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { Fault } from "../fault.js";
import { MemoryRateBudgets } from "../ports/memoryRateBudgets.js";
import type { RateBudgetStore, SlotLease } from "../ports/rateBudgetStore.js";
import { Budget } from "./budget.js";
import { ADDRESS_COUNTER } from "./counterOf.js";
import { Neighbours } from "./neighbours.js";
import { GATEWAY, type Requester } from "./requester.js";
import { Turns } from "./turns.js";
import { PRIORITIES, type Priority, WaitingLine } from "./waitingLine.js";

/**
 * The address's limit is spent in parts of a minute: what holds in each of them holds in every minute too, and a minute's
 * calls spent at once would leave none for the rest of it.
 */
const PARTS = 12;
const OVERALL: Pick<RateLimit, "limit" | "windowMs"> = {
  limit: ADDRESS_LIMIT.limit / PARTS,
  windowMs: ADDRESS_LIMIT.windowMs / PARTS,
};
/** The share of it, and of the connections, that reads leave to cancels and other writes: however much is read, taking risk away never waits for it. */
const KEPT_FOR_WRITES = 0.05;
/**
 * The share of the time to its deadline that a call keeps for its answer. One that left at the last moment would be given
 * up on the way, and might arrive, and be counted, after its slot has been given to the next one.
 */
const KEPT_FOR_ANSWER = 0.05;
/** Clients of each lane that are compared for the next turn at the address's budget: those whose turns come next there. */
const MAX_COMPARED = 16;
/** With so many lanes, and then with twice as many as are in use, those that are not are forgotten. */
const FORGET_FROM = 128;

/** Leave to send one call. Exactly one of the two is called, once. */
export interface Permit {
  /** How long the call waited for its slot. */
  readonly waitedMs: number;
  /** The call has ended. `remaining` is what the exchange says is left; `refused` that it said "too many". */
  settle(outcome?: { remaining?: number | undefined; refused?: boolean }): void;
  /** The call did not leave. */
  giveBack(): void;
}

/** What stands for an endpoint where all of them are meant. */
const ALL_ENDPOINTS = "(all)";

/** What an operator sees of one counter. */
export interface LaneState {
  readonly endpoint: string;
  readonly counter: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly left: number;
  readonly waiting: number;
}

interface Bucket {
  readonly endpoint: string;
  readonly counter: string;
  readonly budget: Budget;
  readonly lease: SlotLease;
  readonly waiting: WaitingLine<Job>;
  /** Have cancels spent it? */
  isForCancels: boolean;
  wake: (() => void) | undefined;
}

/** What the budgets are made of. */
interface SchedulerOptions {
  /** What may be sent from this address; the exchange's own limit if left out. */
  readonly overall?: Pick<RateLimit, "limit" | "windowMs">;
  /**
   * Calls under way at the same time. It is to be the number of connections: then whoever waits waits here, where clients take
   * turns, and never for a connection, where they would not.
   */
  readonly connections?: number;
  readonly instrumentation?: Instrumentation | undefined;
  /** Divides the limits among replicas; this process has them whole if left out. */
  readonly store?: RateBudgetStore;
}

interface Job {
  readonly bookedAt: number;
  /** Of its client. */
  readonly weight: number;
  grant(permit: Permit): void;
}

/** Spends the exchange's rate limits: who may send now, who waits, and who would wait in vain. */
export class Scheduler {
  readonly #lanes = new Map<string, Bucket>();
  #forgetAt = FORGET_FROM;
  readonly #overall: Budget;
  readonly #overallLease: SlotLease;
  readonly #store: RateBudgetStore;
  /** Connections, and how many of them reads leave to writes. A single one serves all. */
  readonly #connections: number;
  readonly #keptConnections: number;
  #inFlight = 0;
  /** Lanes with budget of their own that wait for the overall one, or for a connection. */
  readonly #held = new Set<Bucket>();
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
    }: SchedulerOptions = {},
  ) {
    this.neighbours = new Neighbours(clock, instrumentation);
    this.#store = store;
    this.#overallLease = store.lease(
      { endpoint: ALL_ENDPOINTS, counter: ADDRESS_COUNTER, ...overall },
      () => ({ held: this.#overall.held(clock.now()), waiting: this.#waitingForAddress(), isForCancels: true }),
      () => this.#freed(),
    );
    this.#overall = new Budget(overall.limit, overall.windowMs, () => this.neighbours.addressShare(), this.#overallLease);
    this.#connections = connections;
    this.#keptConnections =
      connections === 1 || connections === Number.POSITIVE_INFINITY ? 0 : Math.ceil(connections * KEPT_FOR_WRITES);
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
    const permit = await this.#turn(endpoint, counter, rate, priority, deadlineAt, requester);
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
    const bucket = this.#lane(endpoint, counter, rate);
    bucket.isForCancels ||= priority === "cancel";
    const { client, weight } = requester;
    const now = this.clock.now();
    const leaveBy = deadlineAt - Math.max(0, deadlineAt - now) * KEPT_FOR_ANSWER;
    const earliest = this.#earliest(bucket, priority, now, bucket.waiting.ahead(priority, client, weight));
    if (earliest > leaveBy || !bucket.waiting.hasRoomFor(priority, client)) throw limited(endpoint, earliest - now);
    if (bucket.waiting.size === 0 && bucket.budget.left(now) > 0 && this.#mayLeave(priority, now))
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
      const cancel = this.clock.after(leaveBy - now, () => {
        if (!bucket.waiting.remove(priority, waiting)) return;
        stay();
        const now = this.clock.now();
        // Slots that nobody has settled yet tell no time: one window from now is the soonest that is sure.
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
  buckets(): LaneState[] {
    const now = this.clock.now();
    return [...this.#lanes.values()].map(({ endpoint, counter, budget, waiting }) => ({
      endpoint,
      counter,
      limit: budget.limit,
      windowMs: budget.windowMs,
      left: budget.left(now),
      waiting: waiting.size,
    }));
  }

  /** The counter of everything that leaves from this address. Whoever waits for it waits in the lane of an endpoint. */
  overall(): LaneState {
    return {
      endpoint: ALL_ENDPOINTS,
      counter: ADDRESS_COUNTER,
      limit: this.#overall.limit,
      windowMs: this.#overall.windowMs,
      left: this.#overall.left(this.clock.now()),
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

  #lane(endpoint: string, counter: string, rate: RateLimit): Bucket {
    const limit = rate.cautious ?? rate.limit;
    // An account whose tariff has changed is counted anew by the new one.
    const key = `${endpoint}\n${counter}\n${limit}`;
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    if (this.#lanes.size >= this.#forgetAt) this.#forgetIdle();
    const lease = this.#store.lease(
      { endpoint, counter, limit, windowMs: rate.windowMs },
      () => ({ held: bucket.budget.held(this.clock.now()), waiting: bucket.waiting.size, isForCancels: bucket.isForCancels }),
      () => this.#freed(bucket),
    );
    const bucket: Bucket = {
      endpoint,
      counter,
      lease,
      budget: new Budget(limit, rate.windowMs, () => this.neighbours.share(counter), lease),
      waiting: new WaitingLine(),
      isForCancels: false,
      wake: undefined,
    };
    this.#lanes.set(key, bucket);
    return bucket;
  }

  #forgetIdle(): void {
    const now = this.clock.now();
    for (const [key, { budget, waiting, lease }] of this.#lanes) {
      if (waiting.size > 0 || !budget.isIdle(now)) continue;
      this.#lanes.delete(key);
      lease.release();
    }
    this.#forgetAt = Math.max(FORGET_FROM, 2 * this.#lanes.size);
  }

  /** Hands out what is free now, and books a wake-up for the rest. */
  #grant(bucket: Bucket): void {
    const now = this.clock.now();
    while (this.#grantOne(bucket, now) !== undefined);
    this.#book(bucket, now);
  }

  #grantOne(bucket: Bucket, now: number, client?: string): Job | undefined {
    if (bucket.budget.left(now) === 0) return undefined;
    const job = bucket.waiting.next((priority) => this.#mayLeave(priority, now), client);
    job?.grant(this.#take(bucket, now, job.bookedAt));
    return job;
  }

  /** Has those who still wait looked at again in time. */
  #book(bucket: Bucket, now: number): void {
    bucket.wake?.();
    bucket.wake = undefined;
    this.#held.delete(bucket);
    if (this.#held.size === 0) this.#turns.clear();
    const { foremost } = bucket.waiting;
    if (foremost === undefined) return;
    if (bucket.budget.left(now) === 0) bucket.lease.demand();
    if (!this.#mayLeave(foremost, now)) {
      this.#held.add(bucket);
      this.#overallLease.demand();
    }
    const next = Math.max(bucket.budget.nextFree(now, 0), this.#overall.nextFree(now, this.#keptFrom(foremost)));
    // Nothing has settled yet: the next `settle` wakes the lane.
    if (next > now) bucket.wake = this.clock.after(next - now, () => this.#freed(bucket));
  }

  /** When a call with `ahead` others before it may leave by its endpoint's budget and by the address's: never too late. */
  #earliest(bucket: Bucket, priority: Priority, now: number, ahead: number): number {
    return Math.max(bucket.budget.earliest(now, ahead), this.#overall.earliest(now, this.#keptFrom(priority)));
  }

  /** Does the address as a whole have a slot for a call of this priority, and is there a connection for it? */
  #mayLeave(priority: Priority, now: number): boolean {
    const keptConnections = isRead(priority) ? this.#keptConnections : 0;
    return this.#inFlight < this.#connections - keptConnections && this.#overall.left(now) > this.#keptFrom(priority);
  }

  #keptFrom(priority: Priority): number {
    return isRead(priority) ? Math.floor(this.#overallLease.slots() * KEPT_FOR_WRITES) : 0;
  }

  #take(bucket: Bucket, now: number, bookedAt: number): Permit {
    bucket.budget.take(now);
    this.#overall.take(now);
    this.#inFlight++;
    const foreign = bucket.budget.departure(now);
    return {
      waitedMs: now - bookedAt,
      settle: ({ remaining, refused = false } = {}) => {
        const now = this.clock.now();
        bucket.budget.settle(now);
        this.#overall.settle(now);
        this.#inFlight--;
        if (refused) this.neighbours.noticed(bucket.counter, "refused");
        else this.neighbours.answered(bucket.counter);
        if (!refused && remaining !== undefined && foreign(remaining) > 0) this.neighbours.noticed(bucket.counter, "counted");
        if (remaining !== undefined) bucket.budget.correct(now, remaining);
        if (refused) bucket.budget.close(now);
        this.#freed(bucket);
      },
      giveBack: () => {
        bucket.budget.giveBack();
        this.#overall.giveBack();
        this.#inFlight--;
        this.#freed(bucket);
      },
    };
  }

  /**
   * A slot has come back: to this lane if one is named, and to those that wait for the address. There the most urgent goes
   * first, and among equals the client that has had the fewest.
   */
  #freed(bucket?: Bucket): void {
    if (this.#held.size === 0) {
      if (bucket !== undefined) this.#grant(bucket);
      return;
    }
    const now = this.clock.now();
    if (bucket !== undefined) this.#held.add(bucket);
    // Whoever has been served comes last among equals.
    const all = new Set(this.#held);
    const open = new Set(all);
    for (;;) {
      const next = this.#foremostOf(open);
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

  #foremostOf(buckets: ReadonlySet<Bucket>): { readonly bucket: Bucket; readonly client: string } | undefined {
    let best: { bucket: Bucket; client: string; rank: number; turns: number } | undefined;
    for (const bucket of buckets) {
      const own = rank(bucket);
      if (best !== undefined && own > best.rank) continue;
      for (const client of bucket.waiting.foremostClients(MAX_COMPARED)) {
        const turns = this.#turns.of(client);
        if (best === undefined || own < best.rank || turns < best.turns) best = { bucket, client, rank: own, turns };
      }
    }
    return best;
  }
}

const isRead = (priority: Priority): boolean => priority === "read" || priority === "refresh";

const rank = ({ waiting: { foremost } }: Bucket): number =>
  foremost === undefined ? PRIORITIES.length : PRIORITIES.indexOf(foremost);

const limited = (endpoint: string, afterMs: number): Fault => {
  const retryAfterMs = Math.max(1, Math.ceil(afterMs));
  return new Fault("RATE_LIMITED", `${endpoint}: no rate budget before the deadline, try again in ${retryAfterMs} ms`, {
    endpoint,
    retryAfterMs,
  });
};

import type { SharedCounter, SlotLease, SlotUse } from "../../../../src/datasources/calls/index.js";
import type { RedisEngine } from "./redisEngine.js";
import { LEASE_MS } from "./script.js";
import { partOf } from "./seen.js";
import { OWN_LEASE_MS } from "./slotScript.js";

/** A counter without calls for this long is released. */
const IDLE_MS = 2_000;
/** Slots that a busy replica keeps for the next calls, as a share of the limit. */
const SPARE = 0.1;
/** Minimum interval of requests while calls wait, ms. */
const DEMAND_EVERY_MS = 5;

/** A request to Redis for a counter. */
export interface SlotRequest {
  /** Slots that are occupied in any case: those of running calls, resting ones, and those used until the answer. */
  readonly keep: number;
  /** Slots of them that may be used now. */
  readonly mine: number;
  readonly ask: number;
  /** Number of slots that this replica could use; fair shares are computed from it. */
  readonly want: number;
  readonly isForCancels: boolean;
  /** Time of the request, monotonic. */
  readonly at: number;
}

interface SlotGrant {
  readonly slots: number;
  readonly replicas: number;
  readonly fair: number;
  readonly free: number;
}

interface LeaseParts {
  readonly monotonic: () => number;
  readonly engine: Pick<RedisEngine, "isUp" | "gone">;
  /** Has `next` called after this many milliseconds. */
  readonly demand: (lease: CounterLease, afterMs: number) => void;
}

/** This replica's slots of one counter, and the next request for them. All times are monotonic. */
export class CounterLease implements SlotLease {
  #granted = 0;
  /** End of the lease here, which is before its end in Redis. */
  #until = Number.NEGATIVE_INFINITY;
  #fair: number;
  #free: number;
  #replicas = 1;
  /** Number of slots that Redis knows to be wanted. */
  #lastWanted = 0;
  #pending: SlotRequest | undefined;
  #isWanted = false;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #usedAt = Number.NEGATIVE_INFINITY;
  /** Maximum number of slots used or waited for, in the current period and the one before. */
  #peaks: readonly [number, number] = [0, 0];
  #peakAt = Number.NEGATIVE_INFINITY;
  #seen = 0;
  #isReleased = false;
  #use: () => SlotUse = () => UNUSED;
  #changed = (): void => undefined;

  constructor(
    readonly counter: SharedCounter,
    private readonly parts: LeaseParts,
  ) {
    this.#fair = counter.limit;
    this.#free = counter.limit;
  }

  usedBy(use: () => SlotUse, changed: () => void): this {
    this.#use = use;
    this.#changed = changed;
    this.#isReleased = false;
    return this;
  }

  slots(): number {
    const now = this.parts.monotonic();
    return now < this.#until ? Math.min(this.#granted, this.#fair) : this.#alone(now);
  }

  expected(): number {
    const { limit } = this.counter;
    const { gone, isUp } = this.parts.engine;
    if (!isUp) return this.slots() || (gone === undefined ? 0 : partOf(limit, gone.replicas));
    if (this.parts.monotonic() >= this.#until) return limit;
    return Math.min(limit, Math.max(1, this.#fair < limit ? this.#fair : this.#granted + this.#free));
  }

  demand(): void {
    const now = this.parts.monotonic();
    if (now < this.#until && (this.#free === 0 || this.#hasAll(now))) return;
    if (this.#pending !== undefined) this.#isWanted = true;
    else this.parts.demand(this, Math.max(0, this.#requestedAt + DEMAND_EVERY_MS - now));
  }

  /**
   * Slots that are held stay leased until they have rested: of two counters that have turned out to be one, other replicas may still
   * count at the released one.
   */
  release(): void {
    const use = this.#use;
    this.#isReleased = true;
    this.#use = () => ({ ...UNUSED, held: use().held });
    this.#changed = () => undefined;
  }

  /** Whether it was released, and nothing is leased any more. */
  get isOver(): boolean {
    return this.#isReleased && this.#pending === undefined && (this.#granted === 0 || this.parts.monotonic() >= this.#until);
  }

  /** The next request; undefined if an answer is pending or the counter is not in use. */
  next(isClosing = false): SlotRequest | undefined {
    if (this.#pending !== undefined) return undefined;
    const at = this.parts.monotonic();
    const { held, waiting, isForCancels } = this.#use();
    const want = isClosing ? 0 : this.#isReleased ? held : this.#wanted(at, held + waiting, isForCancels);
    const isLeased = at < this.#until;
    if (want === 0 && this.#lastWanted === 0 && !(isLeased && this.#granted > 0)) return undefined;
    this.#lastWanted = want;
    const keep = Math.max(held, isLeased ? Math.min(this.#granted, this.#fair, want) : this.#alone(at));
    // Until the answer, no more slots are used than it will leave in any case.
    if (isLeased) this.#granted = Math.min(this.#granted, keep);
    this.#requestedAt = at;
    // A process that was suspended has slots of calls whose answers it processed late: these cannot be used again.
    const mine = isLeased ? this.#granted : this.#alone(at);
    this.#pending = { keep, mine, ask: Math.max(keep, Math.min(want, this.#fair)), want, isForCancels, at };
    return this.#pending;
  }

  granted(request: SlotRequest, { slots, replicas, fair, free }: SlotGrant): void {
    if (request !== this.#pending) return;
    this.#pending = undefined;
    this.#until = request.at + OWN_LEASE_MS;
    this.#granted = slots;
    this.#replicas = replicas;
    this.#fair = fair;
    this.#free = free;
    this.look();
    if (this.#isWanted) this.demand();
    this.#isWanted = false;
  }

  /** Redis has not answered. The former grant stays valid for its time. */
  failed(request: SlotRequest): void {
    if (request === this.#pending) this.#pending = undefined;
  }

  /** Redis is connected again. Leased slots stay leased for their time. */
  begin(): void {
    this.#pending = undefined;
    this.#fair = this.counter.limit;
    this.#free = this.counter.limit;
  }

  /** Notifies waiting calls if there are more slots than before. */
  look(): void {
    const slots = this.slots();
    const isMore = slots > this.#seen;
    this.#seen = slots;
    if (isMore || (slots > 0 && this.#use().waiting > 0)) this.#changed();
  }

  /**
   * This replica's share of the limit while Redis is gone; 0 while that is not certain. Until the slots of the other replicas'
   * last leases have rested, it is at most the number leased here, if Redis had no time to grant those to others.
   */
  #alone(now: number): number {
    const { gone } = this.parts.engine;
    if (gone === undefined) return 0;
    const share = partOf(this.counter.limit, gone.replicas);
    if (now >= gone.since + DRIFT * (LEASE_MS + this.counter.windowMs) + MARGIN_MS) return share;
    return gone.since < gone.lastAnswerAt + LEASE_MS ? Math.min(share, this.#granted) : 0;
  }

  /** Whether a request would ask for no more than what is granted: the calls wait for something else than for further slots. */
  #hasAll(now: number): boolean {
    const { held, waiting, isForCancels } = this.#use();
    return this.#granted >= Math.min(this.#wanted(now, held + waiting, isForCancels), this.#fair);
  }

  /** Number of slots that would be used: the recent maximum of used and waited-for slots, and some for the next calls. */
  #wanted(at: number, used: number, isForCancels: boolean): number {
    if (used > 0) this.#usedAt = at;
    const { limit } = this.counter;
    // Where there are fewer slots than replicas, none is kept for calls that do not wait.
    if (this.#replicas > limit) return Math.min(limit, used);
    if (at - this.#usedAt >= IDLE_MS) return isForCancels ? 1 : 0;
    return Math.min(limit, this.#peak(at, used) + Math.max(1, Math.floor(limit * SPARE)));
  }

  #peak(at: number, used: number): number {
    if (at - this.#peakAt >= PEAK_MS) {
      this.#peaks = [at - this.#peakAt < 2 * PEAK_MS ? this.#peaks[1] : 0, used];
      this.#peakAt = at;
    } else if (used > this.#peaks[1]) this.#peaks = [this.#peaks[0], used];
    return Math.max(...this.#peaks);
  }
}

const UNUSED: SlotUse = { held: 0, waiting: 0, isForCancels: false };
/** Period of the maximum use; two periods are considered. */
const PEAK_MS = 1_000;
/** Replicas do not lose Redis at exactly the same time, and their calls are under way for a while. */
const MARGIN_MS = 500;
/** Maximum ratio between the speeds of two replicas' clocks. */
const DRIFT = 1.1;

import type { SharedCounter, SlotLease, SlotUse } from "../ports/rateBudgetStore.js";
import type { Engine } from "./engine.js";
import { LEASE_MS } from "./engineScripts.js";
import { partOf } from "./seen.js";
import { OWN_LEASE_MS } from "./slotScript.js";

/** A counter that nothing was sent for, or waited for, for so long is given up. */
const IDLE_MS = 2_000;
/** Slots beyond those in use that a busy replica keeps for the next calls, as a part of the limit. */
const SPARE = 0.1;
/** What is asked for while calls wait is asked for again after this at the soonest, ms. */
const DEMAND_EVERY_MS = 5;

/** What is asked of the engine for a counter. */
export interface SlotRequest {
  /** Slots that are occupied whatever it answers: those of calls under way, that rest, or that are used until then. */
  readonly keep: number;
  /** Slots of them that may be used now. */
  readonly mine: number;
  /** Slots that are to be granted. */
  readonly ask: number;
  /** Slots that would be used: what a fair share is measured by. */
  readonly want: number;
  readonly isForCancels: boolean;
  /** Before it was asked, by the monotonic clock. */
  readonly at: number;
}

/** What the engine has granted. */
export interface SlotGrant {
  readonly slots: number;
  readonly fair: number;
  readonly free: number;
}

/** What a counter's lease lives on. */
interface LeaseParts {
  readonly monotonic: () => number;
  readonly engine: Pick<Engine, "isUp" | "gone">;
  /** Has `next` called after so many milliseconds. */
  readonly demand: (lease: CounterLease, afterMs: number) => void;
}

/** One counter's slots of this replica, and what is to be asked for next. Measures time by the monotonic clock alone. */
export class CounterLease implements SlotLease {
  #granted = 0;
  /** When the lease ends here, before it ends at the engine. */
  #until = Number.NEGATIVE_INFINITY;
  #fair: number;
  #free: number;
  #asking: SlotRequest | undefined;
  #isWanted = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #usedAt = Number.NEGATIVE_INFINITY;
  /** The most that was in use, or waited for, in this stretch of time and the one before. */
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

  /** Whoever uses it from now on. */
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
    if (now < this.#until && this.#free === 0) return;
    if (this.#asking !== undefined) this.#isWanted = true;
    else this.parts.demand(this, Math.max(0, this.#askedAt + DEMAND_EVERY_MS - now));
  }

  release(): void {
    this.#isReleased = true;
    this.#use = () => UNUSED;
    this.#changed = () => undefined;
  }

  /** Has it been released, and is nothing leased any more? */
  get isOver(): boolean {
    return this.#isReleased && this.#asking === undefined && (this.#granted === 0 || this.parts.monotonic() >= this.#until);
  }

  /** What to ask for now; nothing where an answer is still out or the counter is not in use. */
  next(isClosing = false): SlotRequest | undefined {
    if (this.#asking !== undefined) return undefined;
    const at = this.parts.monotonic();
    const { held, waiting, isForCancels } = this.#use();
    const want = isClosing || this.#isReleased ? 0 : this.#wanted(at, held + waiting, isForCancels);
    const isLeased = at < this.#until;
    if (want === 0 && !(isLeased && this.#granted > 0)) return undefined;
    const keep = Math.max(held, isLeased ? Math.min(this.#granted, this.#fair, want) : this.#alone(at));
    // Until the answer is here no more is used than it will leave in any case.
    if (isLeased) this.#granted = Math.min(this.#granted, keep);
    this.#askedAt = at;
    // A process that was stopped holds slots of calls whose answers it saw late: these are not its own to use again.
    const mine = isLeased ? this.#granted : this.#alone(at);
    this.#asking = { keep, mine, ask: Math.max(keep, Math.min(want, this.#fair)), want, isForCancels, at };
    return this.#asking;
  }

  /** The engine has granted this. */
  granted(request: SlotRequest, { slots, fair, free }: SlotGrant): void {
    if (request !== this.#asking) return;
    this.#asking = undefined;
    this.#until = request.at + OWN_LEASE_MS;
    this.#granted = slots;
    this.#fair = fair;
    this.#free = free;
    this.look();
    if (this.#isWanted) this.demand();
    this.#isWanted = false;
  }

  /** It has not answered. What was granted before holds for its time. */
  failed(request: SlotRequest): void {
    if (request === this.#asking) this.#asking = undefined;
  }

  /** The engine is connected again. What is leased stays so for its time. */
  begin(): void {
    this.#asking = undefined;
    this.#fair = this.counter.limit;
    this.#free = this.counter.limit;
  }

  /** Tells whoever waits when there are more slots than at the last look. */
  look(): void {
    const slots = this.slots();
    const isMore = slots > this.#seen;
    this.#seen = slots;
    if (isMore || (slots > 0 && this.#use().waiting > 0)) this.#changed();
  }

  /**
   * This replica's part of the limit while the engine is gone; 0 as long as it is not known to be. Until the slots of the other replicas'
   * last leases have rested it is no more than was leased here, if the engine has had no time to give that to others.
   */
  #alone(now: number): number {
    const { gone } = this.parts.engine;
    if (gone === undefined) return 0;
    const share = partOf(this.counter.limit, gone.replicas);
    if (now >= gone.since + DRIFT * (LEASE_MS + this.counter.windowMs) + MARGIN_MS) return share;
    return gone.since < gone.heardAt + LEASE_MS ? Math.min(share, this.#granted) : 0;
  }

  /** Slots that would be used: what was in use or waited for of late, and some for the next calls. */
  #wanted(at: number, used: number, isForCancels: boolean): number {
    if (used > 0) this.#usedAt = at;
    const { limit } = this.counter;
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
/** What is used is looked back on for as long, at most twice. */
const PEAK_MS = 1_000;
/** Replicas hear of the engine for the last time not quite at once, and their calls are on the way for a while. */
const MARGIN_MS = 500;
/** A clock of a replica may go so much faster than another's. */
const DRIFT = 1.1;

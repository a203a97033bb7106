import type { SlotLease } from "../ports/rateBudgetStore.js";

/**
 * One of the exchange's counters as a budget: at most `limit` calls in ANY stretch of `windowMs`, wherever the
 * exchange's own window begins.
 *
 * We know when a call left and when its answer came, but not when the exchange counted it: somewhere in between. So a
 * slot stays taken from the moment a call leaves until one whole window after its answer. The next call in that slot
 * then reaches the exchange more than a window after the former one did, however unevenly the network treats the two.
 */
export class Budget {
  #inFlight = 0;
  /** When the slots of finished calls are free again, oldest first. */
  readonly #frees: Run[] = [];
  /** The slots of all runs. */
  #spent = 0;
  #closedUntil = 0;
  #taken = 0;

  /**
   * `share` gives the part of the limit that is ours to use, above 0 and up to 1; `lease` the slots of it that this replica
   * has, all of them by default.
   */
  constructor(
    readonly limit: number,
    readonly windowMs: number,
    private readonly share: () => number = () => 1,
    private readonly lease: Pick<SlotLease, "slots" | "expected"> = wholeOf(limit),
  ) {}

  /** Calls that may leave now. */
  left(now: number): number {
    this.#expire(now);
    if (now < this.#closedUntil) return 0;
    return Math.max(0, this.#allowed - this.#inFlight - this.#spent);
  }

  /** Slots of calls that are under way, or that rest. */
  held(now: number): number {
    this.#expire(now);
    return this.#inFlight + this.#spent;
  }

  /** Is nothing of it taken? Then another one that begins now is the same. */
  isIdle(now: number): boolean {
    this.#expire(now);
    return this.#inFlight === 0 && this.#spent === 0 && now >= this.#closedUntil;
  }

  /** Slots that are ours to use. */
  get #allowed(): number {
    return this.#ours(this.lease.slots());
  }

  /** Of less than one whole slot there is one, which rests for longer; where there is no slot there is none. */
  #ours(slots: number): number {
    return slots === 0 ? 0 : Math.max(1, Math.floor(slots * this.share()));
  }

  /**
   * Notes how things stand as a call leaves. What is given back says, of what the exchange then counts as left, how many
   * calls it counts that did not leave here.
   */
  departure(now: number): (remaining: number) => number {
    this.#expire(now);
    const [slots, held, taken] = [this.lease.slots(), this.#inFlight + this.#spent, this.#taken];
    // What other replicas have leased is counted by the exchange and is nobody else's; so is what was given up to them meanwhile.
    return (remaining) => Math.max(0, Math.min(slots, this.lease.slots()) - held - (this.#taken - taken) - remaining);
  }

  /** Takes a slot if there is one. Whoever takes one must `settle` it once. */
  take(now: number): boolean {
    if (this.left(now) === 0) return false;
    this.#inFlight++;
    this.#taken++;
    return true;
  }

  /** The answer came, or was given up on: the slot is free one window from now. */
  settle(now: number): void {
    this.#inFlight--;
    this.#spend(now, 1);
  }

  /** The call never left: the slot is free at once. */
  giveBack(): void {
    this.#inFlight--;
  }

  /**
   * The exchange says that `remaining` calls are left, and that may be fewer than we think when somebody else uses
   * the same key or address: the difference is counted as spent for one window.
   */
  correct(now: number, remaining: number): void {
    const excess = Math.min(this.left(now) - remaining, this.limit);
    if (excess > 0) this.#spend(now, excess);
  }

  /** A refusal for too many calls came all the same: nothing leaves for one window. */
  close(now: number): void {
    this.#closedUntil = now + this.windowMs + GUARD_MS;
  }

  /**
   * The earliest moment at which `ahead + 1` more calls can have left, as far as is known: never too late. Slots that are
   * expected from other replicas count as if they were here.
   */
  earliest(now: number, ahead: number): number {
    return this.#earliest(now, ahead, this.#ours(this.lease.expected()));
  }

  /** The same by the slots that are here alone: when those who wait are to be looked at again, if no slot comes before. */
  nextFree(now: number, ahead: number): number {
    return this.#earliest(now, ahead, this.#allowed);
  }

  #earliest(now: number, ahead: number, allowed: number): number {
    if (allowed === 0) return now + this.windowMs;
    this.#expire(now);
    const held = this.#inFlight + this.#spent;
    const free = now < this.#closedUntil ? 0 : Math.max(0, allowed - held);
    if (ahead < free) return now;
    const rounds = Math.floor((ahead - free) / allowed);
    const place = (ahead - free) % allowed;
    // Of what was spent before the share shrank, more has to come free.
    const beyond = Math.max(0, held - allowed);
    return Math.max(this.#freeAt(place + beyond) ?? now, this.#closedUntil, now) + rounds * this.#restMs;
  }

  /** How long a slot rests: a window, or as many as make a share of less than one slot. */
  get #restMs(): number {
    return Math.ceil(this.windowMs * Math.max(1, 1 / (Math.max(1, this.lease.slots()) * this.share())));
  }

  #spend(now: number, slots: number): void {
    const at = now + this.#restMs + GUARD_MS;
    const last = this.#frees.at(-1);
    if (last?.at === at) last.slots += slots;
    else this.#frees.push({ at, slots });
    this.#spent += slots;
  }

  /** When the slot at a place among the spent ones is free again; nothing where fewer are spent. */
  #freeAt(place: number): number | undefined {
    let before = 0;
    for (const { at, slots } of this.#frees) {
      before += slots;
      if (before > place) return at;
    }
    return undefined;
  }

  #expire(now: number): void {
    let expired = 0;
    for (const { at, slots } of this.#frees) {
      if (at > now) break;
      expired++;
      this.#spent -= slots;
    }
    if (expired > 0) this.#frees.splice(0, expired);
  }
}

/** Every slot. */
const wholeOf = (limit: number): Pick<SlotLease, "slots" | "expected"> => ({ slots: () => limit, expected: () => limit });

/** Slots that are free again at the same moment. */
interface Run {
  readonly at: number;
  slots: number;
}

/** Clocks count whole milliseconds; this covers the rounding of two of them. */
const GUARD_MS = 3;

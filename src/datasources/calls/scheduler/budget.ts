import type { SlotLease } from "./rateBudgetStore.js";

/**
 * A budget for one counter of the exchange: at most `limit` calls in ANY period of `windowMs`, wherever the exchange's own window
 * begins.
 *
 * It is known when a call was sent and when its answer arrived, but not when the exchange counted it in between. So a slot is
 * taken from sending until one whole window after the answer. The next call in that slot then reaches the exchange more than a
 * window after the former one, however network delays vary.
 */
export class Budget {
  #inFlight = 0;
  /** When the slots of finished calls become free, oldest first. */
  readonly #frees: Run[] = [];
  /** Number of slots in all runs. */
  #spent = 0;
  #closedUntil = 0;
  #taken = 0;

  /**
   * `share` returns the share of the limit that this gateway may use, above 0 and up to 1; `lease` the slots of this replica, by
   * default all.
   */
  constructor(
    readonly limit: number,
    readonly windowMs: number,
    private readonly share: () => number = () => 1,
    private readonly lease: Pick<SlotLease, "slots" | "expected"> = wholeOf(limit),
  ) {}

  /** Number of calls that may be sent now. */
  left(now: number): number {
    return this.#left(now, this.#allowed);
  }

  /** The same with the slots that no replica uses, which need only be leased. */
  unused(now: number): number {
    return this.#left(now, this.#ownShare(this.lease.expected()));
  }

  #left(now: number, allowed: number): number {
    this.#expire(now);
    if (now < this.#closedUntil) return 0;
    return Math.max(0, allowed - this.#inFlight - this.#spent);
  }

  /** Half of the slots that this gateway may use, which background calls leave to all others. */
  get half(): number {
    return Math.floor(this.#allowed / 2);
  }

  /** Slots of calls that have no answer yet, or whose window has not passed. */
  held(now: number): number {
    this.#expire(now);
    return this.#inFlight + this.#spent;
  }

  /** Adds the slots of another counter that has turned out to be the same one. */
  absorb(other: Budget, now: number): void {
    other.#expire(now);
    this.#inFlight += other.#inFlight;
    this.#taken += other.#taken;
    this.#spent += other.#spent;
    this.#frees.push(...other.#frees.map((run) => ({ ...run })));
    this.#frees.sort((one, another) => one.at - another.at);
    this.#closedUntil = Math.max(this.#closedUntil, other.#closedUntil);
  }

  /** Whether no slot is taken; then it equals a new budget. */
  isIdle(now: number): boolean {
    this.#expire(now);
    return this.#inFlight === 0 && this.#spent === 0 && now >= this.#closedUntil;
  }

  /** Slots that this gateway may use. */
  get #allowed(): number {
    return this.#ownShare(this.lease.slots());
  }

  /** A share of less than one slot counts as one slot, which rests for longer. The share of no slots is none. */
  #ownShare(slots: number): number {
    return slots === 0 ? 0 : Math.max(1, Math.floor(slots * this.share()));
  }

  /**
   * Records the state when a call is sent. The returned function takes the number of calls that the exchange reports as left, and
   * returns how many of those it counted were not sent from here.
   */
  departure(now: number): (remaining: number) => number {
    this.#expire(now);
    const [slots, held, taken] = [this.lease.slots(), this.#inFlight + this.#spent, this.#taken];
    // Slots that other replicas have leased, also in the meantime, are counted by the exchange but belong to no foreign client.
    return (remaining) => Math.max(0, Math.min(slots, this.lease.slots()) - held - (this.#taken - taken) - remaining);
  }

  /** Takes a slot if there is one. Each slot has to be settled once. */
  take(now: number): boolean {
    if (this.left(now) === 0) return false;
    this.#inFlight++;
    this.#taken++;
    return true;
  }

  /** The answer arrived, or its wait ended: the slot is free one window from now. */
  settle(now: number): void {
    this.#inFlight--;
    this.#spend(now, 1);
  }

  /** The call was not sent: the slot is free at once. */
  giveBack(): void {
    this.#inFlight--;
  }

  /**
   * The exchange reports `remaining` calls. They may be fewer than expected if another client uses the same key or address: the
   * difference counts as used for one window.
   */
  correct(now: number, remaining: number): void {
    const excess = Math.min(this.left(now) - remaining, this.limit);
    if (excess > 0) this.#spend(now, excess);
  }

  /** The exchange refused a call for its rate: no call is sent for one window. */
  close(now: number): void {
    this.#closedUntil = now + this.windowMs + GUARD_MS;
  }

  /**
   * Earliest time at which `ahead + 1` more calls can have been sent: a lower bound. Slots that are expected from other replicas
   * count as present.
   */
  earliest(now: number, ahead: number): number {
    return this.#earliest(now, ahead, this.#ownShare(this.lease.expected()));
  }

  /** The same by the slots of this replica alone: the time to check waiting calls again, if no slot comes before. */
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
    // After the share has shrunk, more of the used slots have to become free.
    const beyond = Math.max(0, held - allowed);
    return Math.max(this.#freeAt(place + beyond) ?? now, this.#closedUntil, now) + rounds * this.#restMs;
  }

  /** How long a slot rests: one window, or several if the share is less than one slot. */
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

  /** When the slot at a position among the used ones becomes free; undefined if fewer are used. */
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

/** A lease of all slots. */
const wholeOf = (limit: number): Pick<SlotLease, "slots" | "expected"> => ({ slots: () => limit, expected: () => limit });

/** Slots that become free at the same time. */
interface Run {
  readonly at: number;
  slots: number;
}

/** Clocks have whole milliseconds; this covers the rounding of two of them. */
const GUARD_MS = 3;

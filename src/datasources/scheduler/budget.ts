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
  /** When each finished call's slot is free again, oldest first. */
  readonly #frees: number[] = [];
  #closedUntil = 0;

  constructor(
    readonly limit: number,
    readonly windowMs: number,
  ) {}

  /** Calls that may leave now. */
  left(now: number): number {
    this.#expire(now);
    if (now < this.#closedUntil) return 0;
    return Math.max(0, this.limit - this.#inFlight - this.#frees.length);
  }

  /** Takes a slot if there is one. Whoever takes one must `settle` it once. */
  take(now: number): boolean {
    if (this.left(now) === 0) return false;
    this.#inFlight++;
    return true;
  }

  /** The answer came, or was given up on: the slot is free one window from now. */
  settle(now: number): void {
    this.#inFlight--;
    this.#frees.push(now + this.windowMs + GUARD_MS);
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
    for (let spent = 0; spent < excess; spent++) this.#frees.push(now + this.windowMs + GUARD_MS);
  }

  /** A refusal for too many calls came all the same: nothing leaves for one window. */
  close(now: number): void {
    this.#closedUntil = now + this.windowMs + GUARD_MS;
  }

  /** The earliest moment at which `ahead + 1` more calls can have left, as far as can be told: never too late. */
  earliest(now: number, ahead: number): number {
    const free = this.left(now);
    if (ahead < free) return now;
    const rounds = Math.floor((ahead - free) / this.limit);
    const place = (ahead - free) % this.limit;
    const next = this.#frees[place] ?? now;
    return Math.max(next, this.#closedUntil, now) + rounds * this.windowMs;
  }

  #expire(now: number): void {
    let expired = 0;
    while (expired < this.#frees.length && (this.#frees[expired] ?? 0) <= now) expired++;
    if (expired > 0) this.#frees.splice(0, expired);
  }
}

/** Clocks count whole milliseconds; this covers the rounding of two of them. */
const GUARD_MS = 3;

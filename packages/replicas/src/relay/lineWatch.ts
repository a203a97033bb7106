/** A leader without data from the exchange for this long gives another replica a chance. */
const DARK_MS = 5_000;
/** Time for which it then leaves the lease to the others. */
const STAND_BACK_MS = 5_000;

/**
 * Decides whether this replica may lead. Without data from the exchange the fault may be in its own connection, and other
 * replicas may do better.
 */
export class LineWatch {
  /** Time since when it leads without data; undefined if it has data, or no other replica listens. */
  #darkSince: number | undefined;
  #standsBackUntil = Number.NEGATIVE_INFINITY;

  mayLead(now: number, isUp: boolean): boolean {
    return isUp || now >= this.#standsBackUntil;
  }

  /** Called while it does not lead. */
  rest(): void {
    this.#darkSince = undefined;
  }

  /** Called while it leads. Returns true if another replica should lead from now on. */
  isOver(now: number, isUp: boolean, isWantedElsewhere: boolean): boolean {
    this.#darkSince = isUp || !isWantedElsewhere ? undefined : (this.#darkSince ?? now);
    if (this.#darkSince === undefined || now - this.#darkSince < DARK_MS) return false;
    this.#darkSince = undefined;
    this.#standsBackUntil = now + STAND_BACK_MS;
    return true;
  }
}

/** A leader to whom the exchange brings nothing for so long lets another replica try. */
const DARK_MS = 5_000;
/** It leaves the lease to the others for so long then. */
const STAND_BACK_MS = 5_000;

/** Is it this replica's turn to lead? Where the exchange brings it nothing the fault may be in its own line, and others can do better. */
export class LineWatch {
  /** Since when it leads and has had nothing; nothing where it has, or where nobody else listens. */
  #darkSince: number | undefined;
  #standsBackUntil = Number.NEGATIVE_INFINITY;

  mayLead(now: number, isUp: boolean): boolean {
    return isUp || now >= this.#standsBackUntil;
  }

  /** It does not lead now. */
  rest(): void {
    this.#darkSince = undefined;
  }

  /** It leads. True where it is another replica's turn from now on. */
  isOver(now: number, isUp: boolean, isWantedElsewhere: boolean): boolean {
    this.#darkSince = isUp || !isWantedElsewhere ? undefined : (this.#darkSince ?? now);
    if (this.#darkSince === undefined || now - this.#darkSince < DARK_MS) return false;
    this.#darkSince = undefined;
    this.#standsBackUntil = now + STAND_BACK_MS;
    return true;
  }
}

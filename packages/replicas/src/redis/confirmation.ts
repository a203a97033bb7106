/** Time for which a replica relies on having received all notices. */
export const CONFIRMED_FOR_MS = 1_000;

/**
 * Whether this replica has received the notices of other replicas up to a moment ago. Answers and notices arrive in one order, so
 * the answer to a command proves that all notices from before the command have arrived.
 *
 * After a pause notices may be waiting behind the first answer. The second command is sent after that one, and after the receipts
 * for those notices: its answer proves that the others know of this replica again.
 */
export class Confirmation {
  #at = Number.NEGATIVE_INFINITY;
  /** Time of the first answer after a pause. */
  #resumedAt: number | undefined;

  constructor(private readonly monotonic: () => number) {}

  get holds(): boolean {
    return this.monotonic() - this.#at < CONFIRMED_FOR_MS;
  }

  /** A command was answered. Both times are monotonic. */
  answered(sentAt: number, at: number): void {
    if (at - this.#at < CONFIRMED_FOR_MS || (this.#resumedAt !== undefined && sentAt >= this.#resumedAt)) {
      this.#at = Math.max(this.#at, sentAt);
      this.#resumedAt = undefined;
    } else this.#resumedAt ??= at;
  }

  /** A new connection receives all notices from this time on. */
  began(at: number): void {
    this.#at = Number.NEGATIVE_INFINITY;
    this.#resumedAt = at;
  }
}

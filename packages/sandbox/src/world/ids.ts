const PER_MS = 1_000_000n;

/** The first of a million numbers that belong to a millisecond. */
export const firstNumberOf = (at: number): bigint => BigInt(at) * PER_MS;

/**
 * Identifiers as the exchange gives them: 19 decimal digits, growing with time. The first 13 digits are the Unix time
 * in milliseconds, the rest counts; whoever sorts by id sorts by time.
 */
export class IdSequence {
  #last = 0n;
  #past: bigint;

  /** `now` is the time of the world in Unix ms; `pastFrom` where ids of the past begin to count. */
  constructor(
    private readonly now: () => number,
    pastFrom = 0,
  ) {
    this.#past = BigInt(pastFrom);
  }

  /** A new id, greater than every one before it. */
  next(): string {
    const earliest = firstNumberOf(this.now());
    this.#last = this.#last < earliest ? earliest : this.#last + 1n;
    return String(this.#last);
  }

  /** An id of something that happened at `at`, before the world began. At most a million of these are distinct. */
  past(at: number): string {
    const count: bigint = this.#past;
    this.#past = (count + 1n) % PER_MS;
    return String(firstNumberOf(at) + count);
  }
}

/** Orders two ids by age. They have equal length until the year 2286. */
export const byId = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

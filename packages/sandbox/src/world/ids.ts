const PER_MS = 1_000_000n;

/** The first of the million numbers of a millisecond. */
export const firstNumberOf = (at: number): bigint => BigInt(at) * PER_MS;

/**
 * The exchange's identifiers: 19 decimal digits, ascending with time. The first 13 digits are the Unix time in milliseconds, the
 * rest is a counter, so sorting by id is sorting by time.
 */
export class IdSequence {
  #last = 0n;
  #past: bigint;

  /** `now` is the time of the world in Unix ms; `pastFrom` where ids of the past begin to count. */
  constructor(
    private readonly now: () => number,
    pastFrom = 0n,
  ) {
    this.#past = pastFrom;
  }

  /** A new id, greater than every one before it. */
  next(): string {
    const earliest = firstNumberOf(this.now());
    this.#last = this.#last < earliest ? earliest : this.#last + 1n;
    return String(this.#last);
  }

  /** An id for a time `at` before the start of the world. At most a million of these are distinct. */
  past(at: number): string {
    const count: bigint = this.#past;
    this.#past = (count + 1n) % PER_MS;
    return String(firstNumberOf(at) + count);
  }

  /** Reserves `count` past ids: the returned sequence has the same ids whenever they are taken. */
  reserved(count: number): IdSequence {
    const sequence = new IdSequence(this.now, this.#past);
    this.#past = (this.#past + BigInt(count)) % PER_MS;
    return sequence;
  }
}

/** Orders two ids by age. They have equal length until the year 2286. */
export const byId = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

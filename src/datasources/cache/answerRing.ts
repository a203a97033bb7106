/** What is longer than this share of the ring would push too much out of it. */
const LONGEST = 1 / 8;

/**
 * Bodies of answers one after another in one buffer, where the newest take the place of the oldest. Most answers are kept for
 * seconds and never looked at again: each in memory of its own, they would be most of the garbage that outlives a young collection.
 */
export class AnswerRing {
  #bytes: Buffer | undefined;
  /** Bytes that were ever written, with those that were left out at the end of the buffer. */
  #written = 0;

  constructor(private readonly size: number) {}

  /** Copies a body. Gives its place; nothing for one that is too long. */
  add(body: Buffer): number | undefined {
    if (body.length > this.size * LONGEST) return undefined;
    this.#bytes ??= Buffer.allocUnsafeSlow(this.size);
    const left = this.size - (this.#written % this.size);
    if (body.length > left) this.#written += left;
    const place = this.#written;
    body.copy(this.#bytes, place % this.size);
    this.#written += body.length;
    return place;
  }

  /** The body at a place, as long as it is there. It has to be read before the next one is added. */
  at(place: number, length: number): Buffer | undefined {
    if (this.#written - place > this.size) return undefined;
    const from = place % this.size;
    return this.#bytes?.subarray(from, from + length);
  }
}

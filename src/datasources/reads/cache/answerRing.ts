/** Maximum length of a body as a share of the ring; a longer one would overwrite too many others. */
const LONGEST = 1 / 8;

/**
 * Bodies of answers in one ring buffer, where the newest overwrite the oldest. Most answers are kept for seconds and never read
 * again: in separate buffers they would be most of the garbage that survives a young collection.
 */
export class AnswerRing {
  #bytes: Buffer | undefined;
  /** Bytes written in total, including those skipped at the end of the buffer. */
  #written = 0;

  constructor(private readonly size: number) {}

  /** Copies a body and returns its position; undefined if it is too long. */
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

  /** The body at a position, while it is there. It has to be read before the next one is added. */
  at(place: number, length: number): Buffer | undefined {
    if (this.#written - place > this.size) return undefined;
    const from = place % this.size;
    return this.#bytes?.subarray(from, from + length);
  }
}

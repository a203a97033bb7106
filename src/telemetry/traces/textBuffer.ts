/** UTF-8 of a character of a text takes at most so many bytes. */
const MAX_BYTES = 3;

/** UTF-8 of texts that are written one after the other. Each may be forgotten at once: one long text of all would be collected late. */
export class TextBuffer {
  #buffer: Buffer;
  #length = 0;

  /** `bytes`: how much is likely to be written. */
  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafe(bytes);
  }

  write(text: string): void {
    const needed = this.#length + text.length * MAX_BYTES;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#length += this.#buffer.write(text, this.#length);
  }

  /** What was written. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}

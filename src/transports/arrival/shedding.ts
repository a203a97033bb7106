import type { Duplex } from "node:stream";

/** Closed connections per turn. Closing one takes about a tenth of a millisecond. */
const PER_TURN = 8;

/** Closes unwanted connections a few per turn of the event loop, so that a large number of them does not delay others. */
export class Shedding {
  readonly #waiting = new Map<Duplex, () => void>();

  /** Calls `end` soon, unless the connection has closed by then. */
  add(connection: Duplex, end: () => void): void {
    if (this.#waiting.size === 0) setImmediate(this.#slice);
    this.#waiting.set(connection, end);
  }

  readonly #slice = (): void => {
    let ended = 0;
    for (const [connection, end] of this.#waiting) {
      this.#waiting.delete(connection);
      if (connection.destroyed) continue;
      end();
      if (++ended === PER_TURN) break;
    }
    if (this.#waiting.size > 0) setImmediate(this.#slice);
  };
}

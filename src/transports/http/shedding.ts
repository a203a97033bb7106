import type { Duplex } from "node:stream";

/** Ending one takes about a tenth of a millisecond: those who are served wait less for a slice than for an answer. */
const PER_TURN = 8;

/** Ends connections that are not wanted any more a few in each turn of the event loop, however many there are at once. */
export class Shedding {
  readonly #waiting = new Map<Duplex, () => void>();

  /** Has `end` called soon, unless the connection has gone by then. */
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

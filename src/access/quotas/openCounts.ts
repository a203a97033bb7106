import type { EventEmitter } from "node:events";

/** Counts what is open, by whose it is. Holds as many entries as there are owners of something open. */
export class OpenCounts {
  readonly #counts = new Map<string, number>();

  /** How many of this owner's are open. */
  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  /** Counts one more for as long as it has not said `close`; gives how many there are with it. */
  add(owner: string, one: EventEmitter): number {
    const count = this.of(owner) + 1;
    this.#counts.set(owner, count);
    one.once("close", () => {
      const left = this.of(owner) - 1;
      if (left === 0) this.#counts.delete(owner);
      else this.#counts.set(owner, left);
    });
    return count;
  }
}

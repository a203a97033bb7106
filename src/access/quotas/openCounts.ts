import type { EventEmitter } from "node:events";

/** Counts open connections per owner. It has one entry per owner with open connections. */
export class OpenCounts {
  readonly #counts = new Map<string, number>();

  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  /** Counts one more until it emits `close`; returns the number including it. */
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

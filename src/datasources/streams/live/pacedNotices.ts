import type { Clock } from "@exchange-graph/contract/clock";

/** Changes within this time are reported together: prices of one time are pushed one by one. */
const GATHER_MS = 20;
const PACE_MS = 200;

/** Reports changes of prices to listeners, several changes at once. */
export class PacedNotices {
  readonly #listeners = new Set<() => void>();
  #cancel: (() => void) | undefined;
  /** Time of the last report, Unix ms. */
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reports a change soon. */
  book(): void {
    if (this.#listeners.size === 0 || this.#cancel !== undefined) return;
    const wait = Math.max(GATHER_MS, this.#lastAt + PACE_MS - this.clock.now());
    this.#cancel = this.clock.after(wait, () => {
      this.#cancel = undefined;
      this.#lastAt = this.clock.now();
      for (const listener of [...this.#listeners]) listener();
    });
  }

  close(): void {
    this.#listeners.clear();
    this.#cancel?.();
  }
}

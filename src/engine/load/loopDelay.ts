import type { Clock } from "@exchange-graph/contract/clock";

const SAMPLE_MS = 50;
/** Weight of a new sample in the moving average. */
const WEIGHT = 0.3;

/**
 * Delay of the event loop: a moving average over the smaller of two consecutive samples, so that a single long pause, such as at
 * the start, does not count as overload.
 */
export class LoopDelay {
  #averageMs = 0;
  #lastMs = 0;
  #dueAt = 0;
  #cancel: () => void = () => undefined;

  constructor(private readonly clock: Clock) {
    this.#book();
  }

  get ms(): number {
    return this.#averageMs;
  }

  close(): void {
    this.#cancel();
  }

  #book(): void {
    this.#dueAt = this.clock.now() + SAMPLE_MS;
    this.#cancel = this.clock.after(SAMPLE_MS, () => {
      const lateMs = Math.max(0, this.clock.now() - this.#dueAt);
      this.#averageMs += (Math.min(lateMs, this.#lastMs) - this.#averageMs) * WEIGHT;
      this.#lastMs = lateMs;
      this.#book();
    });
  }
}

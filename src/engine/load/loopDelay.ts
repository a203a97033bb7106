import type { Clock } from "@exchange-graph/contract/clock";

const SAMPLE_MS = 50;
/** The part that one more sample has in what is known. */
const WEIGHT = 0.3;

/**
 * How late the event loop is with what it has to do: a moving average over what two samples in a row have shown, so that one
 * long pause, such as that of a start, is not yet overload.
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

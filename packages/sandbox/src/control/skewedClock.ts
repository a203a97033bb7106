import type { Clock } from "@exchange-graph/contract/clock";

/** A clock with an adjustable error: the exchange's time then differs from its clients' by `skewMs`. */
export class SkewedClock implements Clock {
  /** Milliseconds ahead of the underlying clock; negative is behind. */
  skewMs = 0;

  constructor(readonly behind: Clock) {}

  now(): number {
    return this.behind.now() + this.skewMs;
  }

  after(delayMs: number, task: () => void): () => void {
    return this.behind.after(delayMs, task);
  }
}

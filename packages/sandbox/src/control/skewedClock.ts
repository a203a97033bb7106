import type { Clock } from "@exchange-graph/contract/clock";

/** A clock that can be set wrong on purpose: the exchange's hour is then `skewMs` away from its clients'. */
export class SkewedClock implements Clock {
  /** Milliseconds ahead of the clock behind it; negative is behind. */
  skewMs = 0;

  constructor(readonly behind: Clock) {}

  now(): number {
    return this.behind.now() + this.skewMs;
  }

  after(delayMs: number, task: () => void): () => void {
    return this.behind.after(delayMs, task);
  }
}

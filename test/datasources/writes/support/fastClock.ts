import type { Clock } from "@exchange-graph/contract/clock";

/** A clock that runs so many times faster than the machine's, from a moment on: two processes can share one. */
export const fastClock = ({
  from,
  since,
  factor,
}: {
  readonly from: number;
  readonly since: number;
  readonly factor: number;
}): Clock => ({
  now: () => Math.round(from + (Date.now() - since) * factor),
  after(delayMs, task) {
    const timer = setTimeout(task, Math.max(0, delayMs) / factor);
    return () => clearTimeout(timer);
  },
});

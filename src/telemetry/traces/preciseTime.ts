import type { Clock } from "@exchange-graph/contract/clock";

/** The clock's times are whole milliseconds, so both may differ by one without drifting apart. */
const MAX_DIFFERENCE_MS = 2;

/**
 * The clock's time with the fractions of a monotonic one, in ms. It follows the clock when that is set, or when the monotonic one
 * has stood still while the machine was suspended.
 */
export function preciseTime(clock: Pick<Clock, "now">, monotonic: () => number): () => number {
  let ahead = clock.now() - monotonic();
  return () => {
    const [at, ticks] = [clock.now(), monotonic()];
    if (Math.abs(ticks + ahead - at) > MAX_DIFFERENCE_MS) ahead = at - ticks;
    return ticks + ahead;
  };
}

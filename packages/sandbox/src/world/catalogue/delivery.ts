import { DAY_MS } from "@exchange-graph/contract/clock";
import type { Delivery } from "./instrument.js";

/** Futures month codes of the quarters' last months: March, June, September, December. */
const QUARTERS = [
  { month: 2, code: "H" },
  { month: 5, code: "M" },
  { month: 8, code: "U" },
  { month: 11, code: "Z" },
] as const;
const DELIVERY_HOUR = 8;
/** Minimum remaining lifetime of a contract when it is listed. */
const SHORTEST_LIFE_MS = 60 * DAY_MS;

/** The last Friday of a month at 08:00 UTC. */
function lastFriday(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0, DELIVERY_HOUR));
  return lastDay.getTime() - ((lastDay.getUTCDay() + 2) % 7) * DAY_MS;
}

/** The quarterly delivery to trade at `startMs`: its month code with two digits of the year, and its dates. */
export function quarterAfter(startMs: number): { readonly code: string; readonly delivery: Delivery } {
  for (let year = new Date(startMs).getUTCFullYear(); ; year++) {
    for (const { month, code } of QUARTERS) {
      const time = lastFriday(year, month);
      if (time < startMs + SHORTEST_LIFE_MS) continue;
      const period = time - startMs < 92 * DAY_MS ? "this_quarter" : "next_quarter";
      return {
        code: `${code}${String(year % 100).padStart(2, "0")}`,
        delivery: { startTime: time - 182 * DAY_MS, time, period },
      };
    }
  }
}

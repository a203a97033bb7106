import { DAY_MS } from "./clock.js";

/** A span of calendar time: the interface counts some windows in days and some in months. */
export type TimelineRange = { readonly days: number } | { readonly months: number };

/** The moment one span before `at` (Unix ms). A month before the 31st is the last day of the shorter month. */
export function before(at: number, span: TimelineRange): number {
  if ("days" in span) return at - span.days * DAY_MS;
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - span.months);
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, daysInMonth));
  return date.getTime();
}

/** The span in words, for example `90 days`. */
export const inWords = (span: TimelineRange): string => ("days" in span ? `${span.days} days` : `${span.months} months`);

/** Allowance for the time that a call takes, because the retention period moves meanwhile. */
const TRAVEL_MS = 5_000;
/** Calls within one second start at the same time, and thereby share their cached answer. */
const START_STEP_MS = 1_000;

/** The parameters that bound a query in time, their maximum distance and their maximum age. */
export interface WindowRule {
  readonly from: string;
  readonly to: string;
  /** The longest range between `from` and `to`. */
  readonly range?: TimelineRange;
  /** How long ago `from` may be. */
  readonly age?: TimelineRange;
}

/**
 * The start of a range of time in a call that is sent now (Unix ms): within the exchange's retention period when the call arrives,
 * and no later than the end of the range.
 */
export function keptStart({ age }: WindowRule, from: number, to: number, now: number): number {
  const limit = age === undefined ? undefined : before(now, age);
  // A range that ends before the exchange's history is left as it is: the exchange refuses it.
  if (limit === undefined || to < limit) return from;
  const oldest = Math.ceil((limit + TRAVEL_MS) / START_STEP_MS) * START_STEP_MS;
  return Math.max(from, Math.min(oldest, to));
}

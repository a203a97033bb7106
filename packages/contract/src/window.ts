import { DAY_MS } from "./clock.js";
/** A span of calendar time: the interface counts some windows in days and some in months. */
export type Span = { readonly days: number } | { readonly months: number };

/** The moment one span before `at` (Unix ms). A month before the 31st is the last day of the shorter month. */
export function before(at: number, span: Span): number {
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
export const inWords = (span: Span): string => ("days" in span ? `${span.days} days` : `${span.months} months`);

/** The parameters that bound a query in time, their maximum distance and their maximum age. */
export interface WindowRule {
  readonly from: string;
  readonly to: string;
  /** The longest range between `from` and `to`. */
  readonly range?: Span;
  /** How long ago `from` may be. */
  readonly age?: Span;
}

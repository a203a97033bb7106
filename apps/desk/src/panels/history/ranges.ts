import type { Zone } from "../../format/time.js";
import type { EquityInterval } from "../../graph/generated/graphql.js";
import { t } from "../../text/text.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Ranges that end now, with their lengths. */
export const RANGES = [
  { value: "1D", text: t("1D"), lengthMs: DAY_MS },
  { value: "1W", text: t("1W"), lengthMs: 7 * DAY_MS },
  { value: "1M", text: t("1M"), lengthMs: 30 * DAY_MS },
  { value: "3M", text: t("3M"), lengthMs: 90 * DAY_MS },
  { value: "1Y", text: t("1Y"), lengthMs: 365 * DAY_MS },
  // A curve of days has at most 3,000 points.
  { value: "all", text: t("All time"), lengthMs: 2_990 * DAY_MS },
] as const;
type RangeName = (typeof RANGES)[number]["value"];
const DEFAULT: RangeName = "1M";

/** The user's own range: its first and its last day, as `2026-11-26`. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

/** The chosen range: one that ends now, or of days. */
export type Range = RangeName | Days;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const isDay = (text: string): boolean => DAY.test(text) && !Number.isNaN(Date.parse(text));

/** The range of a part of the address, such as `3M` or `2026-10-01..2026-10-31`; another text is the default one. */
export function rangeFrom(text: string | undefined): Range {
  const [first = "", last = ""] = text?.split("..") ?? [];
  if (isDay(first) && isDay(last) && first <= last) return { first, last };
  return RANGES.find(({ value }) => value === text)?.value ?? DEFAULT;
}

export const addressOfRange = (range: Range): string => (typeof range === "string" ? range : `${range.first}..${range.last}`);

/** The start of a day of the time zone, Unix ms. */
const startOf = (day: string, zone: Zone): number => Date.parse(`${day}T00:00:00${zone === "UTC" ? "Z" : ""}`);

/** The day of the time zone that contains a time. */
export const dayIn = (zone: Zone, ms: number): string =>
  iso(zone === "UTC" ? ms : ms - new Date(ms).getTimezoneOffset() * MINUTE_MS).slice(0, 10);

/** Variables of the graph's fields about a range. */
export interface RangeRequest {
  readonly from: string;
  /** Null: up to now. */
  readonly to: string | null;
  readonly interval: EquityInterval;
}

/** Minutes are kept for this long. */
const MINUTES_KEPT_MS = 31 * DAY_MS;
/** The longest ranges that are drawn by minutes and by hours: performance is computed from the same ones. */
const [MINUTES_MS, HOURS_MS] = [2 * DAY_MS, 120 * DAY_MS];
/** Ranges that end now begin at a multiple of this, so that they do not change with each second. */
const STEADY_MS = 6 * HOUR_MS;

/** What is asked for at a time (Unix ms): an interval of which a curve has enough points, and not too many. */
export function requestOf(range: Range, zone: Zone, now: number): RangeRequest {
  const steady = Math.floor(now / STEADY_MS) * STEADY_MS;
  if (typeof range === "string") {
    const { lengthMs } = RANGES.find(({ value }) => value === range) ?? RANGES[2];
    return { from: iso(steady - lengthMs), to: null, interval: intervalOf(lengthMs, 0) };
  }
  const from = startOf(range.first, zone);
  const to = startOf(nextDay(range.last), zone);
  return { from: iso(from), to: to > now ? null : iso(to), interval: intervalOf(Math.min(to, now) - from, now - from) };
}

const iso = (ms: number): string => new Date(ms).toISOString();
const nextDay = (day: string): string => iso(Date.parse(day) + DAY_MS).slice(0, 10);

function intervalOf(lengthMs: number, ageMs: number): EquityInterval {
  if (lengthMs <= MINUTES_MS && ageMs < MINUTES_KEPT_MS) return "MINUTE";
  return lengthMs <= HOURS_MS ? "HOUR" : "DAY";
}

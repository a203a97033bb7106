import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { type Bar, joined } from "./bar.js";
import type { Listing, PriceKind } from "./listing.js";
import { type PricePath, TICK_MS } from "./path.js";
import type { Prints } from "./prints.js";

/** Candles of every interval, each the sum of its ticks. */

/** A length in minutes, or a calendar month. `offset`: distance of the grid before midnight UTC. */
export interface Interval {
  readonly ms: number | "month";
  readonly offsetMs: number;
}

/** Candles of six hours and longer start on the UTC+8 grid unless their name ends in `utc`. */
const EAST_MS = 8 * HOUR_MS;
/** Weeks begin on Monday; 1 January 1970 was a Thursday. */
const WEEK_SHIFT_MS = 3 * DAY_MS;

const even = (ms: number): Interval => ({ ms, offsetMs: 0 });
const eastAndUtc = (name: string, ms: number | "month", shiftMs = 0): readonly (readonly [string, Interval])[] => [
  [name, { ms, offsetMs: EAST_MS + shiftMs }],
  [`${name}utc`, { ms, offsetMs: shiftMs }],
];

export const INTERVALS: ReadonlyMap<string, Interval> = new Map([
  ["1m", even(MINUTE_MS)],
  ["3m", even(3 * MINUTE_MS)],
  ["5m", even(5 * MINUTE_MS)],
  ["15m", even(15 * MINUTE_MS)],
  ["30m", even(30 * MINUTE_MS)],
  ["1H", even(HOUR_MS)],
  ["2H", even(2 * HOUR_MS)],
  ["4H", even(4 * HOUR_MS)],
  ["8H", even(8 * HOUR_MS)],
  ...eastAndUtc("6H", 6 * HOUR_MS),
  ...eastAndUtc("12H", 12 * HOUR_MS),
  ...eastAndUtc("1D", DAY_MS),
  ...eastAndUtc("3D", 3 * DAY_MS),
  ...eastAndUtc("1W", 7 * DAY_MS, WEEK_SHIFT_MS),
  ...eastAndUtc("1M", "month"),
]);

export interface Candle {
  /** Unix ms. */
  readonly start: number;
  readonly open: Exact;
  readonly high: Exact;
  readonly low: Exact;
  readonly close: Exact;
  /** In base coin. */
  readonly volume: Exact;
  /** In quote coin. */
  readonly turnover: Exact;
}

/** Maximum length of a candle of this interval, ms: a month counts as 31 days. */
export const longestOf = ({ ms }: Interval): number => (ms === "month" ? 31 * DAY_MS : ms);

/** Start of the candle that contains a time. */
export function startOf(interval: Interval, at: number): number {
  const shifted = at + interval.offsetMs;
  if (interval.ms !== "month") return Math.floor(shifted / interval.ms) * interval.ms - interval.offsetMs;
  const date = new Date(shifted);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) - interval.offsetMs;
}

/** Start of the candle after the one that begins at `start`. */
export function endOf(interval: Interval, start: number): number {
  if (interval.ms !== "month") return start + interval.ms;
  const date = new Date(start + interval.offsetMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - interval.offsetMs;
}

/** The longest periods first: a span is covered with as few bars as possible. */
const STRETCHES: readonly { readonly ms: number; readonly bar: (path: PricePath, number: number) => Bar }[] = [
  { ms: DAY_MS, bar: (path, number) => path.day(number) },
  { ms: HOUR_MS, bar: (path, number) => path.hour(number) },
  { ms: MINUTE_MS, bar: (path, number) => path.minute(number) },
  { ms: TICK_MS, bar: tickBar },
];

/** The path from `from` to before `to`, both on ticks and at least one apart, Unix ms. */
export function span(path: PricePath, from: number, to: number): Bar {
  let whole: Bar | undefined;
  for (let at = from; at < to; ) {
    const stretch = STRETCHES.find(({ ms }) => at % ms === 0 && at + ms <= to);
    if (stretch === undefined) break;
    const bar = stretch.bar(path, at / stretch.ms);
    whole = whole === undefined ? bar : joined(whole, bar);
    at += stretch.ms;
  }
  if (whole === undefined) throw new RangeError("a span holds at least one tick");
  return whole;
}

/** The bar of a span whose end moves forward with the time: what it has covered already is not joined again. */
export class GrowingSpan {
  #from = Number.NaN;
  #to = Number.NaN;
  #bar: Bar | undefined;

  constructor(private readonly path: PricePath) {}

  /** As `span` gives it. */
  bar(from: number, to: number): Bar {
    const grows = this.#bar !== undefined && from === this.#from && to >= this.#to;
    if (this.#bar === undefined || !grows) this.#bar = span(this.path, from, to);
    else if (to > this.#to) this.#bar = joined(this.#bar, span(this.path, this.#to, to));
    this.#from = from;
    this.#to = to;
    return this.#bar;
  }
}

function tickBar(path: PricePath, tick: number): Bar {
  const { price, activity } = path.tick(tick);
  const open = path.tick(tick - 1).price;
  return { open, high: Math.max(open, price), low: Math.min(open, price), close: price, activity, worth: activity * price };
}

/** The candle from `start` to before `end`, including users' trades. */
export function candle(
  listing: Listing,
  prints: Prints,
  start: number,
  end: number,
  kind: PriceKind = "market",
  bar = span(listing.path, start, end),
): Candle {
  const priceOf = (points: number): Exact => listing.grid.price(listing.stepsOf(points, kind));
  const traded =
    kind === "market" ? { volume: listing.volumeOf(bar.activity), turnover: listing.turnoverOf(bar.worth) } : NOTHING;
  const whole = {
    start,
    open: priceOf(bar.open),
    high: priceOf(bar.high),
    low: priceOf(bar.low),
    close: priceOf(bar.close),
    ...traded,
  };
  return kind === "market" && !prints.isEmpty ? withPrints(whole, prints, end) : whole;
}

const NOTHING = { volume: exact("0"), turnover: exact("0") };

function withPrints(house: Candle, prints: Prints, end: number): Candle {
  const users = prints.sum(house.start, end);
  if (users === undefined) return house;
  return {
    ...house,
    high: users.high.gt(house.high) ? users.high : house.high,
    low: users.low.lt(house.low) ? users.low : house.low,
    volume: house.volume.plus(users.quantity),
    turnover: house.turnover.plus(users.value),
  };
}

/** Start of all market records: Wednesday, 1 January 2020. */
const FIRST_RECORD_MS = Date.UTC(2020, 0, 1);

/** The bars of an interval that begin at or after `from` and before `to`, oldest first, none of them later than `now`. */
export function candles(
  listing: Listing,
  prints: Prints,
  interval: Interval,
  window: { readonly from: number; readonly to: number; readonly now: number },
  kind: PriceKind = "market",
): readonly Candle[] {
  const rows: Candle[] = [];
  const present = Math.floor(window.now / TICK_MS) * TICK_MS + TICK_MS;
  const from = Math.max(window.from, FIRST_RECORD_MS);
  const first = startOf(interval, from);
  for (let start = first < from ? endOf(interval, first) : first; start < window.to && start < present; ) {
    const end = endOf(interval, start);
    rows.push(candle(listing, prints, start, Math.min(end, present), kind));
    start = end;
  }
  return rows;
}

import { type CANDLE_PRICES, type Candle, type CandleInterval, candles, historyCandles } from "@exchange-graph/contract/candle";
import { DAY_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { reversedRange } from "../../errors/index.js";
import { lengthOf } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { marketCategoryOf } from "./categories.js";

/** Maximum number of candles of one query. */
export const MAX_CANDLES = 1_000;
/** Number of candles without an argument. */
export const DEFAULT_CANDLES = 100;

/** A page of the archive has at most 100 candles, of at most 90 days: the interval bounds the number of pages. */
const ARCHIVE_PAGE = 100;
const ARCHIVE_RANGE_MS = 90 * DAY_MS;
const MAX_ARCHIVE_PAGES = MAX_CANDLES / ARCHIVE_PAGE;
/** Additional pages for short ones, and for the empty one at the end of the archive. */
const SHORT_PAGES = 2;

/** Maximum number of archive pages for a series. */
function archivePages(first: number, interval: CandleInterval): number {
  const page = Math.min(ARCHIVE_PAGE, Math.max(1, Math.floor(ARCHIVE_RANGE_MS / shortestOf(interval))));
  return Math.min(first, Math.ceil(first / page) + SHORT_PAGES, MAX_ARCHIVE_PAGES);
}

/** Maximum number of calls for a series. */
export const candleCalls = (first: number, interval: CandleInterval): number => 1 + archivePages(first, interval);

/** Maximum number of candles that begin between two times. */
export const candlesBetween = (fromMs: number, toMs: number, interval: CandleInterval): number =>
  Math.max(0, Math.floor((toMs - fromMs) / shortestOf(interval)) + 1);

interface CandleFilter {
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** Price that the candles are made of. Default: the price of trades. */
  readonly price?: (typeof CANDLE_PRICES)[number] | null | undefined;
  /** Unix ms: candles that start at or after `from`, and at or before `to`. */
  readonly from?: number | null | undefined;
  readonly to?: number | null | undefined;
  readonly first?: number | null | undefined;
}

/**
 * The newest `first` candles between `from` and `to`, oldest first, including the running one.
 *
 * The exchange has two lists: a recent one with limited depth (minutes: a month), and an archive of closed candles. Candles that
 * the recent one does not have are read from the archive, page by page back in time; an empty page is its end, a short one is
 * not. Pages are requested by their end only, because the lists count their start differently.
 */
export async function readCandles(reads: Reads, filter: CandleFilter): Promise<readonly Row<Candle>[]> {
  const { category, symbol, interval, price } = filter;
  const { from, to, first } = checked(filter, reads.now());
  const series = { category: marketCategoryOf(category), symbol: inCapitals(symbol), interval, type: price ?? undefined };
  // A candle that could not be decoded keeps its place.
  const isWithin = (candle: Row<Candle>) =>
    !isRead(candle) || (candle.startTime >= (from ?? candle.startTime) && candle.startTime <= (to ?? candle.startTime));
  const pages = archivePages(
    from === undefined ? first : Math.min(first, candlesBetween(from, to ?? reads.now(), interval)),
    interval,
  );
  let found = (await reads.read(candles, { ...series, endTime: to, limit: first })).filter(isWithin).slice(-first);
  for (let page = 0; page < pages && found.length < first && !reaches(found, interval, from); page++) {
    // The recent list includes its end, the archive does not.
    const endTime = oldestOf(found)?.startTime ?? (to ?? reads.now()) + 1;
    const limit = Math.min(first - found.length, ARCHIVE_PAGE);
    const older = (await reads.read(historyCandles, { ...series, endTime, limit }))
      .filter((candle) => isWithin(candle) && (!isRead(candle) || candle.startTime < endTime))
      .slice(-limit);
    found = [...older, ...found];
    if (!older.some(isRead)) break;
  }
  return found;
}

function checked({ from, to, first }: CandleFilter, now: number) {
  const count = lengthOf({ first }, MAX_CANDLES, DEFAULT_CANDLES);
  if (from !== undefined && from !== null && to !== undefined && to !== null && from > to) throw reversedRange(from, to);
  // With an end in the future, the exchange counts its rows back from that end, where there are no candles.
  const isOver = to !== undefined && to !== null && to <= now;
  return { from: from ?? undefined, to: isOver ? to : undefined, first: count };
}

/** The oldest candle with a known start. */
const oldestOf = (found: readonly Row<Candle>[]): Candle | undefined => found.find(isRead);

/** Whether the candle before the oldest one would start before `from`. */
const reaches = (found: readonly Row<Candle>[], interval: CandleInterval, from: number | undefined): boolean => {
  const oldest = oldestOf(found);
  return oldest !== undefined && from !== undefined && oldest.startTime - shortestOf(interval) < from;
};

/** Months at their minimum length. */
const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ["m", MINUTE_MS],
  ["H", 60 * MINUTE_MS],
  ["D", 1_440 * MINUTE_MS],
  ["W", 10_080 * MINUTE_MS],
  ["M", 40_320 * MINUTE_MS],
]);

/** Minimum length of a candle of an interval such as `15m` or `1Dutc`. */
function shortestOf(interval: CandleInterval): number {
  const [, count = "", unit = ""] = /^(\d+)([mHDWM])/.exec(interval) ?? [];
  return Number.parseInt(count, 10) * (UNITS_MS.get(unit) ?? 0);
}

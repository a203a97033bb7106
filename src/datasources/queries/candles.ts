import { type CANDLE_PRICES, type Candle, type CandleInterval, candles, historyCandles } from "@exchange-graph/contract/candle";
import { DAY_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { badInput } from "../fault.js";
import type { Reads } from "../reads/reads.js";
import { marketOf } from "./category.js";

/** The most candles that one query gives. */
export const MAX_CANDLES = 1_000;
/** How many it gives when it names no number. */
export const DEFAULT_CANDLES = 100;

/** The archive gives 100 candles at a time, of 90 days at most: however long a candle is, so many pages are turned. */
const ARCHIVE_PAGE = 100;
const ARCHIVE_RANGE_MS = 90 * DAY_MS;
const MAX_ARCHIVE_PAGES = MAX_CANDLES / ARCHIVE_PAGE;
/** Pages more than full ones would take: the archive gives short ones too, and an empty one where it ends. */
const SHORT_PAGES = 2;

/** Pages of the archive that a series takes at most. */
function archivePages(first: number, interval: CandleInterval): number {
  const page = Math.min(ARCHIVE_PAGE, Math.max(1, Math.floor(ARCHIVE_RANGE_MS / shortestOf(interval))));
  return Math.min(first, Math.ceil(first / page) + SHORT_PAGES, MAX_ARCHIVE_PAGES);
}

/** Calls that so many candles take at most. */
export const candleCalls = (first: number, interval: CandleInterval): number => 1 + archivePages(first, interval);

/** How many candles begin between two moments at most. */
export const candlesBetween = (fromMs: number, toMs: number, interval: CandleInterval): number =>
  Math.max(0, Math.floor((toMs - fromMs) / shortestOf(interval)) + 1);

interface CandleFilter {
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** Which price the candles follow. Default: that of the trades. */
  readonly price?: (typeof CANDLE_PRICES)[number] | null | undefined;
  /** Unix ms: candles that start from here on, and up to here, both included. */
  readonly from?: number | null | undefined;
  readonly to?: number | null | undefined;
  readonly first?: number | null | undefined;
}

/**
 * The newest `first` candles between `from` and `to`, oldest first, the running one included.
 *
 * The exchange has two lists: a recent one, which forgets (minutes after a month), and an archive of closed candles.
 * Whatever the recent one does not have is taken from the archive, page by page back in time; an empty page is its end,
 * a short one is not. Pages are asked for by their end alone: the lists differ in how they count their start.
 */
export async function readCandles(reads: Reads, filter: CandleFilter): Promise<readonly Row<Candle>[]> {
  const { category, symbol, interval, price } = filter;
  const { from, to, first } = checked(filter, reads.now());
  const series = { category: marketOf(category), symbol: inCapitals(symbol), interval, type: price ?? undefined };
  // One that could not be read keeps its place.
  const isWithin = (candle: Row<Candle>) =>
    !isRead(candle) || (candle.start >= (from ?? candle.start) && candle.start <= (to ?? candle.start));
  const pages = archivePages(
    from === undefined ? first : Math.min(first, candlesBetween(from, to ?? reads.now(), interval)),
    interval,
  );
  let found = (await reads.read(candles, { ...series, endTime: to, limit: first })).filter(isWithin).slice(-first);
  for (let page = 0; page < pages && found.length < first && !reaches(found, interval, from); page++) {
    // The recent list includes its end, the archive does not.
    const endTime = oldestOf(found)?.start ?? (to ?? reads.now()) + 1;
    const limit = Math.min(first - found.length, ARCHIVE_PAGE);
    const older = (await reads.read(historyCandles, { ...series, endTime, limit }))
      .filter((candle) => isWithin(candle) && (!isRead(candle) || candle.start < endTime))
      .slice(-limit);
    found = [...older, ...found];
    if (!older.some(isRead)) break;
  }
  return found;
}

function checked({ from, to, first }: CandleFilter, now: number) {
  const count = first ?? DEFAULT_CANDLES;
  if (count < 1 || count > MAX_CANDLES)
    throw badInput([{ argument: "first", rule: `must be a whole number from 1 to ${MAX_CANDLES}` }]);
  if (from !== undefined && from !== null && to !== undefined && to !== null && from > to)
    throw badInput([{ argument: "to", rule: "must not be before from" }]);
  // The exchange counts its rows back from an end that is still to come, and has none there.
  const isOver = to !== undefined && to !== null && to <= now;
  return { from: from ?? undefined, to: isOver ? to : undefined, first: count };
}

/** The oldest one whose start is known. */
const oldestOf = (found: readonly Row<Candle>[]): Candle | undefined => found.find(isRead);

/** Would the candle before the oldest one start before `from`? */
const reaches = (found: readonly Row<Candle>[], interval: CandleInterval, from: number | undefined): boolean => {
  const oldest = oldestOf(found);
  return oldest !== undefined && from !== undefined && oldest.start - shortestOf(interval) < from;
};

/** Months are counted at their shortest. */
const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ["m", MINUTE_MS],
  ["H", 60 * MINUTE_MS],
  ["D", 1_440 * MINUTE_MS],
  ["W", 10_080 * MINUTE_MS],
  ["M", 40_320 * MINUTE_MS],
]);

/** The shortest a candle of this interval can be: `15m`, `1Dutc`. */
function shortestOf(interval: CandleInterval): number {
  const [, count = "", unit = ""] = /^(\d+)([mHDWM])/.exec(interval) ?? [];
  return Number.parseInt(count, 10) * (UNITS_MS.get(unit) ?? 0);
}

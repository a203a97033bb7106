import { MINUTE_MS } from "@exchange-graph/contract/clock";
import { isCursorLike } from "../../datasources/paging/cursor.js";
import { DEFAULT_FIRST, MAX_FIRST } from "../../datasources/paging/pager.js";
import { candleCalls, candlesBetween, DEFAULT_CANDLES, MAX_CANDLES } from "../../datasources/queries/candles.js";
import { callsAtMost, type PagedName } from "../../datasources/queries/pageCounts.js";
import type { Amount, AskedArguments, FieldCost, KeptList, Place } from "../../schema/cost.js";
import { CandleInterval } from "../../schema/enums/candle.js";
import { categoryNamed } from "../../schema/enums/category.js";
import { SpotOrderKindInput } from "../../schema/enums/order.js";

/** Figures of which the exchange has fewer today. None of them bounds an answer, they only say what one may come to. */
export const SYMBOLS = 3_000;
export const COINS = 1_500;
/** What a list that changes slowly can have grown by since it was seen, or since it was counted: a tenth, and so many. */
const GROWTH = 10;

/** A whole number between bounds; whatever else was asked for is refused before it costs anything. */
export const bounded = (asked: unknown, otherwise: number, max: number): number =>
  typeof asked === "number" && Number.isInteger(asked) ? Math.min(Math.max(asked, 0), max) : otherwise;

export const first = ({ first }: AskedArguments): number => bounded(first, DEFAULT_FIRST, MAX_FIRST);

/** As many rows as were named, and never more than `all`. */
export const namedOf = (names: unknown, all: number): number =>
  Array.isArray(names) ? Math.min(new Set(names).size, all) : typeof names === "string" ? Math.min(1, all) : all;

/** As many rows as an argument names, all of them otherwise. */
export const named =
  (argument: string, all: Amount): Amount =>
  (asked, place) =>
    namedOf(asked[argument], typeof all === "function" ? all(asked, place) : all);

/** The rows of a list that is kept, or the most there can be. */
export const rowsOf = ({ outlook }: Place, list: KeptList, most: number, category?: string): number =>
  Math.min(most, outlook.kept(list, category) ?? most);

/** What a list can have by now that is as long as another one, which is kept. */
const grown = (rows: number, most: number): number => Math.min(most, Math.ceil(rows * 1.1) + GROWTH);

/** Symbols of categories. */
export function symbolsIn(place: Place, categories: readonly (string | undefined)[]): number {
  const rows = categories.map((category) => rowsOf(place, "instruments", SYMBOLS, category));
  return grown(
    rows.reduce((sum, count) => sum + count, 0),
    SYMBOLS,
  );
}

/** Coins that an account can have. */
export const coinsIn = (place: Place, most = COINS): number => grown(rowsOf(place, "coins", COINS), most);

/** One call for a list, or none where its answer is kept. */
export const unlessKept =
  (list: KeptList): Amount =>
  (_asked, { outlook }) =>
    outlook.kept(list) === undefined ? 1 : 0;

const textOf = (asked: unknown): string | undefined => (typeof asked === "string" ? asked : undefined);

/** A time that was asked for, Unix ms: `NaN` where none can be read, nothing where none was. */
function timeOf(asked: unknown): number | undefined {
  if (asked === null || asked === undefined) return undefined;
  return typeof asked === "string" ? Date.parse(asked) : Number.NaN;
}

const spotOrderKinds = new Map(Object.entries(SpotOrderKindInput));
/** The calls of a page. What is no cursor of any list is refused before the first. */
export function callsFor(query: PagedName, asked: AskedArguments, { mode, outlook }: Place): number {
  const { after, category, symbol, orderId, tpslType } = asked;
  if (typeof after === "string" && !isCursorLike(after)) return 0;
  return callsAtMost(
    query,
    {
      first: first(asked),
      hasCursor: after !== null && after !== undefined,
      from: timeOf(asked.from),
      to: timeOf(asked.to),
      category: categoryNamed(category),
      symbol: textOf(symbol),
      orderId: textOf(orderId),
      tpslType: spotOrderKinds.get(String(tpslType)),
    },
    mode,
    outlook.now(),
  );
}

/** A list that is read page by page. */
export const paged = (query: PagedName): FieldCost => ({
  refused: (asked, place) => callsFor(query, asked, place) === 0,
  calls: (asked, place) => callsFor(query, asked, place),
  rows: first,
});

const intervalOf = new Map(Object.entries(CandleInterval));
/** How many candles a query gives at most. */
function candlesOf(asked: AskedArguments, { outlook }: Place): number {
  const count = bounded(asked.first, DEFAULT_CANDLES, MAX_CANDLES);
  const interval = intervalOf.get(String(asked.interval));
  const from = timeOf(asked.from);
  if (interval === undefined || from === undefined || Number.isNaN(from)) return count;
  const now = outlook.now() + MINUTE_MS;
  const to = Math.min(timeOf(asked.to) ?? now, now);
  return Number.isNaN(to) ? count : Math.min(count, candlesBetween(from, to, interval));
}
export const candles: FieldCost = {
  calls(asked, place) {
    const interval = intervalOf.get(String(asked.interval));
    return interval === undefined ? candleCalls(MAX_CANDLES, "1M") : candleCalls(candlesOf(asked, place), interval);
  },
  rows: candlesOf,
};

import { FUTURES_CATEGORIES, PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { Amount, AskedArguments, CostContext, KeptList, OwnList } from "./cost.js";

/**
 * How long lists can be, for `rows` of `@Cost`. Those that are not asked for by number can be longer than what the exchange has
 * today; none of these bounds an answer, they only say what an operation may come to.
 */
export const SYMBOLS = 3_000;
export const COINS = 1_500;
/** Coins that one kind of futures is margined in. */
const MARGIN_COINS = 50;
export const TIERS = 50;
export const FEES = 10;
/** Rows of one event of a stream. */
export const EVENT_ROWS = 500;

/** What a list that changes slowly can have grown by since it was seen, or since it was counted: a tenth, and so many. */
const GROWTH = 10;

/** A whole number between bounds; whatever else was asked for is refused before it costs anything. */
export const bounded = (asked: unknown, otherwise: number, max: number): number =>
  typeof asked === "number" && Number.isInteger(asked) ? Math.min(Math.max(asked, 0), max) : otherwise;

/** As many rows as were named, and never more than `all`. */
export const namedOf = (names: unknown, all: number): number =>
  Array.isArray(names) ? Math.min(new Set(names).size, all) : typeof names === "string" ? Math.min(1, all) : all;

/** As many rows as an argument names, all of them otherwise. */
export const named =
  (argument: string, all: Amount): Amount =>
  (asked, place) =>
    namedOf(asked[argument], typeof all === "function" ? all(asked, place) : all);

/** The rows of a list that is kept, or the most there can be. */
export const rowsOf = ({ outlook }: CostContext, list: KeptList, most: number, category?: string): number =>
  Math.min(most, outlook.kept(list, category) ?? most);

/** What a list can have by now that is as long as another one, which is kept. */
const grown = (rows: number, most: number): number => Math.min(most, Math.ceil(rows * 1.1) + GROWTH);

/** Symbols of categories; `undefined` stands for all of them. */
export function symbolsIn(place: CostContext, categories: readonly (string | undefined)[]): number {
  const rows = categories.map((category) => rowsOf(place, "instruments", SYMBOLS, category));
  return grown(
    rows.reduce((sum, count) => sum + count, 0),
    SYMBOLS,
  );
}

export const symbols = (_asked: AskedArguments, place: CostContext): number => symbolsIn(place, PRODUCT_CATEGORIES);

const coinsIn = (place: CostContext, most: number): number => grown(rowsOf(place, "coins", COINS), most);
export const accountCoins = (_asked: AskedArguments, place: CostContext): number => coinsIn(place, COINS);
export const marginCoins = (_asked: AskedArguments, place: CostContext): number => coinsIn(place, MARGIN_COINS);
export const futuresAccounts = FUTURES_CATEGORIES.length * MARGIN_COINS;

/** What the gateway has at the moment may grow until it is shown. */
export const own =
  (list: OwnList) =>
  (_asked: AskedArguments, { outlook }: CostContext): number =>
    2 * outlook.own(list) + 5;
export const accounts = (_asked: AskedArguments, { outlook }: CostContext): number => outlook.accounts().length;
/** One of each account, and one of all. */
export const halts = (...given: Parameters<typeof accounts>): number => accounts(...given) + 1;

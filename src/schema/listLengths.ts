import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { FUTURES_CATEGORIES, isFuturesCategory, PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { Amount, ArgumentValues, CostContext, KeptList, OwnList } from "./cost.js";
import { categoryNamed } from "./enums/category.js";

/**
 * Assumed maximum lengths of lists, for `rows` of `@Cost`. Lists without a `first` argument can be longer than the exchange's
 * lists are today. These numbers bound no answer; they only enter the estimate of an operation.
 */
export const SYMBOLS = 3_000;
export const COINS = 1_500;
/** Margin coins of one futures category. */
const MARGIN_COINS = 50;
export const TIERS = 50;
/** Chains of one coin. */
export const CHAINS = 20;
export const FEES = 10;
export const EVENT_ROWS = 500;

/** Allowance for growth of a slowly changing list since its length was known: a tenth, plus this number of rows. */
const GROWTH = 10;

/** The argument limited to 0…`max` if it is a whole number, else `otherwise`. The resolver refuses values outside its bounds. */
export const bounded = (argument: unknown, otherwise: number, max: number): number =>
  typeof argument === "number" && Number.isInteger(argument) ? Math.min(Math.max(argument, 0), max) : otherwise;

/** The number of distinct names in an argument, at most `all`. */
export const namedOf = (names: unknown, all: number): number =>
  Array.isArray(names) ? Math.min(new Set(names).size, all) : typeof names === "string" ? Math.min(1, all) : all;

/** As many rows as the argument names; all without it. */
export const named =
  (argument: string, all: Amount): Amount =>
  (args, place) =>
    namedOf(args[argument], typeof all === "function" ? all(args, place) : all);

/** Rows of a cached list, or `most` if it is not cached. */
export const rowsOf = ({ outlook }: CostContext, list: KeptList, most: number, category?: string): number =>
  Math.min(most, outlook.kept(list, category) ?? most);

/** Upper estimate for a list that is about as long as a cached one. */
const grown = (rows: number, most: number): number => Math.min(most, Math.ceil(rows * 1.1) + GROWTH);

/** Number of symbols in categories; `undefined` is an unknown category and counts as all. */
export function symbolsIn(place: CostContext, categories: readonly (string | undefined)[]): number {
  const rows = categories.map((category) => rowsOf(place, "instruments", SYMBOLS, category));
  return grown(
    rows.reduce((sum, count) => sum + count, 0),
    SYMBOLS,
  );
}

/** Rows of the requested category, or of all of them: those of the requested symbols. `length`: that of a category's list. */
export const symbolRows =
  (length: (place: CostContext, category: string) => number, all: readonly string[] = PRODUCT_CATEGORIES) =>
  ({ category, symbols }: ArgumentValues, place: CostContext): number => {
    const one = categoryNamed(category);
    const categories = one === undefined ? all : [one];
    return categories.reduce((sum, each) => sum + namedOf(symbols, length(place, each)), 0);
  };

/** Fees of a category, or of all: the list of one category of futures of a Classic account has those of all. */
export const feeRates: Amount = (args, place) => {
  const isOfFutures = isFuturesCategory(categoryNamed(args.category) ?? "");
  return symbolRows((_, one) => symbolsIn(place, isOfFutures ? FUTURES_CATEGORIES : [one]))(args, place);
};

export const symbols = (_args: ArgumentValues, place: CostContext): number => symbolsIn(place, PRODUCT_CATEGORIES);

const coinsIn = (place: CostContext, most: number): number => grown(rowsOf(place, "coins", COINS), most);
export const accountCoins = (_args: ArgumentValues, place: CostContext): number => coinsIn(place, COINS);
export const marginCoins = (_args: ArgumentValues, place: CostContext): number => coinsIn(place, MARGIN_COINS);
export const futuresAccounts = FUTURES_CATEGORIES.length * MARGIN_COINS;

/** The gateway's own lists may grow between the estimate and the answer. */
export const own =
  (list: OwnList) =>
  (_args: ArgumentValues, { outlook }: CostContext): number =>
    2 * outlook.own(list) + 5;
export const accounts = (_args: ArgumentValues, { outlook }: CostContext): number => outlook.accounts().length;
/** At most one per account and one for all accounts. */
export const halts = (...args: Parameters<typeof accounts>): number => accounts(...args) + 1;

/** Length of the intervals of an equity curve, by their names; single samples may be a minute apart. */
const INTERVALS: ReadonlyMap<unknown, number> = new Map([
  ["MINUTE", MINUTE_MS],
  ["HOUR", HOUR_MS],
  ["DAY", DAY_MS],
]);
/** Maximum number of points of a curve; the resolver refuses longer ranges. */
const EQUITY_POINTS = 3_000;

/** Number of points in the requested range of time. */
export function pointCount({ from, to, interval }: ArgumentValues, { outlook }: CostContext, otherwise: string): number {
  const at = (time: unknown, missing: number) => (typeof time === "string" ? Date.parse(time) : missing);
  const points = (at(to, outlook.now()) - at(from, 0)) / (INTERVALS.get(interval ?? otherwise) ?? MINUTE_MS);
  return Number.isFinite(points) ? Math.min(Math.max(Math.ceil(points) + 1, 0), EQUITY_POINTS) : EQUITY_POINTS;
}

/** Number of points in the range that the parent field requests. */
export const equityPoints = (_args: ArgumentValues, place: CostContext): number => pointCount(place.parent, place, "HOUR");

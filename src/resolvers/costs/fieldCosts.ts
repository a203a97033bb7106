import { DEFAULT_DEPTH } from "../../datasources/queries/orderBook.js";
import {
  type AskedArguments,
  type FieldCost,
  MARKET_LISTS,
  type MarketList,
  type OwnList,
  type Place,
} from "../../schema/cost.js";
import { categoryNamed, FuturesCategoryInput, ProductCategoryInput } from "../../schema/enums/category.js";
import { bounded, coinsIn, symbolsIn } from "./amounts.js";

/**
 * How long lists can be that are not asked for by number. Each is more than the exchange has today; none of them bounds
 * an answer, they only say what an operation may come to.
 */
/** Coins that one kind of futures is margined in. */
export const MARGIN_COINS = 50;
const POSITIONS = 1_000;
export const LOANS = 500;
export const PRODUCTS = 1_000;
export const SUB_ACCOUNTS = 500;
const BOOK_LEVELS = 1_000;
export const STREAMS = 10;
export const EVENT_ROWS = 500;
export const TIERS = 50;
/** The look-up of what is known to wait for a trigger: among those that wait, and among those that did. */
export const TRIGGER_LOOKUP = 2;
export const FEES = 10;
export const ERRORS = 20;

export const FUTURES: readonly string[] = Object.values(FuturesCategoryInput);
export const CATEGORIES: readonly string[] = Object.values(ProductCategoryInput);

/** Rows of the exchange's largest page, whatever the list. */
export const PAGE = 100;

/** The category that was asked for, or all of some. */
export const asked = (category: unknown, otherwise: readonly string[]): readonly string[] => {
  const one = categoryNamed(category);
  return one === undefined ? otherwise : [one];
};

/** What rows are looked up in by their category, or by the one that is asked for. */
export const joined = (...lists: readonly MarketList[]): FieldCost => ({
  lists: (asked, place) => Object.fromEntries(lists.map((list) => [list, [categoryNamed(asked.category) ?? place.category]])),
});
/** Tickers of margin are picked by its instruments. */
export const ticker: FieldCost = {
  lists(asked, place) {
    const category = categoryNamed(asked.category) ?? place.category;
    return { tickers: [category], instruments: category === undefined || category === "MARGIN" ? ["MARGIN"] : [] };
  },
};
export const instrument = joined("instruments");
/** Every coin is valued at its pair with USDT. */
export const IN_USDT = { tickers: ["SPOT"] };
export const usdtPrice: FieldCost = { lists: IN_USDT };

/** A list that accounts of one mode alone have: it is refused to others before anything is sent. */
export const only = (mode: NonNullable<Place["mode"]>, cost: FieldCost): FieldCost => ({
  ...cost,
  refused: (_asked, place) => place.mode !== undefined && place.mode !== mode,
  calls: 1,
});

/** Open positions that a symbol can have: one of each side, on coin margin in each of a few coins. */
const positionsOf = (category: string): number => (category === "COIN-FUTURES" ? 6 : 2);
export const positionRows = ({ category, symbol }: AskedArguments, place: Place): number =>
  asked(category, FUTURES)
    .map((one) => positionsOf(one) * (typeof symbol === "string" ? 1 : symbolsIn(place, [one])))
    .reduce((sum, rows) => Math.min(sum + rows, POSITIONS), 0);

/** Levels of a side. A book that is not asked for by a number of levels is that of a stream. */
export const levels = (_asked: AskedArguments, { parent: { depth } }: Place): number =>
  depth === null ? DEFAULT_DEPTH : bounded(depth, BOOK_LEVELS, BOOK_LEVELS);

export const coins = (_asked: AskedArguments, place: Place): number => coinsIn(place);
export const marginCoins = (_asked: AskedArguments, place: Place): number => coinsIn(place, MARGIN_COINS);

/** What the gateway has at the moment may grow until it is shown. */
export const own =
  (list: OwnList) =>
  (_asked: AskedArguments, { outlook }: Place): number =>
    2 * outlook.own(list) + 5;
export const accounts = (_asked: AskedArguments, { outlook }: Place): number => outlook.accounts().length;
/** One of each account, and one of all. */
export const halts = (...given: Parameters<typeof accounts>): number => accounts(...given) + 1;

/** A write reads what its rules ask for, is sent, and is looked up when its answer is lost. */
export const write = {
  calls: 12,
  lists: Object.fromEntries(MARKET_LISTS.map((list) => [list, [undefined]])),
} satisfies FieldCost;

export const cancelsOpen = (input: unknown): boolean =>
  typeof input === "object" && input !== null && "cancelOpen" in input && input.cancelOpen === true;

export const eachOf = (names: readonly string[], cost: FieldCost): Readonly<Record<string, FieldCost>> =>
  Object.fromEntries(names.map((name) => [name, cost]));

/** The settings, and the rules of the symbol. */
export const futuresSettings: FieldCost = {
  calls: (_asked, { mode }) => (mode === "UNIFIED" ? 1 : 2),
  lists: ({ category }, { mode }) => (mode === "CLASSIC" ? {} : { instruments: [categoryNamed(category)] }),
};

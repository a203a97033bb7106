import { FUTURES_CATEGORIES, MARKET_CATEGORIES, PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";

/** Arguments of a field as they were asked for, defaults included; what is wrong with them is not known yet. */
export type AskedArguments = Readonly<Record<string, unknown>>;

/** A number, or one that depends on the arguments, and on the time (Unix ms) where these name times. */
export type Amount = number | ((asked: AskedArguments, now: number) => number);

/** Lists of a whole market. One operation reads each of their categories once, however many rows look into it. */
export const MARKET_LISTS = [
  "classicTickers",
  "contracts",
  "fundingRates",
  "instruments",
  "marginPairs",
  "spotSymbols",
  "tickers",
] as const;
export type MarketList = (typeof MARKET_LISTS)[number];

/** How many categories of each are looked into. */
export type MarketLists = Partial<Readonly<Record<MarketList, number>>>;

/** How many categories each of them has. */
export const LIST_CATEGORIES: Readonly<Record<MarketList, number>> = {
  classicTickers: MARKET_CATEGORIES.length,
  contracts: FUTURES_CATEGORIES.length,
  fundingRates: FUTURES_CATEGORIES.length,
  instruments: PRODUCT_CATEGORIES.length,
  marginPairs: 1,
  spotSymbols: 1,
  tickers: MARKET_CATEGORIES.length,
};

/** Categories of futures. */
export const FUTURES_KINDS = FUTURES_CATEGORIES.length;

/** What a field can cost at most: in calls to the exchange, repeated tries aside, and in rows of its list. */
export interface FieldCost {
  /** Calls of its own. Equal questions of one operation are one call, so a field costs them once per distinct parent. */
  readonly calls?: Amount;
  /** What it costs depends on the time. */
  readonly overTime?: true;
  /** The distinct parents are accounts, wherever it is asked for. */
  readonly perAccount?: true;
  /** Every question is a call, equal ones too. */
  readonly neverShared?: true;
  /** Categories of these lists that it looks into; `category` is that of the rows that it is read for, where it is known. */
  readonly lists?: MarketLists | ((asked: AskedArguments, category: string | undefined) => MarketLists);
  /** The types that it can give, where its arguments tell: what is asked of others costs nothing. */
  readonly types?: (asked: AskedArguments) => readonly string[];
  /** Rows of the list, or of the connection, that it gives; `accounts`: one for each account of the gateway. */
  readonly rows?: Amount | "accounts";
}

const COST = "cost";

/** Notes on a field what it costs. */
export function declareCost(field: { extensions: Readonly<Record<string, unknown>> }, cost: FieldCost): void {
  field.extensions = { ...field.extensions, [COST]: cost };
}

/** What a field of the graph has declared; nothing for what is read off its parent. */
export const costOf = ({ extensions }: { readonly extensions: Readonly<Record<string, unknown>> }): FieldCost | undefined =>
  extensions[COST] as FieldCost | undefined;

import { FUTURES_CATEGORIES, MARKET_CATEGORIES, PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { Extensions } from "type-graphql";
import type { AccountMode } from "./enums/account.js";

/** Arguments of a field as they were asked for, defaults included; what is wrong with them is not known yet. */
export type AskedArguments = Readonly<Record<string, unknown>>;

/** An account of the gateway, and its mode if that is known and will be for as long as an operation takes. */
export interface PricedAccount {
  readonly name: string;
  readonly mode: AccountMode | undefined;
}

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

/** The categories of each of them. */
const LIST_CATEGORIES: Readonly<Record<MarketList, readonly string[]>> = {
  classicTickers: MARKET_CATEGORIES,
  contracts: FUTURES_CATEGORIES,
  fundingRates: FUTURES_CATEGORIES,
  instruments: PRODUCT_CATEGORIES,
  marginPairs: ["MARGIN"],
  spotSymbols: ["SPOT"],
  tickers: MARKET_CATEGORIES,
};

/** The categories under which a list has what is of a category, or of any: margin is quoted as spot. */
export function listedUnder(list: MarketList, category: string | undefined): readonly string[] {
  const all = LIST_CATEGORIES[list];
  if (category === undefined) return all;
  const listed = category === "MARGIN" && all === MARKET_CATEGORIES ? "SPOT" : category;
  return all.filter((one) => one === listed);
}

/** Lists whose length may be known. */
export type KeptList = MarketList | "coins" | "discountRates" | "discountTiers" | "loanCoins" | "pledgeCoins";

/** Lists of what the gateway itself has at this moment. */
export type OwnList = "budgets" | "breakers" | "connections" | "sharedCounters";

/** What is known, when an operation is priced, of what it will meet. */
export interface Outlook {
  /** The exchange's time, Unix ms. */
  now(): number;
  /** The accounts of the gateway. */
  accounts(): readonly PricedAccount[];
  /**
   * How many rows a list has whose answer is kept for longer than an operation takes: reading it is no call. Nothing where
   * it is not kept. `category`: the exchange's word for it, where the list is of one.
   */
  kept(list: KeptList, category?: string): number | undefined;
  /** Rows that the gateway has at this moment. */
  own(list: OwnList): number;
}

/** What is known of the place in which a field is asked for. */
export interface CostContext {
  readonly outlook: Outlook;
  /** The mode of the accounts that its parents are of; nothing where they have several, or it is not known. */
  readonly mode: AccountMode | undefined;
  /** The category that its parents are of, as the exchange calls it; nothing where it is not known. */
  readonly category: string | undefined;
  /** The arguments that its parents were asked for by. */
  readonly parent: AskedArguments;
}

/** A number, or one that depends on the arguments and the place. */
export type Amount = number | ((asked: AskedArguments, place: CostContext) => number);

/** Which categories of the market's lists are looked into; `undefined` stands for any of them. */
type MarketReads = Partial<Readonly<Record<MarketList, readonly (string | undefined)[]>>>;

/** What a field returns, as far as its arguments say: the number of objects, their type, accounts and category. */
export interface Found {
  readonly count: number;
  /** What is asked of other types costs nothing. */
  readonly type?: string;
  /** Nothing where the objects are of no account. */
  readonly accounts?: readonly PricedAccount[];
  readonly category?: string | undefined;
}

/** What a field can cost at most: in calls to the exchange, repeated tries aside, and in rows of its list. */
export interface FieldCost {
  /** Calls of its own. Equal questions of one operation are one call, so a field costs them once per distinct parent. */
  readonly calls?: Amount;
  /** Most calls of its own for one account, however many parents there are: the resolver refuses what is more. */
  readonly mostPerAccount?: number;
  /** The distinct parents are accounts, wherever it is asked for. */
  readonly perAccount?: true;
  /** Is it certain that it is refused, before anything is sent? Then it has no rows, and nothing below it. */
  readonly refused?: (asked: AskedArguments, place: CostContext) => boolean;
  /** Every question is a call, equal ones too. */
  readonly neverShared?: true;
  /** Lists of the market that it looks into. */
  readonly lists?: MarketReads | ((asked: AskedArguments, place: CostContext) => MarketReads);
  /**
   * A list of the account's, one for each category of futures: one operation reads each once, however many rows and fields
   * look into it. Nothing where it is not read in that place.
   */
  readonly accountList?: (asked: AskedArguments, place: CostContext) => string | undefined;
  /** The objects that it returns. Default: one, or its `rows`, of the parent's account and category. */
  readonly finds?: (asked: AskedArguments, outlook: Outlook) => readonly Found[];
  /** The category of what it returns. Default: that of its argument `category`, or else its parent's. */
  readonly category?: (asked: AskedArguments, place: CostContext) => string | undefined;
  /** Rows of the list, or of the connection, that it gives. */
  readonly rows?: Amount;
}

const COST = "cost";

/** Declares what a field can cost. Fields that are read off their parent declare nothing; a list of objects declares its `rows`. */
export const Cost = (cost: FieldCost): MethodDecorator & PropertyDecorator => Extensions({ [COST]: cost });

/** What a field of the graph has declared; nothing for what is read off its parent. */
export const costOf = ({ extensions }: { readonly extensions: Readonly<Record<string, unknown>> }): FieldCost | undefined =>
  extensions[COST] as FieldCost | undefined;

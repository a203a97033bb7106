import { FUTURES_CATEGORIES, MARKET_CATEGORIES, PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { Extensions } from "type-graphql";
import type { AccountMode } from "./enums/account.js";

/** Arguments of a field with their defaults, before validation by its resolver. */
export type ArgumentValues = Readonly<Record<string, unknown>>;

/** A configured account, and its mode if the mode is known and stays valid for the length of an operation. */
export interface PricedAccount {
  readonly name: string;
  /** The exchange's user; undefined if it is not known. */
  readonly user?: string | undefined;
  readonly mode: AccountMode | undefined;
}

/** Lists of a whole market. One operation reads each of their categories once, for any number of rows that use it. */
export const MARKET_LISTS = [
  "chains",
  "classicTickers",
  "contracts",
  "fundingRates",
  "instruments",
  "loanTerms",
  "marginPairs",
  "openInterests",
  "spotSymbols",
  "tickers",
] as const;
export type MarketList = (typeof MARKET_LISTS)[number];

const LIST_CATEGORIES: Readonly<Record<MarketList, readonly string[]>> = {
  chains: ["SPOT"],
  classicTickers: MARKET_CATEGORIES,
  contracts: FUTURES_CATEGORIES,
  fundingRates: FUTURES_CATEGORIES,
  instruments: PRODUCT_CATEGORIES,
  loanTerms: ["SPOT"],
  marginPairs: ["MARGIN"],
  openInterests: FUTURES_CATEGORIES,
  spotSymbols: ["SPOT"],
  tickers: MARKET_CATEGORIES,
};

/** The categories of a list that contain symbols of `category`, or all of them without one. Margin pairs are quoted as spot. */
export function listedUnder(list: MarketList, category: string | undefined): readonly string[] {
  const all = LIST_CATEGORIES[list];
  if (category === undefined) return all;
  const listed = category === "MARGIN" && all === MARKET_CATEGORIES ? "SPOT" : category;
  return all.filter((one) => one === listed);
}

/** Lists whose length can be known from the cache. */
export type KeptList = MarketList | "coins" | "discountRates" | "discountTiers" | "loanCoins" | "pledgeCoins";

/** Lists of the gateway's own state. */
export type OwnList = "budgets" | "breakers" | "connections" | "sharedCounters" | "liveLists" | "histories";

/** State of the gateway that estimates depend on. */
export interface EstimateState {
  /** The exchange's time, Unix ms. */
  now(): number;
  accounts(): readonly PricedAccount[];
  /**
   * Number of rows of a list whose cached answer outlives an operation, so that reading it is no upstream call; undefined if it
   * is not cached so. `category`: the exchange's word, if the list is per category.
   */
  kept(list: KeptList, category?: string): number | undefined;
  /** Current number of rows of a list of the gateway's own state. */
  own(list: OwnList): number;
}

/** Context of a field in an operation, for its estimate. */
export interface CostContext {
  readonly outlook: EstimateState;
  /** Mode of the parents' accounts; undefined if they differ or it is not known. */
  readonly mode: AccountMode | undefined;
  /** Category of the parents, in the exchange's words; undefined if it is not known. */
  readonly category: string | undefined;
  readonly parent: ArgumentValues;
}

/** A number, or a function of the field's arguments and context. */
export type Amount = number | ((args: ArgumentValues, place: CostContext) => number);

/** Categories of the market lists that are read; `undefined` is an unknown category, so all of them. */
type MarketReads = Partial<Readonly<Record<MarketList, readonly (string | undefined)[]>>>;

/** Objects that a field returns, as estimated from its arguments: their number, type, accounts and category. */
export interface Found {
  readonly count: number;
  /** Fields of other types cost nothing. */
  readonly type?: string;
  /** Undefined if the objects belong to no account. */
  readonly accounts?: readonly PricedAccount[];
  readonly category?: string | undefined;
}

/** A page of a list of an account. The list is one per futures category, or one for all of them. */
export interface AccountList {
  readonly page: string;
  readonly isOfAll?: boolean;
}

/** Maximum cost of a field, in calls to the exchange without retries, and in rows of its list. */
export interface FieldCost {
  /** Calls of the field itself. Equal reads within an operation are one call, so they count once per distinct parent. */
  readonly calls?: Amount;
  /** Maximum calls of the field for one account, for any number of parents; the resolver refuses more. */
  readonly mostPerAccount?: number;
  /** The field's calls count once per account, wherever it is selected. */
  readonly perAccount?: true;
  /** Whether the field is certainly refused before a call is sent. Then it has no rows, and fields below it cost nothing. */
  readonly refused?: (args: ArgumentValues, place: CostContext) => boolean;
  /** Equal reads are separate calls. */
  readonly neverShared?: true;
  readonly lists?: MarketReads | ((args: ArgumentValues, place: CostContext) => MarketReads);
  /**
   * Pages of the account's lists that the field reads. One operation reads each once, for any number of rows and fields.
   */
  readonly accountLists?: (args: ArgumentValues, place: CostContext) => readonly AccountList[];
  /** The returned objects. Default: one, or `rows`, of the parent's account and category. */
  readonly finds?: (args: ArgumentValues, outlook: EstimateState) => readonly Found[];
  /** The category of the returned objects. Default: the argument `category`, then the parent's category. */
  readonly category?: (args: ArgumentValues, place: CostContext) => string | undefined;
  /** Rows of the returned list or connection. */
  readonly rows?: Amount;
}

const COST = "cost";

/**
 * Declares the maximum cost of a field. A field that is a property of its parent declares nothing; a list of objects declares
 * `rows`.
 */
export const Cost = (cost: FieldCost): MethodDecorator & PropertyDecorator => Extensions({ [COST]: cost });

/** The declared cost of a field; undefined for a property of its parent. */
export const costOf = ({ extensions }: { readonly extensions: Readonly<Record<string, unknown>> }): FieldCost | undefined =>
  extensions[COST] as FieldCost | undefined;

/** Whether a field may call the exchange. */
export function mayCall(field: Parameters<typeof costOf>[0]): boolean {
  const { calls, lists, accountLists } = costOf(field) ?? {};
  return calls !== undefined || lists !== undefined || accountLists !== undefined;
}

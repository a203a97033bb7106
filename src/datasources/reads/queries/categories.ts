import type { Row } from "@exchange-graph/contract/rows";
import {
  FUTURES_CATEGORIES,
  type FuturesCategory,
  type FuturesProductType,
  isFuturesCategory,
  PRODUCT_CATEGORIES,
  type ProductCategory,
} from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { isUnreadPart, readableParts, type UnreadPart } from "../../errors/index.js";
import type { Reads } from "../reader/reads.js";

export { isFuturesCategory, marketCategoryOf } from "@exchange-graph/contract/vocabulary";

/** A row of a list by category, with that category, which the exchange does not repeat. */
export type Listed<R, C extends ProductCategory> = R & { readonly category: C };

/** The demo twins of the futures categories, which Classic accounts alone have. */
type DemoProductType = Exclude<FuturesProductType, FuturesCategory>;
export const isDemoProductType = (category: ProductCategory | FuturesProductType): category is DemoProductType =>
  category.endsWith("-FUTURES") && !isFuturesCategory(category);

/** Lists without a category: the exchange has one per category, and those are merged. */

/** One category, or several whose lists are merged. */
export type OneOrMore<C extends ProductCategory> = C | readonly C[];
export const each = <C extends ProductCategory>(category: OneOrMore<C>): readonly C[] =>
  typeof category === "string" ? [category] : category;

/** The requested one of these; all of them if none is. */
export const among = <C extends string>(all: readonly C[], requested: string | null | undefined): readonly C[] =>
  all.filter((one) => (requested ?? one) === one);

/** A category as the graph spells it. */
export const partNamed = (category: string): string => category.replaceAll("-", "_");

/** The rows of several parts one after the other. */
export const inOneList = <R>(parts: readonly (readonly Row<R>[] | UnreadPart)[]): readonly Row<R>[] =>
  parts.flatMap((part) => (isUnreadPart(part) ? [part] : part));

/** The rows of a category, or of all categories one after the other: one that cannot be read is an `UnreadPart` in their place. */
export async function inEach<R, C extends string>(
  category: C | null | undefined,
  all: readonly C[],
  read: (category: C) => Promise<readonly Row<R>[]>,
): Promise<readonly Row<R>[]> {
  if (category !== null && category !== undefined) return read(category);
  return inOneList(await readableParts(all.map((one) => [partNamed(one), read(one)] as const)));
}

/** Categories in which accounts trade. */
export const CATEGORIES_OF = {
  UNIFIED: PRODUCT_CATEGORIES,
  CLASSIC: ["SPOT", ...FUTURES_CATEGORIES],
} as const satisfies Readonly<Record<AccountMode, readonly ProductCategory[]>>;

/** Reads with the listed symbols, by which the categories of a symbol are found. */
export interface SymbolReads extends Reads {
  readonly loaders: { instrument(category: ProductCategory, symbol: string): Promise<object | null> };
}

/** The categories that list a symbol, of these. */
export async function listing<C extends ProductCategory>(
  reads: SymbolReads,
  categories: readonly C[],
  symbol: string,
): Promise<readonly C[]> {
  const listings = await Promise.all(categories.map((one) => reads.loaders.instrument(one, symbol)));
  return categories.filter((_, at) => listings[at] !== null);
}

interface CategoryQuery<C> {
  readonly category?: C | null | undefined;
  readonly symbol?: string | null | undefined;
}

/**
 * The categories whose lists are read: the requested one, or else those of the account in which the symbol is listed. If it is
 * listed nowhere, it may have been: then all of them.
 */
export async function requestedCategories<C extends ProductCategory>(
  reads: SymbolReads,
  account: ExchangeAccount,
  { category, symbol }: CategoryQuery<C>,
  ofMode: (mode: AccountMode) => readonly C[],
): Promise<readonly C[]> {
  if (category !== undefined && category !== null) return [category];
  const all = ofMode(await reads.modeOf(account));
  if (symbol === undefined || symbol === null) return all;
  const found = await listing(reads, all, symbol);
  return found.length === 0 ? all : found;
}

import { FUTURES_CATEGORIES, type FuturesCategory, type ProductCategory } from "@exchange-graph/contract/vocabulary";

export { marketOf } from "@exchange-graph/contract/vocabulary";

/** A row of a list that is asked for by category, with that category: the exchange does not repeat it. */
export type Listed<R, C extends ProductCategory> = R & { readonly category: C };

/** Is this one of the three kinds of futures? */
export const isFuturesCategory = (category: string): category is FuturesCategory =>
  FUTURES_CATEGORIES.some((known) => known === category);

import type { Page } from "../../contract/page.js";
import { mapRows } from "../../contract/rows.js";
import { withCategory } from "../../contract/trading.js";
import { FUTURES_CATEGORIES, type FuturesCategory, type ProductCategory } from "../../contract/vocabulary.js";

export { marketOf } from "../../contract/vocabulary.js";

/** A row of a list that is asked for by category, with that category: the exchange does not repeat it. */
export type Listed<R, C extends ProductCategory> = R & { readonly category: C };

/** Is this one of the three kinds of futures? */
export const isFuturesCategory = (category: string): category is FuturesCategory =>
  FUTURES_CATEGORIES.some((known) => known === category);

/** Puts the category back into the rows of a page, where the exchange leaves it out. */
export const pageUnder =
  <C extends FuturesCategory>(category: C) =>
  <R extends object>({ list, cursor }: Page<R>) => ({ list: mapRows(list, (row) => withCategory(category, row)), cursor });

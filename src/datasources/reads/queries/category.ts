import {
  FUTURES_CATEGORIES,
  type FuturesCategory,
  type FuturesProductType,
  type ProductCategory,
} from "@exchange-graph/contract/vocabulary";

export { marketCategoryOf } from "@exchange-graph/contract/vocabulary";

/** A row of a list by category, with that category, which the exchange does not repeat. */
export type Listed<R, C extends ProductCategory> = R & { readonly category: C };

/** Whether a category is one of the three futures categories. */
export const isFuturesCategory = (category: string): category is FuturesCategory =>
  FUTURES_CATEGORIES.some((known) => known === category);

/** The demo twins of the futures categories, which Classic accounts alone have. */
type DemoProductType = Exclude<FuturesProductType, FuturesCategory>;
export const isDemoProductType = (category: ProductCategory | FuturesProductType): category is DemoProductType =>
  category.endsWith("-FUTURES") && !isFuturesCategory(category);

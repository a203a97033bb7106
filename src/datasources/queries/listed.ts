import {
  FUTURES_CATEGORIES,
  type FuturesCategory,
  type MarketCategory,
  type ProductCategory,
} from "../../contract/vocabulary.js";

/** A row of a list that is asked for by category, with that category: the exchange does not repeat it. */
export type Listed<R, C extends ProductCategory> = R & { readonly category: C };

/** Where a product is quoted: margin trades at the prices of spot. */
export const marketOf = (category: ProductCategory): MarketCategory => (category === "MARGIN" ? "SPOT" : category);

export const isFuturesCategory = (category: string): category is FuturesCategory =>
  FUTURES_CATEGORIES.some((known) => known === category);

/**
 * Works something out of a whole answer, once: requests share an answer as long as it is cached. `more` must be the
 * same for one answer, as the category is that a list was asked for by.
 */
export function oncePerAnswer<A extends object, M extends readonly unknown[], D extends object>(
  work: (answer: A, ...more: M) => D,
): (answer: A, ...more: M) => D {
  const done = new WeakMap<A, D>();
  return (answer, ...more) => {
    const known = done.get(answer);
    if (known !== undefined) return known;
    const result = work(answer, ...more);
    done.set(answer, result);
    return result;
  };
}

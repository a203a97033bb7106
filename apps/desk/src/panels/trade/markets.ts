import { graphql } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import type { Category } from "../market.js";

const MarketsOf = graphql(`
  query MarketsOf($category: ProductCategoryInput!) {
    instruments(category: $category) {
      symbol
    }
  }
`);

/** All markets of a category. */
export function useMarkets(category: Category): readonly { readonly symbol: string }[] {
  const { data } = useRead(MarketsOf, { category });
  return data?.instruments?.filter((row) => row !== null) ?? [];
}

import { inCapitals } from "@exchange-graph/contract/letterCase";
import { publicTrades } from "@exchange-graph/contract/publicTrade";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reads/reads.js";
import { marketOf } from "./category.js";

/** The latest trades of a symbol, newest first: 1 to 100 of them. */
export const readTrades = (
  reads: Reads,
  {
    category,
    symbol,
    first,
  }: { readonly category: ProductCategory; readonly symbol: string; readonly first?: number | null | undefined },
) =>
  reads.read(publicTrades, { category: marketOf(category), symbol: inCapitals(symbol), limit: first ?? undefined }, undefined, {
    limit: "first",
  });

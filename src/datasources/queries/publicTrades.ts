import { publicTrades } from "../../contract/publicTrade.js";
import type { ProductCategory } from "../../contract/vocabulary.js";
import type { RequestReads } from "../reads/requestReads.js";
import { marketOf } from "./category.js";

/** The latest trades of a symbol, newest first: 1 to 100 of them. */
export const readTrades = (
  reads: RequestReads,
  {
    category,
    symbol,
    first,
  }: { readonly category: ProductCategory; readonly symbol: string; readonly first?: number | null | undefined },
) => reads.read(publicTrades, { category: marketOf(category), symbol, limit: first ?? undefined }, undefined, { limit: "first" });

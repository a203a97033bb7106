import { type OrderBook, orderBook } from "@exchange-graph/contract/book";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { publicTrades } from "@exchange-graph/contract/publicTrade";
import type { MarketCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reader/reads.js";
import { type Listed, marketCategoryOf } from "./category.js";

/** An order book with its category and symbol. */
type ListedOrderBook = Listed<OrderBook, MarketCategory> & {
  readonly symbol: string;
  readonly isStale: boolean;
  /** Requested levels per side. */
  readonly depth: number;
};

/** A depth is rounded up to one of these, so that different depths share an answer. */
const DEPTHS = [1, 5, 15, 50, 100, 200];

/** The current order book of a symbol, with at most `depth` levels per side: 1 to 200. */
export async function readOrderBook(
  reads: Reads,
  { category, symbol, depth }: { readonly category: ProductCategory; readonly symbol: string; readonly depth: number },
): Promise<ListedOrderBook> {
  const market = { category: marketCategoryOf(category), symbol: inCapitals(symbol) };
  const limit = depth < 1 ? depth : (DEPTHS.find((step) => step >= depth) ?? depth);
  const book = await reads.read(orderBook, { ...market, limit }, undefined, { limit: "depth" });
  return {
    ...book,
    ...market,
    depth,
    isStale: false,
    asks: book.asks.slice(0, depth),
    bids: book.bids.slice(0, depth),
  };
}

/** The latest trades of a symbol, newest first: 1 to 100 of them. */
export const readTrades = (
  reads: Reads,
  {
    category,
    symbol,
    first,
  }: { readonly category: ProductCategory; readonly symbol: string; readonly first?: number | null | undefined },
) =>
  reads.read(
    publicTrades,
    { category: marketCategoryOf(category), symbol: inCapitals(symbol), limit: first ?? undefined },
    undefined,
    {
      limit: "first",
    },
  );

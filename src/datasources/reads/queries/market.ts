import { type OrderBook, orderBook } from "@exchange-graph/contract/book";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { type PublicTrade, publicTrades } from "@exchange-graph/contract/publicTrade";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import type { MarketCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reader/reads.js";
import { type Listed, marketCategoryOf } from "./categories.js";
import { oncePerAnswer } from "./keptLists.js";

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

/** A market: a margin pair trades on the market of spot. */
interface TradedMarket {
  readonly category: MarketCategory;
  readonly symbol: string;
}

/** A trade with its market, which the exchange does not repeat. */
export const tradeOf = ({ category, symbol }: TradedMarket, trade: PublicTrade) => ({ category, symbol, ...trade });

const listedTrades = oncePerAnswer((trades: readonly Row<PublicTrade>[], market: TradedMarket) =>
  mapRows(trades, (trade) => tradeOf(market, trade)),
);

/** The latest trades of a symbol, newest first: 1 to 100 of them. */
export async function readTrades(
  reads: Reads,
  {
    category,
    symbol,
    first,
  }: { readonly category: ProductCategory; readonly symbol: string; readonly first?: number | null | undefined },
) {
  const market = { category: marketCategoryOf(category), symbol: inCapitals(symbol) };
  const trades = await reads.read(publicTrades, { ...market, limit: first ?? undefined }, undefined, { limit: "first" });
  return listedTrades(trades, market);
}

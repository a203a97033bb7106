import { mapRows, type Row } from "@exchange-graph/contract/rows";
import { type Ticker, tickers } from "@exchange-graph/contract/ticker";
import type { MarketCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reads/reads.js";
import { type Listed, marketOf } from "./category.js";
import { type Names, named } from "./named.js";
import { oncePerAnswer } from "./oncePerAnswer.js";

/** A ticker with the category that it was asked for in. */
export type ListedTicker = Listed<Ticker, MarketCategory>;

const listed = oncePerAnswer((rows: readonly Row<Ticker>[], category: MarketCategory): readonly Row<ListedTicker>[] =>
  mapRows(rows, (row) => ({ ...row, category })),
);

/**
 * Tickers of a category; margin's are those of spot. The whole list is read even for one symbol: all dashboards
 * together then cost one call per category and second, whatever they look at.
 */
export async function readTickers(reads: Reads, category: ProductCategory, symbols?: Names) {
  const market = marketOf(category);
  return named(listed(await reads.read(tickers, { category: market }), market), (row) => row.symbol, "symbols", symbols);
}

import { mapRows, type Row, rowsRead } from "@exchange-graph/contract/rows";
import { classicFuturesTickers, classicSpotTickers, type Ticker, tickers } from "@exchange-graph/contract/ticker";
import { type MarketCategory, PRODUCT_CATEGORIES, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reader/reads.js";
import { inEach, type Listed, marketCategoryOf } from "./categories.js";
import { type ListedInstrument, readInstruments } from "./instruments.js";
import { type Names, named, oncePerAnswer } from "./keptLists.js";

export type ListedTicker = Listed<Ticker, ProductCategory>;
type Tickers = readonly Row<Ticker>[];

const listed = oncePerAnswer((rows: Tickers, category: MarketCategory): readonly Row<ListedTicker>[] =>
  mapRows(rows, (row) => ({ category, ...row })),
);

/** Margin pairs have the prices of spot: their tickers are those of the spot symbols that are margin pairs. */
const ofMarginPairs = oncePerAnswer((pairs: readonly Row<ListedInstrument>[]) => {
  const symbols = new Set(rowsRead(pairs).map(({ symbol }) => symbol));
  return oncePerAnswer((rows: Tickers): readonly Row<ListedTicker>[] =>
    mapRows(
      rows.filter((row) => {
        const symbol = row instanceof Error ? row.rowId : row.symbol;
        return symbol === undefined || symbols.has(symbol);
      }),
      (row) => ({ category: "MARGIN", ...row }),
    ),
  );
});

async function readListed(reads: Reads, category: ProductCategory): Promise<readonly Row<ListedTicker>[]> {
  const market = marketCategoryOf(category);
  if (category !== "MARGIN") return listed(await reads.read(tickers, { category: market }), market);
  const [rows, pairs] = await Promise.all([reads.read(tickers, { category: market }), readInstruments(reads, category)]);
  return ofMarginPairs(pairs)(rows);
}

/**
 * Tickers of a category, or of all. The whole list is read even for one symbol: all clients together cost one call per category
 * and second.
 */
export const readTickers = (reads: Reads, category: ProductCategory | null | undefined, symbols?: Names) =>
  inEach(category, PRODUCT_CATEGORIES, async (one) =>
    named(await readListed(reads, one), (row) => row.symbol, "symbols", symbols),
  );

/** The tickers of v2, which have the price at midnight. */
export const readClassicTickers = (reads: Reads, category: MarketCategory): Promise<Tickers> =>
  category === "SPOT" ? reads.read(classicSpotTickers, {}) : reads.read(classicFuturesTickers, { productType: category });

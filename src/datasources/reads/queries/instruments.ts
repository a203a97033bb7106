import { type DecimalText, exact, plain } from "@exchange-graph/contract/decimal";
import { classicContracts, type Instrument, instruments } from "@exchange-graph/contract/instrument";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import { type FuturesCategory, PRODUCT_CATEGORIES, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reader/reads.js";
import { inEach, isFuturesCategory, type Listed } from "./categories.js";
import { type Names, named, oncePerAnswer } from "./named.js";

/** An instrument with its category. */
export type ListedInstrument = Listed<Instrument, ProductCategory>;

/** The step for a number of decimals: 2 is 0.01. */
export const stepOf = (decimals: number | null): DecimalText | null =>
  decimals === null ? null : plain(exact(`1e-${decimals}`));

const listed = oncePerAnswer((rows: readonly Row<Instrument>[], category: ProductCategory): readonly Row<ListedInstrument>[] =>
  mapRows(rows, (row) =>
    isFuturesCategory(category)
      ? { ...row, category }
      : {
          ...row,
          category,
          priceMultiplier: row.priceMultiplier ?? stepOf(row.pricePrecision),
          quantityMultiplier: row.quantityMultiplier ?? stepOf(row.quantityPrecision),
        },
  ),
);

/** The instruments of a category, or of all. The whole list is read and cached, so one call serves all queries for it. */
export const readInstruments = (reads: Reads, category: ProductCategory | null | undefined, symbols?: Names) =>
  inEach(category, PRODUCT_CATEGORIES, async (one) =>
    named(listed(await reads.read(instruments, { category: one }), one), (row) => row.symbol, "symbols", symbols),
  );

/** Futures contracts from v2, which has their margin coins and position limits. */
export const readClassicContracts = (reads: Reads, category: FuturesCategory) =>
  reads.read(classicContracts, { productType: category });

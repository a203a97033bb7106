import { type Instrument, instruments } from "@exchange-graph/contract/instrument";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reads/reads.js";
import type { Listed } from "./category.js";
import { type Names, named } from "./named.js";
import { oncePerAnswer } from "./oncePerAnswer.js";

/** An instrument with the category that it was asked for in. */
export type ListedInstrument = Listed<Instrument, ProductCategory>;

const listed = oncePerAnswer((rows: readonly Row<Instrument>[], category: ProductCategory): readonly Row<ListedInstrument>[] =>
  mapRows(rows, (row) => ({ ...row, category })),
);

/** What can be traded in a category. The whole list is read and kept: one call answers every question about it. */
export const readInstruments = async (reads: Reads, category: ProductCategory, symbols?: Names) =>
  named(listed(await reads.read(instruments, { category }), category), (row) => row.symbol, "symbols", symbols);

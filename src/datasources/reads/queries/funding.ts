import { fundingHistory, fundingRates, type OpenInterest, openInterests, positionTiers } from "@exchange-graph/contract/funding";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES, type FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reader/reads.js";
import { inEach, type Listed } from "./categories.js";
import { type Names, named, oncePerAnswer } from "./keptLists.js";

interface Contract {
  readonly category: FuturesCategory;
  readonly symbol: string;
}

/** The current funding period of every perpetual contract of a category. */
export const readFundingRates = (reads: Reads, category: FuturesCategory) => reads.read(fundingRates, { productType: category });

/** The latest funding settlements of a contract, newest first: 1 to 100 of them. */
export const readFundingHistory = async (
  reads: Reads,
  { category, symbol, first }: Contract & { readonly first?: number | null | undefined },
) => {
  const values = { category, symbol: inCapitals(symbol), limit: first ?? undefined };
  return (await reads.read(fundingHistory, values, undefined, { limit: "first" })).list;
};

type ListedOpenInterest = Listed<OpenInterest, FuturesCategory>;

const listed = oncePerAnswer(
  (rows: readonly Row<OpenInterest>[], category: FuturesCategory): readonly Row<ListedOpenInterest>[] =>
    mapRows(rows, (row) => ({ category, ...row })),
);

/** Open interest of the contracts of a category, or of all. The whole list is read, for any symbols. */
export const readOpenInterests = (reads: Reads, category: FuturesCategory | null | undefined, symbols?: Names) =>
  inEach(category, FUTURES_CATEGORIES, async (one) =>
    named(listed((await reads.read(openInterests, { category: one })).list, one), ({ symbol }) => symbol, "symbols", symbols),
  );

/** Leverage and maintenance margin of a contract by the value of a position, from the smallest value up. */
export const readPositionTiers = (reads: Reads, { category, symbol }: Contract) =>
  reads.read(positionTiers, { category, symbol: inCapitals(symbol) });

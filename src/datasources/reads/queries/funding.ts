import { fundingHistory, fundingRates, openInterests, positionTiers } from "@exchange-graph/contract/funding";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reader/reads.js";
import { type Names, named } from "./named.js";

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
  const asked = { category, symbol: inCapitals(symbol), limit: first ?? undefined };
  return (await reads.read(fundingHistory, asked, undefined, { limit: "first" })).list;
};

/** Open interest of the contracts of a category. The whole list is read, for any symbols. */
export const readOpenInterests = async (reads: Reads, category: FuturesCategory, symbols?: Names) =>
  named((await reads.read(openInterests, { category })).list, ({ symbol }) => symbol, "symbols", symbols);

/** Leverage and maintenance margin of a contract by the value of a position, from the smallest value up. */
export const readPositionTiers = (reads: Reads, { category, symbol }: Contract) =>
  reads.read(positionTiers, { category, symbol: inCapitals(symbol) });

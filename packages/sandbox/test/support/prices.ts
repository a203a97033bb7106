import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Sandbox } from "../../src/sandbox.js";

/** A price so many percent below the market's, on the symbol's grid: a buy there rests. */
export function belowMarket(
  { world: { state } }: Pick<Sandbox, "world">,
  category: ProductCategory,
  symbol: string,
  percent = 3,
): string {
  const { listing } = state.markets.of(category, symbol);
  return listing.grid.priceText(Math.floor((listing.steps(state.markets.tick) * (100 - percent)) / 100));
}

import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { FuturesCategory, FuturesProductType, ProductCategory } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import { type FuturesInstrument, isFutures } from "../world/catalogue/instrument.js";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";

/**
 * The category of a Classic product type. All funds of a sandbox are play money, so a demo type is the same as the category that
 * it is named after: `SUSDT-FUTURES` has the contracts, orders and positions of `USDT-FUTURES`.
 */
export const categoryOf = (productType: FuturesProductType): FuturesCategory => CATEGORIES[productType];

const CATEGORIES: Readonly<Record<FuturesProductType, FuturesCategory>> = {
  "USDT-FUTURES": "USDT-FUTURES",
  "COIN-FUTURES": "COIN-FUTURES",
  "USDC-FUTURES": "USDC-FUTURES",
  "SUSDT-FUTURES": "USDT-FUTURES",
  "SCOIN-FUTURES": "COIN-FUTURES",
  "SUSDC-FUTURES": "USDC-FUTURES",
};

/** A futures contract of a Classic call. Refuses one that is not listed, and a margin coin other than its settlement coin. */
export function contractIn(
  markets: Markets,
  category: FuturesCategory,
  { symbol, marginCoin }: { readonly symbol: string; readonly marginCoin: string },
): FuturesInstrument {
  const { instrument } = listed(markets, category, symbol).listing;
  if (!isFutures(instrument)) throw new Refused(REFUSAL.unknownValue, "productType");
  if (instrument.contract.marginCoin !== inCapitals(marginCoin)) throw new Refused(REFUSAL.unknownValue, "marginCoin");
  return instrument;
}

/** The market of a symbol. Refuses a symbol that the category does not list. */
export function listed(markets: Markets, category: ProductCategory, symbol: string): Market {
  const market = markets.find(category, symbol);
  if (market === undefined) throw new Refused(REFUSAL.unknownSymbol, "symbol");
  return market;
}

/** The market of a symbol, or all markets of a category without a symbol. */
export function named(markets: Markets, category: ProductCategory, symbol: string | undefined): readonly Market[] {
  if (symbol !== undefined) return [listed(markets, category, symbol)];
  return markets.all.filter(({ listing }) => listing.instrument.category === category);
}

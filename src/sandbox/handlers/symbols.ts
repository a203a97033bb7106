import { REFUSAL } from "../../contract/errors/refusal.js";
import { inCapitals } from "../../contract/letterCase.js";
import {
  FUTURES_CATEGORIES,
  type FuturesCategory,
  type FuturesProductType,
  type ProductCategory,
} from "../../contract/vocabulary.js";
import { Refused } from "../refused.js";
import { type FuturesInstrument, isFutures } from "../world/catalogue/instrument.js";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";

/** The category that a Classic product type stands for; nothing for the demo types, under which nothing is listed. */
export const categoryOf = (productType: FuturesProductType): FuturesCategory | undefined =>
  FUTURES_CATEGORIES.find((category) => category === productType);

/** A futures contract of a Classic call. Refuses one that is not listed, and a margin coin that it is not settled in. */
export function contractIn(
  markets: Markets,
  category: FuturesCategory | undefined,
  { symbol, marginCoin }: { readonly symbol: string; readonly marginCoin: string },
): FuturesInstrument {
  const { instrument } = listed(markets, category, symbol).listing;
  if (!isFutures(instrument)) throw new Refused(REFUSAL.unknownValue, "productType");
  if (instrument.contract.marginCoin !== inCapitals(marginCoin)) throw new Refused(REFUSAL.unknownValue, "marginCoin");
  return instrument;
}

/** The market of a symbol. Refuses a symbol that the category does not list. */
export function listed(markets: Markets, category: ProductCategory | undefined, symbol: string): Market {
  const market = category === undefined ? undefined : markets.find(category, symbol);
  if (market === undefined) throw new Refused(REFUSAL.unknownSymbol, "symbol");
  return market;
}

/** The market of a symbol, or all of a category when none is named. */
export function named(markets: Markets, category: ProductCategory | undefined, symbol: string | undefined): readonly Market[] {
  if (symbol !== undefined) return [listed(markets, category, symbol)];
  return markets.all.filter(({ listing }) => listing.instrument.category === category);
}

import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import {
  MARKET_CATEGORIES,
  type MarketCategory,
  marketCategoryOf,
  type ProductCategory,
} from "@exchange-graph/contract/vocabulary";
import { UNDERLYINGS } from "../catalogue/underlyings.js";
import type { Catalogue } from "../catalogue.js";
import type { WorldTime } from "../worldTime.js";
import { Listing } from "./listing.js";
import { Market } from "./market.js";
import { PricePath } from "./path.js";

const ONE = exact("1");

export class Markets {
  /** In the catalogue's order. */
  readonly all: readonly Market[];
  readonly #byCategory: ReadonlyMap<MarketCategory, ReadonlyMap<string, Market>>;

  constructor(
    seed: string,
    catalogue: Catalogue,
    private readonly time: Pick<WorldTime, "tick" | "marketMs">,
  ) {
    const paths = new Map([...UNDERLYINGS].map(([name, underlying]) => [name, new PricePath(seed, name, underlying)]));
    this.all = catalogue.instruments.map((instrument) => {
      const path = paths.get(instrument.making.underlying);
      if (path === undefined) throw new RangeError(`no price path is called ${instrument.making.underlying}`);
      return new Market(new Listing(seed, instrument, path));
    });
    this.#byCategory = new Map(
      MARKET_CATEGORIES.map((category) => {
        const markets = this.all.filter(({ listing }) => listing.instrument.category === category);
        return [category, new Map(markets.map((market) => [market.listing.instrument.symbol, market]))];
      }),
    );
  }

  get tick(): number {
    return this.time.tick;
  }

  get periodMs(): number {
    return this.time.marketMs;
  }

  /** The market of a symbol in any letter case. */
  find(category: ProductCategory, symbol: string): Market | undefined {
    const markets = this.#byCategory.get(marketCategoryOf(category));
    return markets?.get(symbol) ?? markets?.get(inCapitals(symbol));
  }

  /** The market of a symbol that must be listed, because an order or a position refers to it. */
  of(category: ProductCategory, symbol: string): Market {
    const market = this.find(category, symbol);
    if (market === undefined) throw new RangeError(`${category} lists no ${symbol}`);
    return market;
  }

  /** Price of a coin in USDT now; undefined for a coin without a market. US dollars count as USDT. */
  usdtPrice(coin: string): Exact | undefined {
    if (coin === "USDT" || coin === "USD") return ONE;
    return this.find("SPOT", `${coin}USDT`)?.listing.price(this.tick);
  }
}

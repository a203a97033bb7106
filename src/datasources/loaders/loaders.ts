import { exact } from "@exchange-graph/contract/decimal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { MarketCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import { marketOf } from "../queries/category.js";
import { type ListedInstrument, readInstruments } from "../queries/instruments.js";
import { readSpotSymbols } from "../queries/reference.js";
import { type ListedTicker, readTickers } from "../queries/tickers.js";
import type { ListedSpotSymbol } from "../queries/tradingRules.js";
import type { Reads } from "../reads/reads.js";
import { SymbolLoader, symbolIndex } from "./symbolLoader.js";

const instrumentsBySymbol = symbolIndex<ListedInstrument>();
const tickersBySymbol = symbolIndex<ListedTicker>();
const spotSymbolsBySymbol = symbolIndex<ListedSpotSymbol>();

/** A category as records carry it: the exchange may name one that we do not know. */
type Category = ProductCategory | "UNKNOWN";

/**
 * What the rows of one request are joined with. However many rows ask, and for whatever symbols, each list costs one
 * call at most. Every answer is `null` where the exchange lists no such thing.
 */
export class Loaders {
  readonly #instruments: SymbolLoader<ProductCategory, ListedInstrument>;
  readonly #tickers: SymbolLoader<MarketCategory, ListedTicker>;
  readonly #spotSymbols: SymbolLoader<"SPOT", ListedSpotSymbol>;

  constructor(reads: Reads) {
    this.#instruments = new SymbolLoader(async (category) => instrumentsBySymbol(await readInstruments(reads, category)));
    this.#tickers = new SymbolLoader(async (category) => tickersBySymbol(await readTickers(reads, category)));
    this.#spotSymbols = new SymbolLoader(async () => spotSymbolsBySymbol(await readSpotSymbols(reads)));
  }

  /** The trading rules of a symbol. */
  async instrument(category: Category, symbol: string): Promise<ListedInstrument | null> {
    return category === "UNKNOWN" ? null : this.#instruments.load(category, symbol);
  }

  /** The ticker of a symbol; on margin that of spot. */
  async ticker(category: Category, symbol: string): Promise<ListedTicker | null> {
    return category === "UNKNOWN" ? null : this.#tickers.load(marketOf(category), symbol);
  }

  /** A spot pair with its rules. */
  spotSymbol(symbol: string): Promise<ListedSpotSymbol | null> {
    return this.#spotSymbols.load("SPOT", symbol);
  }

  /** What one unit of a coin is worth in USDT: the last price of its spot pair with USDT, `null` where it has none, or no coin is named. */
  async usdtPrice(coin: string | null): Promise<string | null> {
    if (coin === null) return null;
    if (inCapitals(coin) === "USDT") return "1";
    const price = (await this.#tickers.load("SPOT", `${coin}USDT`))?.lastPrice ?? null;
    // A pair that has never traded says 0.
    return price === null || exact(price).eq("0") ? null : price;
  }
}

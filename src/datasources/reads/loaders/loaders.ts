import { exact } from "@exchange-graph/contract/decimal";
import type { FundingRate } from "@exchange-graph/contract/funding";
import type { Instrument } from "@exchange-graph/contract/instrument";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { FuturesCategory, MarketCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import { isFuturesCategory, marketCategoryOf } from "../queries/categories.js";
import { readFundingRates } from "../queries/funding.js";
import { type ListedInstrument, readClassicContracts, readInstruments } from "../queries/instruments.js";
import { readMarginPairs, readSpotSymbols } from "../queries/reference.js";
import { SymbolLoader } from "../queries/symbolLoader.js";
import { type ListedTicker, readClassicTickers, readTickers } from "../queries/tickers.js";
import type { ListedMarginPair, ListedSpotSymbol } from "../queries/tradingRules.js";
import { AccountLoaders, type AgedReads } from "./accountLoaders.js";

/** A category as in records: it may be one that this version does not know. */
type Category = ProductCategory | "UNKNOWN";

/**
 * Data that rows of one request are joined with. Each list is at most one call, for any number of rows and symbols. Results are
 * `null` for symbols that the exchange does not list.
 */
export class Loaders {
  readonly #instruments = new SymbolLoader((category: ProductCategory) => readInstruments(this.reads, category));
  readonly #contracts = new SymbolLoader((category: FuturesCategory) => readClassicContracts(this.reads, category));
  readonly #tickers = new SymbolLoader((category: ProductCategory) => readTickers(this.reads, category));
  readonly #classicTickers = new SymbolLoader((category: MarketCategory) => readClassicTickers(this.reads, category));
  readonly #fundingRates = new SymbolLoader((category: FuturesCategory) => readFundingRates(this.reads, category));
  readonly #marginPairs = new SymbolLoader(() => readMarginPairs(this.reads));
  readonly #spotSymbols = new SymbolLoader(() => readSpotSymbols(this.reads));

  /** Tickers from streams, so that one answer is consistent. */
  readonly #live = new Map<string, ListedTicker>();

  readonly account: AccountLoaders;

  constructor(private readonly reads: AgedReads) {
    this.account = new AccountLoaders(reads);
  }

  async instrument(category: Category, symbol: string): Promise<ListedInstrument | null> {
    return category === "UNKNOWN" ? null : this.#instruments.load(category, symbol);
  }

  /** The contract from v2. */
  async contract(category: Category, symbol: string): Promise<Instrument | null> {
    return isFuturesCategory(category) ? this.#contracts.load(category, symbol) : null;
  }

  /** The ticker of a symbol; a margin pair has the prices of spot. */
  async ticker(category: Category, symbol: string): Promise<ListedTicker | null> {
    if (category === "UNKNOWN") return null;
    return this.#liveTicker(category, symbol) ?? this.#tickers.load(category, symbol);
  }

  /** From its stream, which does not show whether a spot symbol is a margin pair. */
  #liveTicker(category: ProductCategory, symbol: string): ListedTicker | undefined {
    if (category === "MARGIN") return undefined;
    const key = `${category} ${inCapitals(symbol)}`;
    const existing = this.#live.get(key);
    if (existing !== undefined) return existing;
    const ticker = this.reads.liveTicker(category, symbol);
    if (ticker === undefined) return undefined;
    const listed = { ...ticker, category };
    this.#live.set(key, listed);
    return listed;
  }

  /** The ticker of a symbol from v2. */
  async classicTicker(category: Category, symbol: string): Promise<Ticker | null> {
    return category === "UNKNOWN" ? null : this.#classicTickers.load(marketCategoryOf(category), symbol);
  }

  /** The current funding period of a perpetual contract. */
  async fundingRate(category: Category, symbol: string): Promise<FundingRate | null> {
    return isFuturesCategory(category) ? this.#fundingRates.load(category, symbol) : null;
  }

  /** The ticker of the market in which a symbol trades: that of spot for margin, for any symbol. */
  marketTicker(category: Category, symbol: string): Promise<ListedTicker | null> {
    return this.ticker(category === "UNKNOWN" ? category : marketCategoryOf(category), symbol);
  }

  marginPair(symbol: string): Promise<ListedMarginPair | null> {
    return this.#marginPairs.load("MARGIN", symbol);
  }

  /** A spot pair with its rules. */
  spotSymbol(symbol: string): Promise<ListedSpotSymbol | null> {
    return this.#spotSymbols.load("SPOT", symbol);
  }

  /**
   * Price of one unit of a coin in USDT: the last price of its spot pair with USDT; `null` if there is none, or without a coin.
   */
  async usdtPrice(coin: string | null): Promise<string | null> {
    if (coin === null) return null;
    if (inCapitals(coin) === "USDT") return "1";
    const price = (await this.ticker("SPOT", `${coin}USDT`))?.lastPrice ?? null;
    // The price of a pair that has never traded is 0.
    return price === null || exact(price).eq("0") ? null : price;
  }
}

import { exact } from "@exchange-graph/contract/decimal";
import type { FundingRate } from "@exchange-graph/contract/funding";
import type { Instrument } from "@exchange-graph/contract/instrument";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { FuturesCategory, MarketCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import { isFuturesCategory, marketOf } from "../queries/category.js";
import { readFundingRates } from "../queries/funding.js";
import { type ListedInstrument, readClassicContracts, readInstruments } from "../queries/instruments.js";
import { readMarginPairs, readSpotSymbols } from "../queries/reference.js";
import { SymbolLoader, symbolIndex } from "../queries/symbolLoader.js";
import { type ListedTicker, readClassicTickers, readTickers } from "../queries/tickers.js";
import type { ListedMarginPair, ListedSpotSymbol } from "../queries/tradingRules.js";
import type { Reads } from "../reads/reads.js";

const instrumentsBySymbol = symbolIndex<ListedInstrument>();
const tickersBySymbol = symbolIndex<ListedTicker>();
const classicTickersBySymbol = symbolIndex<Ticker>();
const contractsBySymbol = symbolIndex<Instrument>();
const fundingRatesBySymbol = symbolIndex<FundingRate>();
const marginPairsBySymbol = symbolIndex<ListedMarginPair>();
const spotSymbolsBySymbol = symbolIndex<ListedSpotSymbol>();

/** A category as records carry it: the exchange may name one that we do not know. */
type Category = ProductCategory | "UNKNOWN";

/**
 * What the rows of one request are joined with. However many rows ask, and for whatever symbols, each list costs one
 * call at most. Every answer is `null` where the exchange lists no such thing.
 */
export class Loaders {
  readonly #instruments: SymbolLoader<ProductCategory, ListedInstrument>;
  readonly #contracts: SymbolLoader<FuturesCategory, Instrument>;
  readonly #tickers: SymbolLoader<ProductCategory, ListedTicker>;
  readonly #classicTickers: SymbolLoader<MarketCategory, Ticker>;
  readonly #fundingRates: SymbolLoader<FuturesCategory, FundingRate>;
  readonly #marginPairs: SymbolLoader<"MARGIN", ListedMarginPair>;
  readonly #spotSymbols: SymbolLoader<"SPOT", ListedSpotSymbol>;
  readonly #singlePositions = new Map<string, Set<string>>();

  /** Tickers out of streams, so that one answer shows the same throughout. */
  readonly #live = new Map<string, ListedTicker>();

  constructor(private readonly reads: Reads) {
    this.#instruments = new SymbolLoader(async (category) => instrumentsBySymbol(await readInstruments(reads, category)));
    this.#contracts = new SymbolLoader(async (category) => contractsBySymbol(await readClassicContracts(reads, category)));
    this.#tickers = new SymbolLoader(async (category) => tickersBySymbol(await readTickers(reads, category)));
    this.#classicTickers = new SymbolLoader(async (category) =>
      classicTickersBySymbol(await readClassicTickers(reads, category)),
    );
    this.#fundingRates = new SymbolLoader(async (category) => fundingRatesBySymbol(await readFundingRates(reads, category)));
    this.#marginPairs = new SymbolLoader(async () => marginPairsBySymbol(await readMarginPairs(reads)));
    this.#spotSymbols = new SymbolLoader(async () => spotSymbolsBySymbol(await readSpotSymbols(reads)));
  }

  /** Symbols of an account whose positions this request has asked for one by one. */
  singlePositionsOf(account: string): Set<string> {
    const known = this.#singlePositions.get(account) ?? new Set<string>();
    this.#singlePositions.set(account, known);
    return known;
  }

  /** The trading rules of a symbol. */
  async instrument(category: Category, symbol: string): Promise<ListedInstrument | null> {
    return category === "UNKNOWN" ? null : this.#instruments.load(category, symbol);
  }

  /** What v2 says of a futures contract. */
  async contract(category: Category, symbol: string): Promise<Instrument | null> {
    return isFuturesCategory(category) ? this.#contracts.load(category, symbol) : null;
  }

  /** The ticker of a symbol; that of a margin pair has the prices of spot. */
  async ticker(category: Category, symbol: string): Promise<ListedTicker | null> {
    if (category === "UNKNOWN") return null;
    return this.#liveTicker(category, symbol) ?? this.#tickers.load(category, symbol);
  }

  /** Out of its stream. A stream does not know which spot symbols are margin pairs. */
  #liveTicker(category: ProductCategory, symbol: string): ListedTicker | undefined {
    if (category === "MARGIN") return undefined;
    const key = `${category} ${inCapitals(symbol)}`;
    const known = this.#live.get(key);
    if (known !== undefined) return known;
    const ticker = this.reads.liveTicker(category, symbol);
    if (ticker === undefined) return undefined;
    const listed = { ...ticker, category };
    this.#live.set(key, listed);
    return listed;
  }

  /** The ticker of a symbol as v2 has it. */
  async classicTicker(category: Category, symbol: string): Promise<Ticker | null> {
    return category === "UNKNOWN" ? null : this.#classicTickers.load(marketOf(category), symbol);
  }

  /** The running funding period of a perpetual contract. */
  async fundingRate(category: Category, symbol: string): Promise<FundingRate | null> {
    return isFuturesCategory(category) ? this.#fundingRates.load(category, symbol) : null;
  }

  /** The ticker of the market in which a symbol trades: spot's on margin, whether it is a margin pair or not. */
  marketTicker(category: Category, symbol: string): Promise<ListedTicker | null> {
    return this.ticker(category === "UNKNOWN" ? category : marketOf(category), symbol);
  }

  /** A margin pair with its rules. */
  marginPair(symbol: string): Promise<ListedMarginPair | null> {
    return this.#marginPairs.load("MARGIN", symbol);
  }

  /** A spot pair with its rules. */
  spotSymbol(symbol: string): Promise<ListedSpotSymbol | null> {
    return this.#spotSymbols.load("SPOT", symbol);
  }

  /** What one unit of a coin is worth in USDT: the last price of its spot pair with USDT, `null` where it has none, or no coin is named. */
  async usdtPrice(coin: string | null): Promise<string | null> {
    if (coin === null) return null;
    if (inCapitals(coin) === "USDT") return "1";
    const price = (await this.ticker("SPOT", `${coin}USDT`))?.lastPrice ?? null;
    // A pair that has never traded says 0.
    return price === null || exact(price).eq("0") ? null : price;
  }
}

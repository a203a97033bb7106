import { MINUTE_MS } from "@exchange-graph/contract/clock";
import {
  candleCalls,
  candlesBetween,
  DEFAULT_CANDLES,
  MAX_CANDLES,
  readCandles,
  readOrderBook,
  readTickers,
  readTrades,
} from "../datasources/reads/index.js";
import { Candle } from "../schema/candle.js";
import type { ArgumentValues, CostContext, FieldCost } from "../schema/cost.js";
import { CandleInterval, CandlePrice } from "../schema/enums/candle.js";
import { FuturesCategoryInput, ProductCategoryInput } from "../schema/enums/category.js";
import { integer, of, text, texts, time } from "../schema/fields.js";
import { Instrument } from "../schema/instrument.js";
import { bounded, symbolRows, symbolsIn } from "../schema/listLengths.js";
import { DEFAULT_DEPTH, OrderBook } from "../schema/orderBook.js";
import { Arguments, extended, fieldsOf } from "../schema/record.js";
import { Ticker } from "../schema/ticker.js";
import { Trade } from "../schema/trade.js";
import { instrumentJoin, PAGE, tickerJoin, timeAsked } from "./fieldCosts.js";
import { marketField, query, resolversOf } from "./fieldTable.js";

const intervalOf = new Map(Object.entries(CandleInterval));
/** Maximum number of candles of a query. */
function candlesOf(args: ArgumentValues, { outlook }: CostContext): number {
  const count = bounded(args.first, DEFAULT_CANDLES, MAX_CANDLES);
  const interval = intervalOf.get(String(args.interval));
  const from = timeAsked(args.from);
  if (interval === undefined || from === undefined || Number.isNaN(from)) return count;
  const now = outlook.now() + MINUTE_MS;
  const to = Math.min(timeAsked(args.to) ?? now, now);
  return Number.isNaN(to) ? count : Math.min(count, candlesBetween(from, to, interval));
}
export const CANDLES: FieldCost = {
  calls(args, place) {
    const interval = intervalOf.get(String(args.interval));
    return interval === undefined ? candleCalls(MAX_CANDLES, "1M") : candleCalls(candlesOf(args, place), interval);
  },
  rows: candlesOf,
};

const EACH_LIST = "Only this product category. Default: all, from one list each";
/** For lists of rows that have their category. */
export const EACH = of(ProductCategoryInput).optional(EACH_LIST);
export const EACH_OF_FUTURES = of(FuturesCategoryInput).optional(EACH_LIST);
const CATEGORY = of(ProductCategoryInput)("Product category; a margin pair uses the order book of spot");
const SYMBOL = text("Symbol name, for example `BTCUSDT`");
export const DEPTH = integer.optional(`Levels per side, from 1 to 200. Default: ${DEFAULT_DEPTH}`, DEFAULT_DEPTH);
export const TRADES = integer.optional("Number of trades, from 1 to 100. Default: 100");

@Arguments()
export class SeriesArguments extends fieldsOf({
  interval: of(CandleInterval)("Length of a candle"),
  price: of(CandlePrice).optional("Price that the candles are made of. Default: MARKET"),
  from: time.optional("Only candles that start from this time on. Default: as many as `first` before `to`"),
  to: time.optional("Only candles that start up to this time. Default: now"),
  first: integer.optional(
    `Number of candles, from 1 to ${MAX_CANDLES}, the newest of the period. Default: ${DEFAULT_CANDLES}`,
    DEFAULT_CANDLES,
  ),
}) {}

export const MarketResolver = resolversOf(Ticker, {
  instrument: marketField.orNull(Instrument, {
    description:
      "The trading rules of the symbol; null if it is not listed any more. One call per category for any number of tickers. Source: GET /api/v3/market/instruments",
    cost: instrumentJoin,
    resolve: ({ category, symbol }: Ticker, { reads }) => reads.loaders.instrument(category, symbol),
  }),
});

export const MarketQueries = resolversOf(null, {
  tickers: query("read:market", [Ticker], {
    description:
      "Tickers of the symbols of a category, or of all; of MARGIN those of its pairs. Up to a second old. Source: GET /api/v3/market/tickers",
    cost: { ...tickerJoin, rows: symbolRows((place, one) => symbolsIn(place, [one])) },
    args: { category: EACH, symbols: texts.optional("Only these symbols. Default: all") },
    resolve: ({ reads }, { category, symbols }) => readTickers(reads, category, symbols),
  }),
  ticker: query.orNull("read:market", Ticker, {
    description:
      "The ticker of a symbol; null if it is not quoted. Source: the ticker stream while it is live, else GET /api/v3/market/tickers",
    cost: tickerJoin,
    args: { category: CATEGORY, symbol: SYMBOL },
    resolve: ({ reads }, { category, symbol }) => reads.loaders.ticker(category, symbol),
  }),
  orderBook: query("read:market", OrderBook, {
    description:
      "The order book of a symbol. Up to a second old. Source: the book streams while one that is deep enough is live, else GET /api/v3/market/orderbook",
    cost: { calls: 1 },
    args: { category: CATEGORY, symbol: SYMBOL, depth: DEPTH },
    resolve: ({ reads }, { category, symbol, depth: asked }) =>
      readOrderBook(reads, { category, symbol, depth: asked ?? DEFAULT_DEPTH }),
  }),
  candles: query("read:market", [Candle], {
    description:
      "Candles of a symbol, oldest first, including the running one; recent and archived candles are combined. Source: the candle stream while it is live, else GET /api/v3/market/candles and GET /api/v3/market/history-candles",
    cost: CANDLES,
    args: extended(SeriesArguments, {
      category: CATEGORY,
      symbol: SYMBOL,
    }),
    resolve: ({ reads }, { category, ...series }) => readCandles(reads, { category, ...series }),
  }),
  trades: query("read:market", [Trade], {
    description: "The latest trades of a symbol, newest first. Up to a second old. Source: GET /api/v3/market/fills",
    cost: { calls: 1, rows: ({ first }) => bounded(first, PAGE, PAGE) },
    args: { category: CATEGORY, symbol: SYMBOL, first: TRADES },
    resolve: ({ reads }, { category, symbol, first }) => readTrades(reads, { category, symbol, first }),
  }),
});

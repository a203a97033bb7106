import { MINUTE_MS } from "@exchange-graph/contract/clock";
import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { Row } from "../datasources/index.js";
import {
  candleCalls,
  candlesBetween,
  DEFAULT_CANDLES,
  type ListedTicker,
  MAX_CANDLES,
  readCandles,
  readOrderBook,
  readTickers,
  readTrades,
} from "../datasources/reads/index.js";
import { type ArgumentValues, Cost, type CostContext, type FieldCost } from "../schema/cost.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { CandleInterval, CandlePrice } from "../schema/enums/market.js";
import { integer, of, text, time } from "../schema/fields.js";
import { Instrument } from "../schema/instrument.js";
import { bounded, symbolRows, symbolsIn } from "../schema/listLengths.js";
import { Candle, DEFAULT_DEPTH, OrderBook, Ticker, Trade } from "../schema/market.js";
import { Arguments, extended, fieldsOf } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { DateTime, Decimal } from "../schema/scalars.js";
import type { RequestContext } from "./context.js";
import { instrumentJoin, joined, PAGE, tickerJoin, timeArgument } from "./fieldCosts.js";
import { ONLY_SYMBOLS, SYMBOL } from "./pageArguments.js";

const intervalOf = new Map(Object.entries(CandleInterval));
/** Maximum number of candles of a query. */
function candlesOf(args: ArgumentValues, { outlook }: CostContext): number {
  const count = bounded(args.first, DEFAULT_CANDLES, MAX_CANDLES);
  const interval = intervalOf.get(String(args.interval));
  const from = timeArgument(args.from);
  if (interval === undefined || from === undefined || Number.isNaN(from)) return count;
  const now = outlook.now() + MINUTE_MS;
  const to = Math.min(timeArgument(args.to) ?? now, now);
  return Number.isNaN(to) ? count : Math.min(count, candlesBetween(from, to, interval));
}
export const CANDLES: FieldCost = {
  calls(args, place) {
    const interval = intervalOf.get(String(args.interval));
    return interval === undefined ? candleCalls(MAX_CANDLES, "1M") : candleCalls(candlesOf(args, place), interval);
  },
  rows: candlesOf,
};

/** For lists of rows that have their category. */
export const EACH = { nullable: true, description: "Only this product category. Default: all, from one list each" };
const CATEGORY = { description: "Product category; a margin pair uses the order book of spot" };
export const DEPTH = {
  nullable: true,
  defaultValue: DEFAULT_DEPTH,
  description: `Levels per side, from 1 to 200. Default: ${DEFAULT_DEPTH}`,
};
export const TRADES = { nullable: true, description: "Number of trades, from 1 to 100. Default: 100" };

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

@Arguments()
class CandleArguments extends extended(SeriesArguments, {
  category: of(ProductCategoryInput)(CATEGORY.description),
  symbol: text(SYMBOL.description),
}) {}

@Resolver(() => Ticker)
export class MarketResolver {
  @RequiresScope("read:market")
  @Cost({ ...tickerJoin, rows: symbolRows((place, one) => symbolsIn(place, [one])) })
  @Query(() => [Ticker], {
    nullable: "itemsAndList",
    description:
      "Tickers of the symbols of a category, or of all; of MARGIN those of its pairs. Up to a second old. Source: GET /api/v3/market/tickers",
  })
  tickers(
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => ProductCategoryInput, EACH) category?: ProductCategoryInput | null,
    @Arg("symbols", () => [String], ONLY_SYMBOLS) symbols?: readonly string[] | null,
  ): Promise<readonly Row<Ticker>[]> {
    return readTickers(reads, category, symbols);
  }

  @RequiresScope("read:market")
  @Cost(tickerJoin)
  @Query(() => Ticker, {
    nullable: true,
    description:
      "The ticker of a symbol; null if it is not quoted. Source: the ticker stream while it is live, else GET /api/v3/market/tickers",
  })
  ticker(
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => ProductCategoryInput, CATEGORY) category: ProductCategoryInput,
    @Arg("symbol", () => String, SYMBOL) symbol: string,
  ): Promise<Ticker | null> {
    return reads.loaders.ticker(category, symbol);
  }

  @RequiresScope("read:market")
  @Cost({ calls: 1 })
  @Query(() => OrderBook, {
    nullable: true,
    description:
      "The order book of a symbol. Up to a second old. Source: the book streams while one that is deep enough is live, else GET /api/v3/market/orderbook",
  })
  orderBook(
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => ProductCategoryInput, CATEGORY) category: ProductCategoryInput,
    @Arg("symbol", () => String, SYMBOL) symbol: string,
    @Arg("depth", () => Int, DEPTH) requested?: number | null,
  ): Promise<OrderBook> {
    return readOrderBook(reads, { category, symbol, depth: requested ?? DEFAULT_DEPTH });
  }

  @RequiresScope("read:market")
  @Cost(CANDLES)
  @Query(() => [Candle], {
    nullable: "itemsAndList",
    description:
      "Candles of a symbol, oldest first, including the running one; recent and archived candles are combined. Source: the candle stream while it is live, else GET /api/v3/market/candles and GET /api/v3/market/history-candles",
  })
  candles(
    @Ctx() { reads }: RequestContext,
    @Args(() => CandleArguments) { category, ...series }: CandleArguments,
  ): Promise<readonly Row<Candle>[]> {
    return readCandles(reads, { category, ...series });
  }

  @RequiresScope("read:market")
  @Cost({ calls: 1, rows: ({ first }) => bounded(first, PAGE, PAGE) })
  @Query(() => [Trade], {
    nullable: "itemsAndList",
    description: "The latest trades of a symbol, newest first. Up to a second old. Source: GET /api/v3/market/fills",
  })
  trades(
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => ProductCategoryInput, CATEGORY) category: ProductCategoryInput,
    @Arg("symbol", () => String, SYMBOL) symbol: string,
    @Arg("first", () => Int, TRADES) first?: number | null,
  ): Promise<readonly Row<Trade>[]> {
    return readTrades(reads, { category, symbol, first });
  }

  @RequiresScope("read:market")
  @Cost(instrumentJoin)
  @FieldResolver(() => Instrument, {
    nullable: true,
    description:
      "The trading rules of the symbol; null if it is not listed any more. One call per category for any number of tickers. Source: GET /api/v3/market/instruments",
  })
  instrument(@Root() { category, symbol }: Ticker, @Ctx() { reads }: RequestContext): Promise<Instrument | null> {
    return reads.loaders.instrument(category, symbol);
  }

  // The fields below are not in lists of tickers but in some pushes: they are joined if they are selected.

  @RequiresScope("read:market")
  @Cost(joined("fundingRates"))
  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      "Next settlement of funding (`nextUpdate`); null except for perpetual futures. One call per category for any number of tickers; none if the ticker stream has it. Source: GET /api/v2/mix/market/current-fund-rate",
  })
  async nextFundingTime(
    @Root() { category, symbol, nextFundingTime }: ListedTicker,
    @Ctx() { reads }: RequestContext,
  ): Promise<number | null> {
    return nextFundingTime ?? (await reads.loaders.fundingRate(category, symbol))?.nextFundingTime ?? null;
  }

  @RequiresScope("read:market")
  @Cost(joined("classicTickers"))
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Price at midnight UTC, in quote coin; null where the exchange has none. One call per category for any number of tickers; none if the ticker stream has it. Source: GET /api/v2/spot/market/tickers, or GET /api/v2/mix/market/tickers",
  })
  async openUtc(@Root() { category, symbol, openUtc }: ListedTicker, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return openUtc ?? (await reads.loaders.classicTicker(category, symbol))?.openUtc ?? null;
  }

  @RequiresScope("read:market")
  @Cost(joined("classicTickers"))
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Change of the price since midnight UTC, as a fraction: 0.05 is 5 %; null where the exchange has none. Source: as `openUtc`",
  })
  async changeUtc24h(
    @Root() { category, symbol, changeUtc24h }: ListedTicker,
    @Ctx() { reads }: RequestContext,
  ): Promise<string | null> {
    return changeUtc24h ?? (await reads.loaders.classicTicker(category, symbol))?.changeUtc24h ?? null;
  }

  @RequiresScope("read:market")
  @Cost(joined("classicTickers"))
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Traded in the last 24 hours, in USDT (`usdtVolume`); null where the exchange has none. One call per category for any number of tickers. Source: as `openUtc`",
  })
  async turnover24hUsdt(@Root() { category, symbol }: ListedTicker, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return (await reads.loaders.classicTicker(category, symbol))?.turnover24hUsdt ?? null;
  }
}

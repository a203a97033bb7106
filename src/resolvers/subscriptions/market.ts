import { Args, Ctx, Resolver, Root, Subscription } from "type-graphql";
import { aboutArgument, Fault } from "../../datasources/index.js";
import { tradeOf } from "../../datasources/reads/index.js";
import {
  type Candle,
  type Liquidation,
  type Listener,
  overMany,
  type PublicTrade,
  type ShownBook,
  type StreamEvent,
  type StreamedTicker,
  type SubjectEvent,
  topicMarket,
} from "../../datasources/streams/index.js";
import { FuturesCategoryInput, ProductCategoryInput } from "../../schema/enums/category.js";
import { BookDepth, CandleInterval } from "../../schema/enums/market.js";
import { flag, of, text, texts } from "../../schema/fields.js";
import {
  CandlesEvent,
  LiquidationsEvent,
  type OrderBook,
  OrderBookEvent,
  TickerEvent,
  TradesEvent,
} from "../../schema/market.js";
import { Arguments, extended, fieldsOf } from "../../schema/record.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import type { RequestContext } from "../context.js";
import { begin, MAX_SUBJECTS, pace, streamed, subjectsIn } from "./streamed.js";

const CATEGORY = of(ProductCategoryInput)("Product category; a margin pair uses the order book of spot");

@Arguments()
class MarketArguments extends fieldsOf({
  symbol: text("Symbol name, for example `BTCUSDT`"),
  category: CATEGORY,
}) {}

@Arguments()
class TickerArguments extends extended(MarketArguments, { pace: pace("LATEST") }) {}

@Arguments()
class TickersArguments extends fieldsOf({
  symbols: texts(`Symbol names: at most ${MAX_SUBJECTS}. Each event is about one of them`),
  category: CATEGORY,
  pace: pace("LATEST"),
}) {}

@Arguments()
class TradesArguments extends extended(MarketArguments, { pace: pace("ALL") }) {}

@Arguments()
class CandlesArguments extends extended(TradesArguments, { interval: of(CandleInterval)("Length of a candle") }) {}

@Arguments()
class BookArguments extends extended(TickerArguments, {
  depth: of(BookDepth).withDefault("Number of levels per side. Default: L50", "L50"),
  rpi: flag.withDefault(
    "Whether to include orders for retail clients only (RPI), as `rpiQty` of each level. Default: false",
    false,
  ),
}) {}

@Arguments()
class LiquidationArguments extends fieldsOf({
  category: of(FuturesCategoryInput)("Futures category, by the coin of the margin"),
  pace: pace("ALL"),
}) {}

const LEVELS = { L1: 1, L5: 5, L15: 15, L50: 50, FULL: "full" } as const;

const marketFrom = ({ category, symbol }: MarketArguments) => topicMarket(category, symbol);

@Resolver()
export class MarketSubscriptions {
  @RequiresScope("read:market")
  @Subscription(() => TickerEvent, {
    description: "The ticker of a symbol whenever it changes, several times a second. Source: the ticker stream",
    subscribe: streamed((streams, args: TickerArguments, _context, listener: Listener<StreamedTicker>) =>
      streams.market.ticker(marketFrom(args), listener),
    ),
  })
  ticker(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<StreamedTicker>,
    @Args(() => TickerArguments) { category }: TickerArguments,
  ): TickerEvent {
    const { stream, value } = begin(context, event);
    return { stream, category, symbol: value.symbol, ticker: { ...value, category } };
  }

  @RequiresScope("read:market")
  @Subscription(() => TickerEvent, {
    description:
      "The tickers of several symbols: an event for each of them first, then one for each that changes. Source: the ticker streams",
    subscribe: streamed(
      (streams, { category, symbols }: TickersArguments, { reads }, listener: Listener<SubjectEvent<string, StreamedTicker>>) => {
        const names = symbols.map((symbol) => topicMarket(category, symbol, "symbols").symbol);
        const sources = subjectsIn("symbols", names).map((symbol) => ({
          about: symbol,
          subject: symbol,
          listen: (one: Listener<StreamedTicker>) =>
            streams.market.ticker(topicMarket(category, symbol), {
              ...one,
              failed: (fault) => one.failed(aboutArgument(fault, "symbol", "symbols")),
            }),
        }));
        return overMany(sources, listener, () => reads.now());
      },
    ),
  })
  tickers(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<SubjectEvent<string, StreamedTicker>>,
    @Args(() => TickersArguments) { category }: TickersArguments,
  ): TickerEvent {
    const {
      stream,
      value: { subject: symbol, value },
    } = begin(context, event);
    return { stream, category, symbol, ticker: value instanceof Fault ? value : { ...value, category } };
  }

  @RequiresScope("read:market")
  @Subscription(() => TradesEvent, {
    description: "Trades of a symbol: the latest ones first, then each new one. Source: the trade stream",
    subscribe: streamed(
      (streams, args: TradesArguments, _context, listener: Listener<readonly PublicTrade[]>) =>
        streams.market.trades(marketFrom(args), listener),
      { hasHistory: true },
    ),
  })
  trades(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<readonly PublicTrade[]>,
    @Args(() => TradesArguments) args: TradesArguments,
  ): TradesEvent {
    const market = marketFrom(args);
    const { stream, value } = begin(context, event);
    return { stream, trades: value.map((trade) => tradeOf(market, trade)) };
  }

  @RequiresScope("read:market")
  @Subscription(() => CandlesEvent, {
    description:
      "Candles of a symbol, oldest first: up to 500 first, then the running one, together with the previous one when that closes. Source: the candle stream",
    subscribe: streamed((streams, { interval, ...args }: CandlesArguments, _context, listener: Listener<readonly Candle[]>) =>
      streams.market.candles({ ...marketFrom(args), interval }, listener),
    ),
  })
  candles(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<readonly Candle[]>,
    @Args(() => CandlesArguments) _args: CandlesArguments,
  ): CandlesEvent {
    const { stream, value } = begin(context, event);
    return { stream, candles: value };
  }

  @RequiresScope("read:market")
  @Subscription(() => OrderBookEvent, {
    description:
      "The complete order book of a symbol with each event, built from the exchange's updates without gaps, and never crossed. `isStale` while its connection is interrupted. Source: the book streams",
    subscribe: streamed((streams, { depth, rpi, ...args }: BookArguments, _context, listener: Listener<ShownBook>) =>
      streams.market.orderBook(marketFrom(args), { depth: LEVELS[depth], isRpi: rpi }, listener),
    ),
  })
  orderBook(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<Pick<OrderBook, "asks" | "bids" | "time">>,
    @Args(() => BookArguments) args: BookArguments,
  ): OrderBookEvent {
    const depth = LEVELS[args.depth];
    const { stream, value } = begin(context, event);
    const book = { ...value, ...marketFrom(args), depth: depth === "full" ? null : depth, isStale: event.stale };
    return { stream, orderBook: book };
  }

  @RequiresScope("read:market")
  @Subscription(() => LiquidationsEvent, {
    description: "Liquidated positions; there is no snapshot. Source: the liquidation stream",
    subscribe: streamed(
      (streams, { category }: LiquidationArguments, _context, listener: Listener<readonly Liquidation[]>) =>
        streams.market.liquidations({ category }, listener),
      { hasHistory: true },
    ),
  })
  liquidations(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<readonly Liquidation[]>,
    @Args(() => LiquidationArguments) _args: LiquidationArguments,
  ): LiquidationsEvent {
    const { stream, value } = begin(context, event);
    return { stream, liquidations: value };
  }
}

import { Args, ArgsType, Ctx, Field, Resolver, Root, Subscription } from "type-graphql";
import type { StreamEvent } from "../../datasources/streams/index.js";
import { marketOf } from "../../datasources/streams/marketChannels.js";
import { Candle } from "../../schema/candle.js";
import { Cost } from "../../schema/cost.js";
import { BookDepth } from "../../schema/enums/bookDepth.js";
import { CandleInterval } from "../../schema/enums/candle.js";
import { FuturesCategoryInput, ProductCategoryInput } from "../../schema/enums/category.js";
import { Liquidation } from "../../schema/liquidation.js";
import { EVENT_ROWS } from "../../schema/listLengths.js";
import { OrderBook } from "../../schema/orderBook.js";
import { PaceInput } from "../../schema/pace.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import { Ticker } from "../../schema/ticker.js";
import { Trade } from "../../schema/trade.js";
import type { RequestContext } from "../context.js";
import { begin, paceOptions, streamed } from "./streamed.js";

@ArgsType()
class MarketArguments {
  @Field(() => ProductCategoryInput, { description: "Which product category; a margin pair trades in the order book of spot" })
  readonly category!: ProductCategoryInput;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;
}

@ArgsType()
class TickerArguments extends MarketArguments {
  @Field(() => PaceInput, paceOptions("LATEST"))
  readonly pace!: PaceInput;
}

@ArgsType()
class TradesArguments extends MarketArguments {
  @Field(() => PaceInput, paceOptions("ALL"))
  readonly pace!: PaceInput;
}

@ArgsType()
class CandlesArguments extends TradesArguments {
  @Field(() => CandleInterval, { description: "Length of a candle" })
  readonly interval!: CandleInterval;
}

@ArgsType()
class BookArguments extends TickerArguments {
  @Field(() => BookDepth, { defaultValue: "L50", description: "How many levels of each side. Default: L50" })
  readonly depth!: BookDepth;

  @Field(() => Boolean, {
    defaultValue: false,
    description: "With the orders that are offered to retail only (RPI), as `rpiQty` of each level. Default: false",
  })
  readonly rpi!: boolean;
}

@ArgsType()
class LiquidationArguments {
  @Field(() => FuturesCategoryInput, { description: "Futures category, by the coin of the margin" })
  readonly category!: FuturesCategoryInput;

  @Field(() => PaceInput, paceOptions("ALL"))
  readonly pace!: PaceInput;
}

const LEVELS = { L1: 1, L5: 5, L15: 15, L50: 50, FULL: "full" } as const;

const marketFrom = ({ category, symbol }: MarketArguments) => marketOf(category, symbol);

@Resolver()
export class MarketSubscriptions {
  @RequiresScope("read:market")
  @Subscription(() => Ticker, {
    description: "The ticker of a symbol whenever it changes, several times a second. Source: the ticker stream",
    subscribe: streamed((streams, args: TickerArguments, _context, listener) =>
      streams.market.ticker(marketFrom(args), listener),
    ),
  })
  ticker(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<Omit<Ticker, "category">>,
    @Args(() => TickerArguments) args: TickerArguments,
  ): Ticker {
    return { ...begin(context, event), category: args.category };
  }

  @RequiresScope("read:market")
  @Cost({ rows: EVENT_ROWS })
  @Subscription(() => [Trade], {
    description: "Trades of a symbol: the latest ones first, then each as it happens. Source: the trade stream",
    subscribe: streamed((streams, args: TradesArguments, _context, listener) =>
      streams.market.trades(marketFrom(args), listener),
    ),
  })
  trades(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<readonly Trade[]>,
    @Args(() => TradesArguments) _args: TradesArguments,
  ): readonly Trade[] {
    return begin(context, event);
  }

  @RequiresScope("read:market")
  @Cost({ rows: EVENT_ROWS })
  @Subscription(() => [Candle], {
    description:
      "Candles of a symbol, oldest first: up to 500 at the start, then the running one, with the one before it when that closes. Source: the candle stream",
    subscribe: streamed((streams, { interval, ...args }: CandlesArguments, _context, listener) =>
      streams.market.candles({ ...marketFrom(args), interval }, listener),
    ),
  })
  candles(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<readonly Candle[]>,
    @Args(() => CandlesArguments) _args: CandlesArguments,
  ): readonly Candle[] {
    return begin(context, event);
  }

  @RequiresScope("read:market")
  @Subscription(() => OrderBook, {
    description:
      "The complete order book of a symbol with each event, rebuilt from the exchange's updates without gaps and never crossed. `isStale` while its connection is interrupted. Source: the book streams",
    subscribe: streamed((streams, { depth, rpi, ...args }: BookArguments, _context, listener) =>
      streams.market.orderBook(marketFrom(args), { depth: LEVELS[depth], isRpi: rpi }, listener),
    ),
  })
  orderBook(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<Pick<OrderBook, "asks" | "bids" | "time">>,
    @Args(() => BookArguments) args: BookArguments,
  ): OrderBook {
    const depth = LEVELS[args.depth];
    return { ...begin(context, event), ...marketFrom(args), depth: depth === "full" ? null : depth, isStale: event.stale };
  }

  @RequiresScope("read:market")
  @Cost({ rows: EVENT_ROWS })
  @Subscription(() => [Liquidation], {
    description: "Positions closed by force, as they happen; nothing at the start. Source: the liquidation stream",
    subscribe: streamed((streams, { category }: LiquidationArguments, _context, listener) =>
      streams.market.liquidations({ category }, listener),
    ),
  })
  liquidations(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<readonly Liquidation[]>,
    @Args(() => LiquidationArguments) _args: LiquidationArguments,
  ): readonly Liquidation[] {
    return begin(context, event);
  }
}

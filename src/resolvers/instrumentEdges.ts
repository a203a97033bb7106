import { Arg, Args, type ClassType, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { type ExchangeAccount, type Row, rowWhere } from "../datasources/index.js";
import {
  isFuturesCategory,
  MAX_SINGLE_READS,
  readCandles,
  readFundingHistory,
  readOpenInterests,
  readOrderBook,
  readPositionTiers,
  readTrades,
} from "../datasources/reads/index.js";
import { Cost, type FieldCost } from "../schema/cost.js";
import { UNKNOWN } from "../schema/enums/exchangeEnum.js";
import { Instrument, MarginPair, SpotSymbol } from "../schema/instrument.js";
import { bounded, TIERS } from "../schema/listLengths.js";
import { Candle, FundingSettlement, OpenInterest, OrderBook, PositionTier, Ticker, Trade } from "../schema/market.js";
import { Position } from "../schema/position.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { RequestContext } from "./context.js";
import { instrumentJoin, joined, PAGE, tickerJoin } from "./fieldCosts.js";
import { SETTLEMENTS } from "./funding.js";
import { CANDLES, DEPTH, SeriesArguments, TRADES } from "./market.js";
import type { Traded } from "./marketJoins.js";

/** A list that only futures contracts have. It is not read for other categories. */
const ofFutures = (cost: Omit<FieldCost, "calls">): FieldCost => ({
  ...cost,
  calls: (_args, { category }) => (category === undefined || isFuturesCategory(category) ? 1 : 0),
});

const TIERS_TEXT =
  "Leverage and maintenance margin by the value of a position, smallest value first; empty outside futures. One call per symbol";
const TIERS_SOURCE = "Source: GET /api/v3/market/position-tier";

function tiersEdge(type: ClassType<object>) {
  const ofAccount = type === Position;
  @Resolver(() => type)
  class TiersEdge {
    @RequiresScope("read:market")
    @Cost({ ...ofFutures({ rows: TIERS }), ...(ofAccount && { mostPerAccount: MAX_SINGLE_READS }) })
    @FieldResolver(() => [PositionTier], {
      nullable: "itemsAndList",
      description: `${TIERS_TEXT}${ofAccount ? ", for at most 50 symbols of an account" : ""}, up to five minutes old. ${TIERS_SOURCE}`,
    })
    async tiers(
      @Root() { category, symbol, account }: Traded & { readonly account?: ExchangeAccount },
      @Ctx() { reads }: RequestContext,
    ): Promise<readonly Row<PositionTier>[]> {
      if (!isFuturesCategory(category)) return [];
      if (account !== undefined) reads.loaders.account.single("tiers", account, symbol);
      return readPositionTiers(reads, { category, symbol });
    }
  }
  return TiersEdge;
}

/** From an instrument to its market data. Each is a call per symbol, or none while its stream is live. */
@Resolver(() => Instrument)
class InstrumentEdges {
  @RequiresScope("read:market")
  @Cost(CANDLES)
  @FieldResolver(() => [Candle], {
    nullable: "itemsAndList",
    description:
      "Its candles, oldest first, including the running one. Source: the candle stream while it is live, else GET /api/v3/market/candles and GET /api/v3/market/history-candles",
  })
  async candles(
    @Root() { category, symbol }: Traded,
    @Ctx() { reads }: RequestContext,
    @Args(() => SeriesArguments) series: SeriesArguments,
  ): Promise<readonly Row<Candle>[]> {
    return category === UNKNOWN ? [] : readCandles(reads, { category, symbol, ...series });
  }

  @RequiresScope("read:market")
  @Cost({ calls: 1 })
  @FieldResolver(() => OrderBook, {
    nullable: true,
    description:
      "Its order book, for a margin pair that of spot; null in a category that this version does not know. Source: the book streams while one that is deep enough is live, else GET /api/v3/market/orderbook",
  })
  async orderBook(
    @Root() { category, symbol }: Traded,
    @Ctx() { reads }: RequestContext,
    @Arg("depth", () => Int, DEPTH) depth?: number | null,
  ): Promise<OrderBook | null> {
    return category === UNKNOWN ? null : readOrderBook(reads, { category, symbol, depth: depth ?? DEPTH.defaultValue });
  }

  @RequiresScope("read:market")
  @Cost({ calls: 1, rows: ({ first }) => bounded(first, PAGE, PAGE) })
  @FieldResolver(() => [Trade], {
    nullable: "itemsAndList",
    description: "Its latest trades, newest first; those of spot for a margin pair. Source: GET /api/v3/market/fills",
  })
  async trades(
    @Root() { category, symbol }: Traded,
    @Ctx() { reads }: RequestContext,
    @Arg("first", () => Int, TRADES) first?: number | null,
  ): Promise<readonly Row<Trade>[]> {
    return category === UNKNOWN ? [] : readTrades(reads, { category, symbol, first });
  }

  @RequiresScope("read:market")
  @Cost(ofFutures({ rows: ({ first }) => bounded(first, PAGE, PAGE) }))
  @FieldResolver(() => [FundingSettlement], {
    nullable: "itemsAndList",
    description:
      "Its latest settlements of funding, newest first; empty for anything but a perpetual contract. Source: GET /api/v3/market/history-fund-rate",
  })
  async fundingHistory(
    @Root() { category, symbol }: Traded,
    @Ctx() { reads }: RequestContext,
    @Arg("first", () => Int, SETTLEMENTS) first?: number | null,
  ): Promise<readonly Row<FundingSettlement>[]> {
    return isFuturesCategory(category) ? readFundingHistory(reads, { category, symbol, first }) : [];
  }

  @RequiresScope("read:market")
  @Cost(joined("openInterests"))
  @FieldResolver(() => OpenInterest, {
    nullable: true,
    description:
      "Its open interest; null outside futures. One call per category for any number of instruments. Source: GET /api/v3/market/open-interest",
  })
  async openInterest(@Root() { category, symbol }: Traded, @Ctx() { reads }: RequestContext): Promise<OpenInterest | null> {
    return isFuturesCategory(category) ? rowWhere(await readOpenInterests(reads, category, [symbol]), () => true) : null;
  }
}

/** From a pair's rules to its instrument and ticker. */
function pairEdges(type: ClassType<object>, category: "SPOT" | "MARGIN") {
  @Resolver(() => type)
  class PairEdges {
    @RequiresScope("read:market")
    @Cost(instrumentJoin)
    @FieldResolver(() => Instrument, {
      nullable: true,
      description:
        "The instrument of its symbol; null if it is not listed any more. One call for any number of pairs. Source: GET /api/v3/market/instruments",
    })
    instrument(@Root() { symbol }: Pick<SpotSymbol, "symbol">, @Ctx() { reads }: RequestContext): Promise<Instrument | null> {
      return reads.loaders.instrument(category, symbol);
    }

    @RequiresScope("read:market")
    @Cost(tickerJoin)
    @FieldResolver(() => Ticker, {
      nullable: true,
      description: "Its ticker; null if it is not quoted. One call for any number of pairs. Source: GET /api/v3/market/tickers",
    })
    ticker(@Root() { symbol }: Pick<SpotSymbol, "symbol">, @Ctx() { reads }: RequestContext): Promise<Ticker | null> {
      return reads.loaders.ticker(category, symbol);
    }
  }
  return PairEdges;
}

/** From a traded symbol to its market. */
export const INSTRUMENT_EDGES = [
  InstrumentEdges,
  pairEdges(MarginPair, "MARGIN"),
  pairEdges(SpotSymbol, "SPOT"),
  tiersEdge(Instrument),
  tiersEdge(Position),
];

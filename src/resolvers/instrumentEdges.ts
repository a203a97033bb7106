import type { ClassType } from "type-graphql";
import { type ExchangeAccount, rowWhere } from "../datasources/index.js";
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
import { Candle } from "../schema/candle.js";
import type { FieldCost } from "../schema/cost.js";
import type { ProductCategory } from "../schema/enums/category.js";
import { UNKNOWN } from "../schema/enums/exchangeEnum.js";
import { FundingSettlement, OpenInterest, PositionTier } from "../schema/funding.js";
import { Instrument } from "../schema/instrument.js";
import { bounded, TIERS } from "../schema/listLengths.js";
import { DEFAULT_DEPTH, OrderBook } from "../schema/orderBook.js";
import { MarginPair, SpotSymbol } from "../schema/pair.js";
import { Position } from "../schema/position.js";
import { Ticker } from "../schema/ticker.js";
import { Trade } from "../schema/trade.js";
import { instrumentJoin, joined, PAGE, tickerJoin } from "./fieldCosts.js";
import { marketField, resolversOf } from "./fieldTable.js";
import { SETTLEMENTS } from "./funding.js";
import { CANDLES, DEPTH, SeriesArguments, TRADES } from "./market.js";

/** A row with its market. */
interface Traded {
  readonly category: ProductCategory;
  readonly symbol: string;
}

/** A list of a futures contract; other categories have none, and are not asked for it. */
const ofFutures = (cost: Omit<FieldCost, "calls">): FieldCost => ({
  ...cost,
  calls: (_args, { category }) => (category === undefined || isFuturesCategory(category) ? 1 : 0),
});

const TIERS_TEXT =
  "Leverage and maintenance margin by the value of a position, smallest value first; empty outside futures. One call per symbol";
const TIERS_SOURCE = "Source: GET /api/v3/market/position-tier";

function tiersEdge(type: ClassType<object>) {
  const ofAccount = type === Position;
  const TiersEdge = resolversOf(type, {
    tiers: marketField([PositionTier], {
      description: `${TIERS_TEXT}${ofAccount ? ", for at most 50 symbols of an account" : ""}, up to five minutes old. ${TIERS_SOURCE}`,
      cost: { ...ofFutures({ rows: TIERS }), ...(ofAccount && { mostPerAccount: MAX_SINGLE_READS }) },
      resolve: async ({ category, symbol, account }: Traded & { readonly account?: ExchangeAccount }, { reads }) => {
        if (!isFuturesCategory(category)) return [];
        if (account !== undefined) reads.loaders.account.single("tiers", account, symbol);
        return readPositionTiers(reads, { category, symbol });
      },
    }),
  });
  return TiersEdge;
}

/** From an instrument to its market data. Each is a call per symbol, or none while its stream is live. */
const InstrumentEdges = resolversOf(Instrument, {
  candles: marketField([Candle], {
    description:
      "Its candles, oldest first, including the running one. Source: the candle stream while it is live, else GET /api/v3/market/candles and GET /api/v3/market/history-candles",
    cost: CANDLES,
    args: SeriesArguments,
    resolve: async ({ category, symbol }: Traded, { reads }, series) =>
      category === UNKNOWN ? [] : readCandles(reads, { category, symbol, ...series }),
  }),
  orderBook: marketField.orNull(OrderBook, {
    description:
      "Its order book, for a margin pair that of spot; null in a category that this version does not know. Source: the book streams while one that is deep enough is live, else GET /api/v3/market/orderbook",
    cost: { calls: 1 },
    args: { depth: DEPTH },
    resolve: async ({ category, symbol }: Traded, { reads }, { depth }) =>
      category === UNKNOWN ? null : readOrderBook(reads, { category, symbol, depth: depth ?? DEFAULT_DEPTH }),
  }),
  trades: marketField([Trade], {
    description: "Its latest trades, newest first; those of spot for a margin pair. Source: GET /api/v3/market/fills",
    cost: { calls: 1, rows: ({ first }) => bounded(first, PAGE, PAGE) },
    args: { first: TRADES },
    resolve: async ({ category, symbol }: Traded, { reads }, { first }) =>
      category === UNKNOWN ? [] : readTrades(reads, { category, symbol, first }),
  }),
  fundingHistory: marketField([FundingSettlement], {
    description:
      "Its latest settlements of funding, newest first; empty for anything but a perpetual contract. Source: GET /api/v3/market/history-fund-rate",
    cost: ofFutures({ rows: ({ first }) => bounded(first, PAGE, PAGE) }),
    args: { first: SETTLEMENTS },
    resolve: async ({ category, symbol }: Traded, { reads }, { first }) =>
      isFuturesCategory(category) ? readFundingHistory(reads, { category, symbol, first }) : [],
  }),
});

const OpenInterestEdge = resolversOf(Instrument, {
  openInterest: marketField.orNull(OpenInterest, {
    description:
      "Its open interest; null outside futures. One call per category for any number of instruments. Source: GET /api/v3/market/open-interest",
    cost: joined("openInterests"),
    resolve: async ({ category, symbol }: Traded, { reads }) =>
      isFuturesCategory(category) ? rowWhere(await readOpenInterests(reads, category, [symbol]), () => true) : null,
  }),
});

/** From a pair's rules to its instrument and ticker. */
function pairEdges(type: ClassType<object>, category: "SPOT" | "MARGIN") {
  const PairEdges = resolversOf(type, {
    instrument: marketField.orNull(Instrument, {
      description:
        "The instrument of its symbol; null if it is not listed any more. One call for any number of pairs. Source: GET /api/v3/market/instruments",
      cost: instrumentJoin,
      resolve: ({ symbol }: Pick<SpotSymbol, "symbol">, { reads }) => reads.loaders.instrument(category, symbol),
    }),
    ticker: marketField.orNull(Ticker, {
      description: "Its ticker; null if it is not quoted. One call for any number of pairs. Source: GET /api/v3/market/tickers",
      cost: tickerJoin,
      resolve: ({ symbol }: Pick<SpotSymbol, "symbol">, { reads }) => reads.loaders.ticker(category, symbol),
    }),
  });
  return PairEdges;
}

/** From what is traded to its market. */
export const INSTRUMENT_EDGES = [
  InstrumentEdges,
  OpenInterestEdge,
  pairEdges(MarginPair, "MARGIN"),
  pairEdges(SpotSymbol, "SPOT"),
  tiersEdge(Instrument),
  tiersEdge(Position),
];

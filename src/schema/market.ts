import { candle } from "@exchange-graph/contract/candle";
import { liquidation } from "@exchange-graph/contract/channels/liquidation";
import { fundingSettlement, openInterest, positionTier } from "@exchange-graph/contract/funding";
import { discountRate, discountTier } from "@exchange-graph/contract/market";
import { publicTrade } from "@exchange-graph/contract/publicTrade";
import { ticker } from "@exchange-graph/contract/ticker";
import type { ArgumentValues, CostContext } from "./cost.js";
import { FuturesCategory, ProductCategory } from "./enums/category.js";
import { decimal, flag, integer, listOf, of, partialListOf, text, time } from "./fields.js";
import { bounded, EVENT_ROWS, rowsOf, TIERS } from "./listLengths.js";
import { Node } from "./node.js";
import { extended, fieldsOf, RecordType, recordOf } from "./record.js";
import { MarketEvent } from "./streamStatus.js";

@RecordType("Prices and volume of one interval")
export class Candle extends recordOf(candle) {}

@RecordType("A trade of the public market", { implements: Node })
export class Trade extends extended(recordOf(publicTrade), {
  category: of(ProductCategory)("Product category; a margin pair has the trades of spot"),
  symbol: text("Symbol name, for example `BTCUSDT`"),
}) {}

@RecordType(
  "Ticker of a symbol: last price, best prices and figures of the last 24 hours. Fields that do not apply to its category are null",
  { implements: Node },
)
export class Ticker extends extended(
  recordOf(ticker, { without: ["nextFundingTime", "openUtc", "changeUtc24h", "turnover24hUsdt"] }),
  {
    category: of(ProductCategory)("Product category, as in the argument; a margin pair has the prices of spot"),
  },
) {}

/** Levels per side without an argument. */
export const DEFAULT_DEPTH = 50;
const BOOK_LEVELS = 1_000;
/** Levels per side. A book without a `depth` argument is one of a stream. */
const levels = (_args: ArgumentValues, { parent: { depth } }: CostContext): number =>
  depth === null ? DEFAULT_DEPTH : bounded(depth, BOOK_LEVELS, BOOK_LEVELS);

@RecordType("One price level of an order book")
class BookLevel extends fieldsOf({
  price: decimal("Price of the level, in quote coin"),
  qty: decimal("Quantity at this price for all clients, in base coin (`size`)"),
  rpiQty: decimal.optional(
    "Quantity at this price for retail clients only (RPI), in base coin; null unless `rpi` was requested (`rpiSize`)",
  ),
}) {}

@RecordType("The order book of a symbol")
export class OrderBook extends fieldsOf({
  category: of(ProductCategory)("Product category; a margin pair trades in the order book of spot"),
  symbol: text("Symbol name, for example `BTCUSDT`"),
  depth: integer.orNull(
    "Levels per side, as in the argument; null for all. With `category` and `symbol` it is the key of the book in a client's cache",
  ),
  asks: listOf(BookLevel, levels)("Offers to sell, lowest price first (the exchange's `a`)"),
  bids: listOf(BookLevel, levels)("Offers to buy, highest price first (the exchange's `b`)"),
  time: time.orNull("Time of the book (the exchange's `ts`)"),
  isStale: flag("Whether its stream is interrupted; then it may be out of date"),
}) {}

@RecordType("A settlement of funding of a perpetual contract", { lasting: true })
export class FundingSettlement extends recordOf(fundingSettlement) {}

@RecordType("Open positions of all users in a futures contract")
export class OpenInterest extends extended(recordOf(openInterest), {
  category: of(FuturesCategory)("Futures category, by the coin of the margin"),
}) {}

@RecordType("Leverage and maintenance margin of a futures contract within one range of position values", { lasting: true })
export class PositionTier extends recordOf(positionTier) {}

@RecordType("What one class of investors bought and sold on the spot market")
class InvestorFlow extends fieldsOf({
  buyVolume: decimal.orNull("Bought by the class, for example `whaleBuyVolume`"),
  sellVolume: decimal.orNull("Sold by the class, for example `whaleSellVolume`"),
  buyRatio: decimal.orNull("The class's share of all purchases, as a fraction, for example `whaleBuyRatio`"),
  sellRatio: decimal.orNull("The class's share of all sales, as a fraction, for example `whaleSellRatio`"),
}) {}

@RecordType("Purchases and sales on the spot market, by size of investor")
export class SpotFundFlow extends fieldsOf({
  whale: of(InvestorFlow)("Large investors (`whaleBuyVolume`, `whaleSellVolume`, `whaleBuyRatio`, `whaleSellRatio`)"),
  dolphin: of(InvestorFlow)("Medium investors (`dolphinBuyVolume`, `dolphinSellVolume`, `dolphinBuyRatio`, `dolphinSellRatio`)"),
  fish: of(InvestorFlow)("Small investors (`fishBuyVolume`, `fishSellVolume`, `fishBuyRatio`, `fishSellRatio`)"),
}) {}

@RecordType("Share of a coin's value that counts as collateral within one range of amounts")
class DiscountTier extends recordOf(discountTier) {}

@RecordType("Shares of a coin's value that count as collateral, by tier", { lasting: true })
export class DiscountRate extends extended(recordOf(discountRate, { without: ["tiers"] }), {
  tiers: partialListOf(DiscountTier, (_args, place) => rowsOf(place, "discountTiers", TIERS))(
    "The tiers, from the smallest amount up (`discountRateList`)",
  ),
}) {}

@RecordType("A liquidated position. The exchange reports the largest one per second, symbol and side")
class Liquidation extends recordOf(liquidation) {}

@RecordType("An event of a symbol's ticker")
export class TickerEvent extends extended(MarketEvent, {
  category: of(ProductCategory)("Product category, as in the argument"),
  symbol: text("Symbol name, for example `BTCUSDT`"),
  ticker: of(Ticker).orError("The ticker; null, with the reason in `errors`, once the stream of this symbol alone has ended"),
}) {}

@RecordType("An event of a symbol's trades")
export class TradesEvent extends extended(MarketEvent, { trades: listOf(Trade, EVENT_ROWS)("Trades, newest first") }) {}

@RecordType("An event of a symbol's candles")
export class CandlesEvent extends extended(MarketEvent, { candles: listOf(Candle, EVENT_ROWS)("Candles, oldest first") }) {}

@RecordType("An event of a symbol's order book")
export class OrderBookEvent extends extended(MarketEvent, { orderBook: of(OrderBook)("The book") }) {}

@RecordType("An event of liquidations")
export class LiquidationsEvent extends extended(MarketEvent, {
  liquidations: listOf(Liquidation, EVENT_ROWS)("Liquidated positions"),
}) {}

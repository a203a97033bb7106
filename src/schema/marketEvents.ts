import { liquidation } from "@exchange-graph/contract/channels/liquidation";
import { Candle } from "./candle.js";
import { ProductCategory } from "./enums/category.js";
import { listOf, of, text } from "./fields.js";
import { EVENT_ROWS } from "./listLengths.js";
import { OrderBook } from "./orderBook.js";
import { extended, RecordType, recordOf } from "./record.js";
import { MarketEvent } from "./streamStatus.js";
import { Ticker } from "./ticker.js";
import { Trade } from "./trade.js";

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

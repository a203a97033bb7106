import { liquidation } from "@exchange-graph/contract/channels/liquidation";
import { Field } from "type-graphql";
import { Candle } from "./candle.js";
import { Cost } from "./cost.js";
import { ProductCategory } from "./enums/category.js";
import { EVENT_ROWS } from "./listLengths.js";
import { OrderBook } from "./orderBook.js";
import { RecordType, recordOf } from "./record.js";
import { MarketEvent } from "./streamStatus.js";
import { Ticker } from "./ticker.js";
import { Trade } from "./trade.js";

@RecordType("A position that was closed by force. The exchange reports the largest one per second, symbol and side")
class Liquidation extends recordOf(liquidation) {}

@RecordType("An event of a symbol's ticker")
export class TickerEvent extends MarketEvent {
  @Field(() => ProductCategory, { description: "Product category, as in the argument" })
  readonly category!: ProductCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @Field(() => Ticker, {
    nullable: true,
    description: "The ticker; null, with the reason in `errors`, once the stream of this symbol alone has ended",
  })
  readonly ticker!: Ticker | Error;
}

@RecordType("An event of a symbol's trades")
export class TradesEvent extends MarketEvent {
  @Cost({ rows: EVENT_ROWS })
  @Field(() => [Trade], { description: "Trades, newest first" })
  readonly trades!: readonly Trade[];
}

@RecordType("An event of a symbol's candles")
export class CandlesEvent extends MarketEvent {
  @Cost({ rows: EVENT_ROWS })
  @Field(() => [Candle], { description: "Candles, oldest first" })
  readonly candles!: readonly Candle[];
}

@RecordType("An event of a symbol's order book")
export class OrderBookEvent extends MarketEvent {
  @Field(() => OrderBook, { description: "The book" })
  readonly orderBook!: OrderBook;
}

@RecordType("An event of liquidations")
export class LiquidationsEvent extends MarketEvent {
  @Cost({ rows: EVENT_ROWS })
  @Field(() => [Liquidation], { description: "Positions that were closed by force" })
  readonly liquidations!: readonly Liquidation[];
}

import { Field } from "type-graphql";
import { ProductCategory } from "./enums/category.js";
import { DeliveryStatus } from "./enums/instrument.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType(
  "Ticker of a symbol: last price, best prices and figures of the last 24 hours. Fields that do not apply to its category are null",
  { implements: Node },
)
export class Ticker {
  @Field(() => ProductCategory, {
    description: "Product category, as in the argument; a margin pair trades at the prices of spot",
  })
  readonly category!: ProductCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @Field(() => Decimal, { nullable: true, description: "Price of the last trade, in quote coin (`lastPr`)" })
  readonly lastPrice!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Price 24 hours ago, in quote coin (`open24h`, `open`)" })
  readonly openPrice24h!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Highest price of the last 24 hours, in quote coin (`high24h`)" })
  readonly highPrice24h!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Lowest price of the last 24 hours, in quote coin (`low24h`)" })
  readonly lowPrice24h!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Change of the price in the last 24 hours, as a fraction: 0.05 is 5 % (`price24hPcnt`; Classic: `change24h`)",
  })
  readonly change24h!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Traded in the last 24 hours, in base coin (`baseVolume`)" })
  readonly volume24h!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Traded in the last 24 hours, in quote coin (`quoteVolume`)" })
  readonly turnover24h!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Best bid, in quote coin; null if there are no bids (`bidPr`)" })
  readonly bid1Price!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Quantity at the best bid, in base coin (`bid1Size`; Classic: `bidSz`)" })
  readonly bid1Qty!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Best ask, in quote coin; null if there are no asks (`askPr`)" })
  readonly ask1Price!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Quantity at the best ask, in base coin (`ask1Size`; Classic: `askSz`)" })
  readonly ask1Qty!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Index price, in quote coin; futures only" })
  readonly indexPrice!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Mark price, in quote coin; futures only" })
  readonly markPrice!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Current funding rate, as a fraction; perpetual futures only" })
  readonly fundingRate!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Open positions, in base coin; futures only (`holdingAmount`)" })
  readonly openInterest!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Price at which the contract was delivered; delivery futures only, from the v2 ticker stream only (setting `STREAMS_PUBLIC`), null elsewhere",
  })
  readonly deliveryPrice!: string | null;

  @Field(() => DateTime, { nullable: true, description: "Start of the delivery; delivery futures only" })
  readonly deliveryStartTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "The delivery itself; delivery futures only" })
  readonly deliveryTime!: number | null;

  @EnumField(() => DeliveryStatus, "State of the contract; delivery futures only", { nullable: true })
  readonly deliveryStatus!: DeliveryStatus | null;

  @Field(() => DateTime, { nullable: true, description: "When the figures were true (the exchange's `ts`)" })
  readonly time!: number | null;
}

import { Field } from "type-graphql";
import { FuturesCategory } from "./enums/category.js";
import { OrderSide } from "./enums/order.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("A position that was closed by force. The exchange reports the largest one per second, symbol and side")
export class Liquidation {
  @EnumField(() => FuturesCategory, "Futures category, by the coin of the margin")
  readonly category!: FuturesCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @EnumField(() => OrderSide, "Whose position it was: `BUY` a long one, `SELL` a short one", { nullable: true })
  readonly side!: OrderSide | null;

  @Field(() => Decimal, { nullable: true, description: "Price at which it was closed, in quote coin" })
  readonly price!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Quantity, in base coin (`amount`)" })
  readonly qty!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it happened (the exchange's `ts`)" })
  readonly time!: number | null;
}

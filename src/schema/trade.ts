import { Field } from "type-graphql";
import { OrderSide } from "./enums/order.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("A trade of the public market")
export class Trade {
  @Field(() => String, { description: "The exchange's identifier of the trade, its key in a cache (also spelt `tradeId`)" })
  readonly execId!: string;

  @Field(() => String, {
    nullable: true,
    description: "Shared by the trades of one taker order; null where the exchange does not say",
  })
  readonly execLinkId!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Price, in quote coin" })
  readonly price!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Quantity, in base coin (`size`)" })
  readonly qty!: string | null;

  @EnumField(() => OrderSide, "What the taker did", { nullable: true })
  readonly side!: OrderSide | null;

  @Field(() => DateTime, { nullable: true, description: "When it was traded (the exchange's `ts`)" })
  readonly time!: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Was the maker a retail price improvement order? Null where the exchange does not say",
  })
  readonly isRPI!: boolean | null;
}

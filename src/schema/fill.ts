import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Cost } from "./cost.js";
import { ProductCategory } from "./enums/category.js";
import { OrderSide, OrderType, TradeScope } from "./enums/order.js";
import { HoldMode, PositionSide } from "./enums/position.js";
import { TradeSide } from "./enums/tradeSide.js";
import { FEES } from "./listLengths.js";
import { Node } from "./node.js";
import { Fee } from "./order.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("One execution of an order. Fees are positive where the account paid", { implements: Node })
export class Fill {
  @Field(() => Account, { description: "The account whose order was executed" })
  readonly account!: Account;

  @Field(() => String, {
    description: "The exchange's identifier of the execution (Classic: `tradeId`, misspelt `execld` in places)",
  })
  readonly execId!: string;

  @Field(() => String, { nullable: true, description: "What links the two sides of a match; unified accounts only" })
  readonly execLinkId!: string | null;

  @Field(() => String, { nullable: true, description: "Identifier of the order that was executed" })
  readonly orderId!: string | null;

  @Field(() => String, { nullable: true, description: "The client's own identifier of that order" })
  readonly clientOid!: string | null;

  @EnumField(() => ProductCategory, "Product category that it traded in")
  readonly category!: ProductCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @EnumField(() => OrderType, "Limit or market order; Classic futures do not say", { nullable: true })
  readonly orderType!: OrderType | null;

  @EnumField(() => OrderSide, "Side of the execution in the market: closing a long is SELL, in hedge mode too", {
    nullable: true,
  })
  readonly side!: OrderSide | null;

  @EnumField(() => PositionSide, "Position side (also spelt `holdSide`); null in one-way mode and on spot", { nullable: true })
  readonly posSide!: PositionSide | null;

  @EnumField(() => HoldMode, "Position mode; null where the exchange does not say (Classic: `posMode`)", {
    nullable: true,
  })
  readonly holdMode!: HoldMode | null;

  @EnumField(() => TradeSide, "What it did to the position; null on spot", { nullable: true })
  readonly tradeSide!: TradeSide | null;

  @Field(() => Decimal, { nullable: true, description: "Price, in quote coin (`execPrice`; Classic: `priceAvg` and `price`)" })
  readonly price!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Quantity, in base coin (`execQty`; Classic: `size` and `baseVolume`)" })
  readonly qty!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Value, in quote coin (`execValue`; Classic: `amount` and `quoteVolume`)",
  })
  readonly value!: string | null;

  @EnumField(() => TradeScope, "Taker or maker; null where the exchange does not say", {
    nullable: true,
  })
  readonly tradeScope!: TradeScope | null;

  @Cost({ rows: FEES })
  @Field(() => [Fee], { nullable: true, description: "Fees, coin by coin (`feeDetail`); null where the exchange sends none" })
  readonly fees!: readonly Fee[] | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Profit that it realised, in margin coin (`execPnl`; Classic: `profit`)",
  })
  readonly realisedPnl!: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Was it against a retail price improvement order? Null where the exchange does not say",
  })
  readonly isRPI!: boolean | null;

  @Field(() => String, { nullable: true, description: "What the order was entered with, such as API or WEB; Classic only" })
  readonly enterPointSource!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it happened (also spelt `execTime` and `cTime`)" })
  readonly createdTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When its record last changed (Classic: `uTime`)" })
  readonly updatedTime!: number | null;
}

export const FillConnection = connectionOf(Fill);
export type FillConnection = ConnectionOf<Fill>;

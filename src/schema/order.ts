import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Cost } from "./cost.js";
import { CancelReason } from "./enums/cancelReason.js";
import { ProductCategory } from "./enums/category.js";
import { ExecType, OrderSide, OrderStatus, OrderType, SpotOrderKind, StpMode, TimeInForce, TriggerBy } from "./enums/order.js";
import { HoldMode, MarginMode, PositionSide } from "./enums/position.js";
import { TradeSide } from "./enums/tradeSide.js";
import { FEES } from "./listLengths.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("A fee in one coin: positive where it was paid, negative where a rebate was received")
export class Fee {
  @Field(() => String, { nullable: true, description: "Coin in which the fee is counted" })
  readonly coin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount, in that coin (`fee`; Classic: `totalFee`)" })
  readonly amount!: string | null;
}

@RecordType("A take-profit or stop-loss: what triggers it, and how it closes the position")
export class OrderExit {
  @Field(() => Decimal, { description: "Trigger price, in quote coin" })
  readonly triggerPrice!: string;

  @EnumField(() => TriggerBy, "The price that the trigger is compared with; null where the exchange does not say", {
    nullable: true,
  })
  readonly triggerBy!: TriggerBy | null;

  @EnumField(() => OrderType, "How it closes: at a limit price or at market; null where the exchange does not say", {
    nullable: true,
  })
  readonly orderType!: OrderType | null;

  @Field(() => Decimal, { nullable: true, description: "Limit price, in quote coin; null if it closes at market" })
  readonly limitPrice!: string | null;
}

@RecordType("An order, on spot, margin or futures. Fees are positive where the account paid", { implements: Node })
export class Order {
  @Field(() => Account, { description: "The account that placed it" })
  readonly account!: Account;

  @Field(() => String, { description: "The exchange's identifier of the order" })
  readonly orderId!: string;

  @Field(() => String, { nullable: true, description: "The client's own identifier of the order" })
  readonly clientOid!: string | null;

  @EnumField(() => ProductCategory, "Product category that it trades in")
  readonly category!: ProductCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @EnumField(() => OrderType, "Limit or market order", { nullable: true })
  readonly orderType!: OrderType | null;

  @EnumField(() => OrderSide, "Side of the order in the market: closing a long is SELL, in hedge mode too", { nullable: true })
  readonly side!: OrderSide | null;

  @EnumField(() => PositionSide, "Position side (also spelt `holdSide`); null in one-way mode and on spot", { nullable: true })
  readonly posSide!: PositionSide | null;

  @EnumField(() => HoldMode, "Position mode; null on spot (Classic: `posMode`)", { nullable: true })
  readonly holdMode!: HoldMode | null;

  @EnumField(() => TradeSide, "What it does to the position; null where the exchange does not say", { nullable: true })
  readonly tradeSide!: TradeSide | null;

  @Field(() => Decimal, { nullable: true, description: "Limit price, in quote coin; null for a market order" })
  readonly price!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Quantity, in base coin; null for a spot market buy, which counts in quote coin (Classic: `size`)",
  })
  readonly qty!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Quote coin to spend; spot market buys only (`amount`)" })
  readonly quoteQty!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Quantity filled so far, in base coin (Classic: `baseVolume`)",
  })
  readonly cumExecQty!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Value filled so far, in quote coin (Classic: `quoteVolume`)",
  })
  readonly cumExecValue!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Average fill price, in quote coin; null until something is filled (Classic: `priceAvg`)",
  })
  readonly avgPrice!: string | null;

  @EnumField(() => TimeInForce, "How long it may wait (Classic: `force`, misspelt `timelnForce` in places)", {
    nullable: true,
  })
  readonly timeInForce!: TimeInForce | null;

  @EnumField(() => OrderStatus, "State of the order (Classic: `status` and `state`)", { nullable: true })
  readonly orderStatus!: OrderStatus | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "May it only make a position smaller? Null where the exchange does not say",
  })
  readonly reduceOnly!: boolean | null;

  @Cost({ rows: FEES })
  @Field(() => [Fee], {
    nullable: true,
    description: "Fees so far, coin by coin (`feeDetail`); null where the exchange sends none",
  })
  readonly fees!: readonly Fee[] | null;

  @EnumField(() => StpMode, "Self-trade prevention; null where the exchange does not say", { nullable: true })
  readonly stpMode!: StpMode | null;

  @EnumField(() => CancelReason, "Why it was cancelled; null unless it was", { nullable: true })
  readonly cancelReason!: CancelReason | null;

  @EnumField(
    () => ExecType,
    "Whether it was placed by its owner or forced by the exchange; null where the exchange does not say",
    {
      nullable: true,
    },
  )
  readonly execType!: ExecType | null;

  @EnumField(() => MarginMode, "Margin mode; null where the exchange does not say", { nullable: true })
  readonly marginMode!: MarginMode | null;

  @Field(() => String, { nullable: true, description: "Margin coin; Classic futures only" })
  readonly marginCoin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Leverage; Classic futures only" })
  readonly leverage!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Profit that its fills realised, in margin coin; Classic futures only (`totalProfit`, also `totalProfits`)",
  })
  readonly realisedPnl!: string | null;

  @EnumField(() => SpotOrderKind, "A plain order or one that waits for its trigger; Classic spot only", { nullable: true })
  readonly tpslType!: SpotOrderKind | null;

  @Field(() => Decimal, { nullable: true, description: "The trigger price that it waits for; Classic spot only" })
  readonly triggerPrice!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Average price of the position that it closed; Classic futures history only (`posAvg`)",
  })
  readonly positionAvgPrice!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Liquidation price of the position; Classic futures history only (`liqPrice`)",
  })
  readonly liquidationPrice!: string | null;

  @Field(() => String, { nullable: true, description: "Where it came from, in the exchange's word; unified accounts only" })
  readonly delegateType!: string | null;

  @Field(() => String, { nullable: true, description: "Where it came from, in the exchange's word; Classic only" })
  readonly orderSource!: string | null;

  @Field(() => String, { nullable: true, description: "What it was entered with, such as API or WEB; Classic only" })
  readonly enterPointSource!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it was placed (Classic: `cTime`)" })
  readonly createdTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When it last changed (Classic: `uTime`)" })
  readonly updatedTime!: number | null;
}

export const OrderConnection = connectionOf(Order);
export type OrderConnection = ConnectionOf<Order>;

import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { FuturesCategory } from "./enums/category.js";
import { OrderSide, OrderType, TriggerBy } from "./enums/order.js";
import { PlanExit, PlanStatus, PlanType } from "./enums/plan.js";
import { HoldMode, MarginMode, PositionSide } from "./enums/position.js";
import { TradeSide } from "./enums/tradeSide.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType(
  "A trigger order on futures, called a plan order by the exchange: it waits for a price and then acts. Take-profits, stop-losses, trailing stops and triggered entries",
  {
    implements: Node,
  },
)
export class PlanOrder {
  @Field(() => Account, { description: "The account that placed it" })
  readonly account!: Account;

  @Field(() => String, { description: "The exchange's identifier of the trigger order" })
  readonly orderId!: string;

  @Field(() => String, { nullable: true, description: "The client's own identifier of the trigger order" })
  readonly clientOid!: string | null;

  @EnumField(() => FuturesCategory, "Product category that it trades in")
  readonly category!: FuturesCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @EnumField(() => PlanType, "Kind of trigger order", { nullable: true })
  readonly planType!: PlanType | null;

  @EnumField(() => PlanStatus, "State of the trigger order; null in the history of unified accounts", { nullable: true })
  readonly planStatus!: PlanStatus | null;

  @EnumField(() => OrderSide, "What it will do in the market; null where the exchange does not say", { nullable: true })
  readonly side!: OrderSide | null;

  @EnumField(() => PositionSide, "Position side (also spelt `holdSide`); null in one-way mode", { nullable: true })
  readonly posSide!: PositionSide | null;

  @EnumField(() => HoldMode, "Position mode (Classic: `posMode`); null where the exchange does not say", {
    nullable: true,
  })
  readonly holdMode!: HoldMode | null;

  @EnumField(() => TradeSide, "What it will do to the position; unified accounts do not say", { nullable: true })
  readonly tradeSide!: TradeSide | null;

  @EnumField(
    () => OrderType,
    "How it acts: at a limit price or at market; of `TPSL`, see `takeProfit` and `stopLoss` (also spelt `triggerOrderType`)",
    {
      nullable: true,
    },
  )
  readonly orderType!: OrderType | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Quantity, in base coin; null for the whole position (Classic: `size`)",
  })
  readonly qty!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "The price that it waits for; of `TPSL`, see `takeProfit` and `stopLoss`",
  })
  readonly triggerPrice!: string | null;

  @EnumField(() => TriggerBy, "The price that the trigger is compared with (Classic: `triggerType`)", {
    nullable: true,
  })
  readonly triggerBy!: TriggerBy | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Limit price once triggered, in quote coin; null when it acts at market (also spelt `triggerOrderPrice`)",
  })
  readonly executePrice!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "How far a trailing stop stays behind the price, as a fraction (`callbackRatio`, in percent)",
  })
  readonly callbackRate!: string | null;

  @EnumField(() => PlanExit, "Whether its take-profit or its stop-loss was triggered; history of unified accounts only", {
    nullable: true,
  })
  readonly triggeredExit!: PlanExit | null;

  @EnumField(() => MarginMode, "Margin mode; Classic only", { nullable: true })
  readonly marginMode!: MarginMode | null;

  @Field(() => String, { nullable: true, description: "Margin coin; Classic only" })
  readonly marginCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Where it came from, in the exchange's word; Classic only" })
  readonly orderSource!: string | null;

  @Field(() => String, { nullable: true, description: "What it was entered with, such as API or WEB; Classic only" })
  readonly enterPointSource!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it was placed (Classic: `cTime`)" })
  readonly createdTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When it last changed (Classic: `uTime`)" })
  readonly updatedTime!: number | null;
}

export const PlanOrderConnection = connectionOf(PlanOrder);
export type PlanOrderConnection = ConnectionOf<PlanOrder>;

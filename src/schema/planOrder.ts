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
  "A futures order that waits for a price and then acts: take-profits, stop-losses, trailing stops, triggered entries",
  {
    implements: Node,
  },
)
export class PlanOrder {
  @Field(() => Account, { description: "The account that placed it" })
  readonly account!: Account;

  @Field(() => String, { description: "The exchange's identifier of the plan order" })
  readonly orderId!: string;

  @Field(() => String, { nullable: true, description: "The client's own identifier of the plan order" })
  readonly clientOid!: string | null;

  @EnumField(() => FuturesCategory, "Product category that it trades in")
  readonly category!: FuturesCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @EnumField(() => PlanType, "Kind of the plan", { nullable: true })
  readonly planType!: PlanType | null;

  @EnumField(() => PlanStatus, "State of the plan; the unified generation's history does not say", { nullable: true })
  readonly planStatus!: PlanStatus | null;

  @EnumField(() => OrderSide, "What it will do in the market; null where the exchange does not say", { nullable: true })
  readonly side!: OrderSide | null;

  @EnumField(() => PositionSide, "Position side (also spelt `holdSide`); null in one-way mode", { nullable: true })
  readonly posSide!: PositionSide | null;

  @EnumField(() => HoldMode, "Position mode (the Classic generation's `posMode`); null where the exchange does not say", {
    nullable: true,
  })
  readonly holdMode!: HoldMode | null;

  @EnumField(() => TradeSide, "What it will do to the position; unified accounts do not say", { nullable: true })
  readonly tradeSide!: TradeSide | null;

  @EnumField(
    () => OrderType,
    "How it acts: at a limit price or at market; `TPSL` says it for each exit (also spelt `triggerOrderType`)",
    {
      nullable: true,
    },
  )
  readonly orderType!: OrderType | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Quantity, in base coin; null for the whole position (the Classic generation's `size`)",
  })
  readonly qty!: string | null;

  @Field(() => Decimal, { nullable: true, description: "The price that it waits for; `TPSL` says it for each exit" })
  readonly triggerPrice!: string | null;

  @EnumField(() => TriggerBy, "The price that the trigger is compared with (the Classic generation's `triggerType`)", {
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

  @EnumField(() => PlanExit, "Which exit was triggered; the unified generation's history alone", { nullable: true })
  readonly triggeredExit!: PlanExit | null;

  @EnumField(() => MarginMode, "Margin mode; Classic alone", { nullable: true })
  readonly marginMode!: MarginMode | null;

  @Field(() => String, { nullable: true, description: "Margin coin; Classic alone" })
  readonly marginCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Where it came from, in the exchange's word; Classic alone" })
  readonly orderSource!: string | null;

  @Field(() => String, { nullable: true, description: "What it was entered with, such as API or WEB; Classic alone" })
  readonly enterPointSource!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it was placed (the Classic generation's `cTime`)" })
  readonly createdTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When it last changed (the Classic generation's `uTime`)" })
  readonly updatedTime!: number | null;
}

export const PlanOrderConnection = connectionOf(PlanOrder);
export type PlanOrderConnection = ConnectionOf<PlanOrder>;

import { Field, InputType } from "type-graphql";
import { FuturesCategoryInput } from "../enums/category.js";
import { StpModeInput, TriggerByInput } from "../enums/order.js";
import { PositionSideInput } from "../enums/position.js";
import { TpslPlanType } from "../enums/write.js";
import { RecordType } from "../record.js";
import { Decimal } from "../scalars.js";
import { OrderEstimate } from "./orderEstimate.js";
import { OWN_NAME, STP, SYMBOL } from "./orders.js";
import { WriteInput, WritePayload } from "./write.js";

@InputType({ description: "A take-profit, stop-loss or trailing stop on a futures position" })
export class PlaceTpslOrderInput extends WriteInput {
  @Field(() => FuturesCategoryInput, { description: "Futures category of the position" })
  readonly category!: FuturesCategoryInput;

  @Field(() => String, { description: SYMBOL })
  readonly symbol!: string;

  @Field(() => TpslPlanType, { description: "What it does; MOVING_PLAN exists on Classic accounts only" })
  readonly planType!: TpslPlanType;

  @Field(() => PositionSideInput, {
    description: "The position, in one-way mode too (Classic: `holdSide`, which says buy and sell there)",
  })
  readonly posSide!: PositionSideInput;

  @Field(() => Decimal, { description: "The price that it waits for, in quote coin" })
  readonly triggerPrice!: string;

  @Field(() => TriggerByInput, {
    nullable: true,
    description: "What the trigger price is compared with (Classic: `triggerType`)",
  })
  readonly triggerBy?: TriggerByInput | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Limit price of the triggered order, in quote coin; 0 is at market. Not with MOVING_PLAN. Default: at market",
  })
  readonly executePrice?: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Quantity in base coin: needed except for POS_PROFIT and POS_LOSS (Classic: `size`)",
  })
  readonly qty?: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "How far a trailing stop stays behind the price, as a fraction (`rangeRate`, in percent): needed for MOVING_PLAN",
  })
  readonly callbackRate?: string | null;

  @Field(() => String, { nullable: true, description: OWN_NAME })
  readonly clientOid?: string | null;

  @Field(() => StpModeInput, { nullable: true, description: `Classic accounts only. ${STP}` })
  readonly stpMode?: StpModeInput | null;
}

@RecordType("A trigger order that was placed", { implements: WritePayload })
export class PlaceTpslOrderPayload extends WritePayload {
  @Field(() => String, { nullable: true, description: "The exchange's identifier of the trigger order; null unless accepted" })
  readonly orderId!: string | null;

  @Field(() => String, { nullable: true, description: "The client's own identifier of the trigger order; null unless accepted" })
  readonly clientOid!: string | null;

  @Field(() => OrderEstimate, {
    nullable: true,
    description:
      "What closing the position would cost at the limit price, or at the trigger price; no margin is needed. Null unless `dryRun`, if a rule is broken, and if there is no such position",
  })
  readonly estimate!: OrderEstimate | null;
}

import { Field, InputType, Int } from "type-graphql";
import { FuturesCategoryInput, ProductCategoryInput } from "../enums/category.js";
import { OrderSideInput, OrderTypeInput, StpModeInput, TimeInForceInput, TriggerByInput } from "../enums/order.js";
import { MarginModeInput, PositionSideInput } from "../enums/position.js";
import { CancelledKind, TpslPlanType } from "../enums/write.js";
import { RecordType } from "../record.js";
import { Decimal } from "../scalars.js";
import { WriteInput, WritePayload } from "./write.js";

const SYMBOL = "Symbol name, for example `BTCUSDT`; letter case does not matter";
const OWN_NAME =
  "Your own name for it: it can be found by it, and it is the idempotency key. 1 to 32 letters, digits and `. : / _ -` (Classic accounts: up to 64 characters). The gateway makes one if left out";
const ONE_OF_TWO = "Which one: this or `clientOid`; it wins where both are given";
const OTHER_OF_TWO = "Which one: this or `orderId`";
const STP = "What happens when it would trade with one of the account's own orders; NONE if left out";

@InputType({ description: "A take-profit or stop-loss that goes with an order" })
export class ExitInput {
  @Field(() => Decimal, {
    description: "Trigger price, in quote coin. In a change of an order, 0 takes the exit off it",
  })
  readonly triggerPrice!: string;

  @Field(() => TriggerByInput, {
    nullable: true,
    description: "What the trigger price is compared with; MARKET if left out. Classic accounts cannot choose",
  })
  readonly triggerBy?: TriggerByInput | null;

  @Field(() => Decimal, { nullable: true, description: "Limit price, in quote coin; at market if left out" })
  readonly limitPrice?: string | null;
}

@InputType({ description: "An order of any category, on either generation" })
export class PlaceOrderInput extends WriteInput {
  @Field(() => ProductCategoryInput, { description: "Product category. MARGIN exists on unified accounts alone" })
  readonly category!: ProductCategoryInput;

  @Field(() => String, { description: SYMBOL })
  readonly symbol!: string;

  @Field(() => OrderSideInput, {
    description: "What is done in the market, also where a position is closed: closing a long is SELL with `posSide` LONG",
  })
  readonly side!: OrderSideInput;

  @Field(() => OrderTypeInput, { description: "At a limit price, or at market" })
  readonly orderType!: OrderTypeInput;

  @Field(() => Decimal, {
    nullable: true,
    description: "Quantity in base coin: for every order except a market buy on SPOT and MARGIN (Classic: `size`)",
  })
  readonly qty?: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Amount of quote coin to spend: for a market buy on SPOT and MARGIN, and for nothing else",
  })
  readonly quoteQty?: string | null;

  @Field(() => Decimal, { nullable: true, description: "Limit price, in quote coin: needed for a limit order" })
  readonly price?: string | null;

  @Field(() => TimeInForceInput, {
    nullable: true,
    description: "How long a limit order may wait; GTC if left out (Classic: `force`)",
  })
  readonly timeInForce?: TimeInForceInput | null;

  @Field(() => String, { nullable: true, description: OWN_NAME })
  readonly clientOid?: string | null;

  @Field(() => PositionSideInput, {
    nullable: true,
    description: "Which position: needed in hedge mode, where it says with `side` what is opened and what closed",
  })
  readonly posSide?: PositionSideInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Only make the position smaller. Futures in one-way mode; in hedge mode `side` and `posSide` say it",
  })
  readonly reduceOnly?: boolean | null;

  @Field(() => MarginModeInput, {
    nullable: true,
    description: "Margin mode of a futures or margin order; the account's setting for the symbol if left out",
  })
  readonly marginMode?: MarginModeInput | null;

  @Field(() => StpModeInput, { nullable: true, description: STP })
  readonly stpMode?: StpModeInput | null;

  @Field(() => Int, {
    nullable: true,
    description:
      "How many milliseconds after it was made the order may reach the exchange: a guard against late arrival. Not on Classic futures. On unified accounts a late order ends as cancelled",
  })
  readonly receiveWindow?: number | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Makes it an order that waits for this price, in quote coin. Classic SPOT alone; it cannot have a `clientOid`, so a lost answer stays UNKNOWN",
  })
  readonly triggerPrice?: string | null;

  @Field(() => ExitInput, {
    nullable: true,
    description: "Take-profit that comes with it; not on SPOT and MARGIN of a unified account",
  })
  readonly takeProfit?: ExitInput | null;

  @Field(() => ExitInput, {
    nullable: true,
    description: "Stop-loss that comes with it; not on SPOT and MARGIN of a unified account",
  })
  readonly stopLoss?: ExitInput | null;
}

@InputType({
  description:
    "A change of an open order. A unified account changes it in place; Classic spot cancels it and places another one; a new price or quantity on Classic futures makes a new order too",
})
export class ModifyOrderInput extends WriteInput {
  @Field(() => ProductCategoryInput, { description: "Product category of the order" })
  readonly category!: ProductCategoryInput;

  @Field(() => String, { description: SYMBOL })
  readonly symbol!: string;

  @Field(() => String, { nullable: true, description: ONE_OF_TWO })
  readonly orderId?: string | null;

  @Field(() => String, { nullable: true, description: OTHER_OF_TWO })
  readonly clientOid?: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "New quantity, in base coin. Classic spot needs it and `price`, Classic futures both or neither",
  })
  readonly qty?: string | null;

  @Field(() => Decimal, { nullable: true, description: "New limit price, in quote coin" })
  readonly price?: string | null;

  @Field(() => ExitInput, { nullable: true, description: "New take-profit" })
  readonly takeProfit?: ExitInput | null;

  @Field(() => ExitInput, { nullable: true, description: "New stop-loss" })
  readonly stopLoss?: ExitInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Cancel the order when it cannot be changed; unified accounts alone",
  })
  readonly autoCancel?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: "Your own name for the order that takes its place; Classic accounts alone. The gateway makes one if left out",
  })
  readonly newClientOid?: string | null;
}

@InputType({ description: "The cancellation of an order, or of one that waits for its trigger" })
export class CancelOrderInput extends WriteInput {
  @Field(() => ProductCategoryInput, { description: "Product category of the order" })
  readonly category!: ProductCategoryInput;

  @Field(() => String, { nullable: true, description: "Symbol name; needed on a Classic account" })
  readonly symbol?: string | null;

  @Field(() => String, { nullable: true, description: ONE_OF_TWO })
  readonly orderId?: string | null;

  @Field(() => String, { nullable: true, description: OTHER_OF_TWO })
  readonly clientOid?: string | null;

  @Field(() => CancelledKind, { nullable: true, description: "What it is; ORDER if left out" })
  readonly kind?: CancelledKind | null;
}

@InputType({ description: "A take-profit, stop-loss or trailing stop on a futures position" })
export class PlaceTpslOrderInput extends WriteInput {
  @Field(() => FuturesCategoryInput, { description: "Futures category of the position" })
  readonly category!: FuturesCategoryInput;

  @Field(() => String, { description: SYMBOL })
  readonly symbol!: string;

  @Field(() => TpslPlanType, { description: "What it does; MOVING_PLAN exists on Classic accounts alone" })
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
    description: "Limit price once it is triggered, in quote coin; at market if left out or 0. Never with MOVING_PLAN",
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

  @Field(() => StpModeInput, { nullable: true, description: `${STP}; Classic accounts alone` })
  readonly stpMode?: StpModeInput | null;
}

@RecordType(
  "What an order would cost at the price of the moment, and what the account has for it. Nothing is set aside. Reckoned by this gateway: the exchange may count a little otherwise",
)
export class OrderEstimate {
  @Field(() => Decimal, {
    description: "The price that is reckoned with, in quote coin: the order's own, its trigger's, or the last price",
  })
  readonly price!: string;

  @Field(() => Decimal, { description: "What the order is worth at that price, in `costCoin`" })
  readonly cost!: string;

  @Field(() => String, { description: "The quote coin" })
  readonly costCoin!: string;

  @Field(() => Decimal, {
    nullable: true,
    description: "The symbol's default taker fee, as a fraction; an account may pay less. Null where it is not known",
  })
  readonly feeRate!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "The fee at that rate, in `costCoin`. On spot it is taken from what is received. Null where the rate is not known",
  })
  readonly fee!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "The leverage that is set, or that a position of the symbol has: of a futures symbol, or of the coin that MARGIN borrows; null on SPOT, and where it is not told",
  })
  readonly leverage!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Margin that is needed, in `requiredCoin`: on futures for what is added to positions, on MARGIN the coins themselves; null on SPOT, and where the leverage is not known",
  })
  readonly margin!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "What the account needs for it, in `requiredCoin`: margin and fee on futures, otherwise the coins that are given",
  })
  readonly required!: string | null;

  @Field(() => String, { description: "The coin that it needs: margin coin, quote coin of a buy, base coin of a sell" })
  readonly requiredCoin!: string;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "What the account has for it, in `requiredCoin`: free coins on SPOT, on MARGIN with what could be borrowed, free margin on futures. Null where it is not told",
  })
  readonly available!: string | null;

  @Field(() => Boolean, { nullable: true, description: "Is that enough? Null where one of the two is not known" })
  readonly isAffordable!: boolean | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "The most that could be ordered at this price, in base coin: by what the account has and by the symbol's rules for one order",
  })
  readonly maxQty!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "The most that a market buy on SPOT and MARGIN could spend, in quote coin; null for all other orders",
  })
  readonly maxQuoteQty!: string | null;
}

@RecordType("An order that was placed", { implements: WritePayload })
export class PlaceOrderPayload extends WritePayload {
  @Field(() => String, {
    nullable: true,
    description: "The exchange's identifier; null unless accepted, and where the order takes the place of older reduce-only ones",
  })
  readonly orderId!: string | null;

  @Field(() => String, { nullable: true, description: "The client's own identifier; null unless accepted" })
  readonly clientOid!: string | null;

  @Field(() => OrderEstimate, {
    nullable: true,
    description: "What it would cost; null unless `dryRun`, where a rule is broken, and where there is no price",
  })
  readonly estimate!: OrderEstimate | null;
}

@RecordType("An order that was changed, or the one that has taken its place", { implements: WritePayload })
export class ModifyOrderPayload extends WritePayload {
  @Field(() => String, { nullable: true, description: "The exchange's identifier; null unless accepted" })
  readonly orderId!: string | null;

  @Field(() => String, { nullable: true, description: "The client's own identifier; null unless accepted" })
  readonly clientOid!: string | null;

  @Field(() => OrderEstimate, {
    nullable: true,
    description:
      "What the change would cost: of what is left to fill, and `required` beyond what the order has set aside. Null unless `dryRun`, where a rule is broken, and where there is no such open order",
  })
  readonly estimate!: OrderEstimate | null;
}

@RecordType("An order whose cancellation was asked for", { implements: WritePayload })
export class CancelOrderPayload extends WritePayload {
  @Field(() => String, { nullable: true, description: "The exchange's identifier; null unless accepted" })
  readonly orderId!: string | null;

  @Field(() => String, { nullable: true, description: "The client's own identifier; null unless accepted" })
  readonly clientOid!: string | null;
}

@RecordType("A plan order that was placed", { implements: WritePayload })
export class PlaceTpslOrderPayload extends WritePayload {
  @Field(() => String, { nullable: true, description: "The exchange's identifier of the plan; null unless accepted" })
  readonly orderId!: string | null;

  @Field(() => String, { nullable: true, description: "The client's own identifier of the plan; null unless accepted" })
  readonly clientOid!: string | null;

  @Field(() => OrderEstimate, {
    nullable: true,
    description:
      "What leaving the position would cost at the price of execution, or at the trigger's; it needs no margin. Null unless `dryRun`, where a rule is broken, and where no such position is held",
  })
  readonly estimate!: OrderEstimate | null;
}

import { Field, InputType, Int } from "type-graphql";
import { ProductCategoryInput } from "../enums/category.js";
import { OrderSideInput, OrderTypeInput, StpModeInput, TimeInForceInput, TriggerByInput } from "../enums/order.js";
import { MarginModeInput, PositionSideInput } from "../enums/position.js";
import { CancelledKind } from "../enums/write.js";
import { RecordType } from "../record.js";
import { Decimal } from "../scalars.js";
import { OrderEstimate } from "./orderEstimate.js";
import { WriteInput, WritePayload } from "./write.js";

export const SYMBOL = "Symbol name, for example `BTCUSDT`; letter case does not matter";
export const OWN_NAME =
  "The client's own identifier, by which the order can be found. It is also the idempotency key. 1 to 32 letters, digits and `. : / _ -` (Classic accounts: up to 64 characters). Default: one that the gateway makes";
const ONE_OF_TWO = "The exchange's identifier of the order: this or `clientOid` is needed. It decides if both are given";
const OTHER_OF_TWO = "The client's own identifier of the order: this or `orderId` is needed";
export const STP = "Self-trade prevention: what happens when it would trade with one of the account's own orders. Default: NONE";

@InputType({ description: "A take-profit or stop-loss that goes with an order" })
class ExitInput {
  @Field(() => Decimal, {
    description: "Trigger price, in quote coin. When an order is changed, 0 removes it",
  })
  readonly triggerPrice!: string;

  @Field(() => TriggerByInput, {
    nullable: true,
    description: "Price that the trigger price is compared with. Classic accounts cannot choose. Default: MARKET",
  })
  readonly triggerBy?: TriggerByInput | null;

  @Field(() => Decimal, { nullable: true, description: "Limit price, in quote coin. Default: at market" })
  readonly limitPrice?: string | null;
}

@InputType({ description: "An order of any category, on Classic and unified accounts" })
export class PlaceOrderInput extends WriteInput {
  @Field(() => ProductCategoryInput, { description: "Product category. MARGIN exists on unified accounts only" })
  readonly category!: ProductCategoryInput;

  @Field(() => String, { description: SYMBOL })
  readonly symbol!: string;

  @Field(() => OrderSideInput, {
    description:
      "Whether base coin is bought or sold, also where a position is closed: closing a long is SELL with `posSide` LONG",
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
    description: "How long a limit order may wait (Classic: `force`). Default: GTC",
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
    description: "Only reduce the position. Futures in one-way mode; in hedge mode `side` and `posSide` say it. Default: false",
  })
  readonly reduceOnly?: boolean | null;

  @Field(() => MarginModeInput, {
    nullable: true,
    description: "Margin mode of a futures or margin order. Default: the account's setting for the symbol",
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
      "Makes it an order that waits for this price, in quote coin. Classic SPOT only; it cannot have a `clientOid`, so a lost answer stays UNKNOWN",
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
    description: "Cancel the order when it cannot be changed. Unified accounts only. Default: false",
  })
  readonly autoCancel?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The client's own identifier of the order that replaces it. Classic accounts only. Default: one that the gateway makes",
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

  @Field(() => CancelledKind, { nullable: true, description: "Kind of order. Default: ORDER" })
  readonly kind?: CancelledKind | null;
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

@RecordType("An order whose cancellation was requested", { implements: WritePayload })
export class CancelOrderPayload extends WritePayload {
  @Field(() => String, { nullable: true, description: "The exchange's identifier; null unless accepted" })
  readonly orderId!: string | null;

  @Field(() => String, { nullable: true, description: "The client's own identifier; null unless accepted" })
  readonly clientOid!: string | null;
}

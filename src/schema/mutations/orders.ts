import type { Amount, ArgumentValues } from "../cost.js";
import { FuturesProductType, ProductCategoryInput } from "../enums/category.js";
import { OrderSideInput, OrderTypeInput, StpModeInput, TimeInForceInput, TriggerByInput } from "../enums/order.js";
import { MarginModeInput, PositionSideInput } from "../enums/position.js";
import { CancelledKind, TpslPlanType } from "../enums/write.js";
import { decimal, flag, integer, listOf, of, text } from "../fields.js";
import { OrderIdentifier } from "../order.js";
import { extended, fieldsOf, Input, RecordType } from "../record.js";
import { BatchEstimate, OrderEstimate } from "./orderEstimate.js";
import { ACCOUNT, WriteInput, WritePayload } from "./write.js";

export const SYMBOL = "Symbol name, for example `BTCUSDT`; letter case does not matter";
export const OWN_NAME =
  "The client's own identifier of the order. It is also the idempotency key. 1 to 32 letters, digits and `. : / _ -` (Classic accounts: up to 64 characters). Default: one that the gateway makes";
export const BY = "The order, by one of its identifiers";
const STP = "Self-trade prevention: what happens when the order would trade with another order of the account. Default: NONE";

@Input("A take-profit or stop-loss attached to an order")
export class ExitInput extends fieldsOf({
  triggerPrice: decimal("Trigger price, in quote coin. When an order is changed, 0 removes it"),
  triggerBy: of(TriggerByInput).optional("Price that the trigger price is compared with. Unified accounts only. Default: MARKET"),
  limitPrice: decimal.optional("Limit price, in quote coin. Default: at market"),
}) {}

const ORDER = {
  category: of(ProductCategoryInput)("Product category. MARGIN exists on unified accounts only"),
  symbol: text(SYMBOL),
  side: of(OrderSideInput)(
    "Whether base coin is bought or sold, also when closing a position: a long is closed by SELL with `posSide` LONG",
  ),
  orderType: of(OrderTypeInput)("Type of the order: limit or market"),
  qty: decimal.optional("Quantity in base coin: required except for a market buy on SPOT and MARGIN (Classic: `size`)"),
  quoteQty: decimal.optional(
    "Amount of quote coin to spend: required for a market buy on SPOT and MARGIN, and allowed for no other order",
  ),
  price: decimal.optional("Limit price, in quote coin: required for a limit order, refused for a market order"),
  timeInForce: of(TimeInForceInput).optional(
    "Time in force of a limit order (Classic: `force`); refused for a market order. Default: GTC",
  ),
  clientOid: text.optional(OWN_NAME),
  posSide: of(PositionSideInput).optional(
    "Side of the position, for futures: required in hedge mode, where `side` and `posSide` together decide what is opened or closed. In one-way mode an order that closes this side is `reduceOnly`",
  ),
  reduceOnly: flag.optional(
    "Only reduce the position. For futures in one-way mode; in hedge mode `side` and `posSide` decide it. Default: false",
  ),
  marginMode: of(MarginModeInput).optional(
    "Margin mode of a futures or margin order. Default: the account's setting for the symbol",
  ),
  stpMode: of(StpModeInput).optional(STP),
  receiveWindow: integer.optional(
    "Milliseconds after its creation within which the order has to reach the exchange. Not on Classic futures. On unified accounts a late order is cancelled",
  ),
  triggerPrice: decimal.optional(
    "Trigger price, in quote coin: the order is placed once it is reached. Classic SPOT only; such an order cannot have a `clientOid`, so a lost answer stays UNKNOWN",
  ),
  takeProfit: of(ExitInput).optional("Take-profit attached to the order; not on SPOT and MARGIN of a unified account"),
  stopLoss: of(ExitInput).optional("Stop-loss attached to the order; not on SPOT and MARGIN of a unified account"),
};

@Input("An order of any category, on Classic and unified accounts")
export class PlaceOrderInput extends extended(WriteInput, ORDER) {}

const KEY = {
  idempotencyKey: text.optional(
    "Idempotency key, as of a single write: it belongs to this order alone, in a batch or by itself. Default: its `clientOid`",
  ),
};

@Input("An order of a batch")
class BatchOrderInput extends extended(fieldsOf(KEY), ORDER) {}

/** Maximum number of orders in a batch. */
export const MAX_BATCH = 50;
const SIZE = `1 to ${MAX_BATCH}, in any mix of categories and symbols`;

/** The account and the options of a batch. */
const BATCH = {
  account: ACCOUNT,
  dryRun: flag.optional(
    "Validate all orders, their limits together, and return their requests without sending them. Default: false",
  ),
};

@Input("Orders of one account that are placed together")
export class PlaceOrdersInput extends extended(fieldsOf(BATCH), {
  orders: listOf(BatchOrderInput, 0)(`The orders: ${SIZE}`),
}) {}

@Input(
  "A change of an open order. A unified account changes it in place; Classic spot cancels it and places another one; a new price or quantity on Classic futures creates a new order too",
)
export class ModifyOrderInput extends extended(WriteInput, {
  category: of(ProductCategoryInput)("Product category of the order"),
  symbol: text(SYMBOL),
  by: of(OrderIdentifier)(BY),
  qty: decimal.optional("New quantity, in base coin. Classic spot requires it and `price`, Classic futures both or neither"),
  price: decimal.optional("New limit price, in quote coin"),
  takeProfit: of(ExitInput).optional("New take-profit. Default: unchanged"),
  stopLoss: of(ExitInput).optional("New stop-loss. Default: unchanged"),
  autoCancel: flag.optional("Cancel the order when it cannot be changed. Unified accounts only. Default: false"),
  newClientOid: text.optional(
    "The client's own identifier of the new order. Classic accounts only. Default: generated by the gateway",
  ),
}) {}

const CANCELLED = {
  category: of(ProductCategoryInput)("Product category of the order"),
  symbol: text.optional("Symbol name; required on a Classic account"),
  by: of(OrderIdentifier)(BY),
  kind: of(CancelledKind).optional("Kind of order. Default: ORDER"),
};

@Input("The cancellation of an order, or of a trigger order")
export class CancelOrderInput extends extended(WriteInput, CANCELLED) {}

@Input("The cancellation of an order of a batch")
class BatchCancelInput extends extended(fieldsOf(KEY), CANCELLED) {}

@Input("Orders of one account that are cancelled together")
export class CancelOrdersInput extends extended(fieldsOf(BATCH), {
  orders: listOf(BatchCancelInput, 0)(`The orders: ${SIZE}`),
}) {}

const IDS = {
  orderId: text.orNull("The exchange's identifier; null unless accepted"),
  clientOid: text.orNull("The client's own identifier; null unless accepted"),
};

@RecordType("An order that was placed", { implements: WritePayload })
export class PlaceOrderPayload extends extended(WritePayload, {
  ...IDS,
  orderId: text.orNull("The exchange's identifier; null unless accepted, and if the order replaces older reduce-only ones"),
  estimate: of(OrderEstimate).orNull("Estimated cost; null unless `dryRun`, if a rule is broken, and if there is no price"),
}) {}

@RecordType("An order that was changed, or the new order that replaces it", { implements: WritePayload })
export class ModifyOrderPayload extends extended(WritePayload, {
  ...IDS,
  estimate: of(OrderEstimate).orNull(
    "Estimated cost of the unfilled part; `required` is in addition to the funds that the order has reserved. Null unless `dryRun`, if a rule is broken, and if there is no such open order",
  ),
}) {}

@RecordType("An order whose cancellation was requested", { implements: WritePayload })
export class CancelOrderPayload extends extended(WritePayload, {
  ...IDS,
}) {}

const OWN =
  "in the order of the input, each with its own outcome, errors and journal entry; empty if the batch was refused as a whole";
const SUMMARY =
  "`outcome` is ACCEPTED if all were accepted, UNKNOWN if the outcome of one is not known, and otherwise REJECTED; `userErrors` are those of all orders; `request` and `journalEntry` are null";

/** As many rows as the batch has orders. */
const asManyAsGiven: Amount = (_args, { parent }) => batchSizeOf(parent);

/** Number of orders in the input of a batch; the maximum if the input is invalid. */
export function batchSizeOf({ input }: ArgumentValues): number {
  const orders: unknown = typeof input === "object" && input !== null && "orders" in input ? input.orders : undefined;
  return Array.isArray(orders) ? Math.min(orders.length, MAX_BATCH) : MAX_BATCH;
}

@RecordType(`Orders that were placed together. ${SUMMARY}`, { implements: WritePayload })
export class PlaceOrdersPayload extends extended(WritePayload, {
  orders: listOf(PlaceOrderPayload, asManyAsGiven)(`The orders, ${OWN}`),
  estimate: of(BatchEstimate).orNull(
    "Estimated cost of all orders together; null unless `dryRun`, if one of them breaks a rule, and if one has no estimate",
  ),
}) {}

@RecordType(`Orders whose cancellation was requested together. ${SUMMARY}`, { implements: WritePayload })
export class CancelOrdersPayload extends extended(WritePayload, {
  orders: listOf(CancelOrderPayload, asManyAsGiven)(`The orders, ${OWN}`),
}) {}

@Input("A take-profit, stop-loss or trailing stop on a futures position")
export class PlaceTpslOrderInput extends extended(WriteInput, {
  category: of(FuturesProductType)("Futures category of the position; a demo twin on Classic accounts only"),
  symbol: text(SYMBOL),
  planType: of(TpslPlanType)("Kind of trigger order; MOVING_PLAN exists on Classic accounts only"),
  posSide: of(PositionSideInput)(
    "Side of the position, required in one-way mode too (Classic: `holdSide`, which says buy and sell there)",
  ),
  triggerPrice: decimal("Trigger price, in quote coin"),
  triggerBy: of(TriggerByInput).optional("Price that the trigger price is compared with (Classic: `triggerType`)"),
  executePrice: decimal.optional(
    "Limit price of the triggered order, in quote coin; 0 means at market. Not with MOVING_PLAN. Default: at market",
  ),
  qty: decimal.optional(
    "Quantity in base coin: required, except for POS_PROFIT and POS_LOSS, which close the whole position (Classic: `size`)",
  ),
  callbackRate: decimal.optional(
    "Distance of a trailing stop from the price, as a fraction (`rangeRate`, in percent): required for MOVING_PLAN, and allowed for no other kind",
  ),
  clientOid: text.optional(OWN_NAME),
  stpMode: of(StpModeInput).optional(`Classic accounts only. ${STP}`),
}) {}

export const PLAN_IDS = {
  orderId: text.orNull("The exchange's identifier of the trigger order; null unless accepted"),
  clientOid: text.orNull("The client's own identifier of the trigger order; null unless accepted"),
};

@RecordType("A trigger order that was placed", { implements: WritePayload })
export class PlaceTpslOrderPayload extends extended(WritePayload, {
  ...PLAN_IDS,
  estimate: of(OrderEstimate).orNull(
    "Estimated cost of closing the position at the limit price, or at the trigger price; no margin is needed. Null unless `dryRun`, if a rule is broken, and if there is no such position",
  ),
}) {}

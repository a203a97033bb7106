import { ProductCategoryInput } from "../enums/category.js";
import { OrderSideInput, TriggerByInput } from "../enums/order.js";
import { ActivationPriceInput, BookPlaceInput, TwapInterval } from "../enums/plan.js";
import { PositionSideInput } from "../enums/position.js";
import { decimal, flag, integer, of, text } from "../fields.js";
import { OrderIdentifier } from "../order.js";
import { extended, fieldsOf, Input, OneOfInput, RecordType } from "../record.js";
import { OrderEstimate } from "./orderEstimate.js";
import { BY, ExitInput, OWN_NAME, PLAN_IDS, SYMBOL } from "./orders.js";
import { WriteInput, WritePayload } from "./write.js";

@Input("A take-profit, a stop-loss or both of a position. At least one is required; a Classic account takes one at a time")
class TpslTermsInput extends fieldsOf({
  takeProfit: of(ExitInput).optional("The take-profit"),
  stopLoss: of(ExitInput).optional("The stop-loss"),
}) {}

@Input("An order that is placed when a price is reached")
class TriggerTermsInput extends fieldsOf({
  triggerPrice: decimal("Trigger price, in quote coin"),
  triggerBy: of(TriggerByInput).optional("Price that the trigger price is compared with. Default: MARKET"),
  limitPrice: decimal.optional("Limit price of the order, in quote coin. Default: at market"),
}) {}

@Input("A limit order in the book, and another order that takes its place at a trigger price")
class OcoTermsInput extends fieldsOf({
  limitPrice: decimal("Price of the limit order, in quote coin: below the market for a buy, above for a sell"),
  triggerPrice: decimal("Trigger price of the other order, in quote coin: above the market for a buy, below for a sell"),
  executePrice: decimal.optional("Limit price of the other order, in quote coin. Default: at market"),
}) {}

@OneOfInput("Distance of a trailing stop from the best price")
class TrailingDistanceInput extends fieldsOf({
  rate: decimal.optional("As a fraction of the best price: 0.001 to 0.1, on SPOT and MARGIN up to 0.2"),
  spread: decimal.optional("In quote coin. Unified accounts only"),
}) {}

@Input("An order that follows the best price, and is placed when the price comes back by a distance")
class TrailingStopTermsInput extends fieldsOf({
  distance: of(TrailingDistanceInput)("Distance from the best price"),
  activationPrice: decimal.optional(
    "Price at which it begins to follow, in quote coin. Required on Classic accounts. Default: it follows at once",
  ),
  activationBy: of(ActivationPriceInput).optional("Price that the activation price is compared with. Default: MARKET"),
  limitPrice: decimal.optional("Limit price of its order, in quote coin. Unified accounts only. Default: at market"),
}) {}

@OneOfInput("How an iceberg order is divided")
class IcebergPartsInput extends fieldsOf({
  qty: decimal.optional("Quantity of one part, in base coin"),
  count: integer.optional("Number of equal parts, 1 to 100"),
}) {}

@OneOfInput("How the parts of an iceberg order are priced")
class IcebergPriceInput extends fieldsOf({
  bookPlace: of(BookPlaceInput).optional("At a place in the book"),
  distancePercentage: decimal.optional("At a distance from the market, in percent"),
  distanceSpread: decimal.optional("At a distance from the market, in quote coin"),
  fixedPrice: decimal.optional("At one price, in quote coin"),
}) {}

@Input("An order of which one part at a time is in the book")
class IcebergTermsInput extends fieldsOf({
  parts: of(IcebergPartsInput)("Its parts"),
  price: of(IcebergPriceInput)("The price of its parts"),
  priceLimit: decimal.optional("Worst price of a part, in quote coin; not with `fixedPrice`. Default: none"),
}) {}

@OneOfInput("Distance of the limit orders of a TWAP order from the market")
class TwapOffsetInput extends fieldsOf({
  percentage: decimal.optional("As the exchange counts it: 0.001 to 0.1"),
  spread: decimal.optional("In quote coin"),
}) {}

@Input("An order that is placed in equal parts at intervals")
class TwapTermsInput extends fieldsOf({
  durationMinutes: integer("Duration in minutes, 1 to 1440"),
  intervalSeconds: of(TwapInterval)("Time between two parts"),
  limitOffset: of(TwapOffsetInput).optional("Place limit orders at this distance from the market. Default: market orders"),
  triggerPrice: decimal.optional("It begins at this price, in quote coin. Default: at once"),
  terminationPrice: decimal.optional("It ends at this price, in quote coin. Default: none"),
}) {}

@OneOfInput("The terms of a trigger order: exactly one kind. OCO, iceberg and TWAP orders exist on unified accounts only")
class PlanOrderTermsInput extends fieldsOf({
  tpsl: of(TpslTermsInput).optional(
    "Exits of a futures position, which `posSide` names. Not on SPOT and MARGIN, which have no positions: `trigger` and `oco` are what the exchange documents there",
  ),
  trigger: of(TriggerTermsInput).optional("An order that is placed when a price is reached"),
  oco: of(OcoTermsInput).optional("One cancels the other"),
  trailingStop: of(TrailingStopTermsInput).optional("An order that is placed when the price comes back by a distance"),
  iceberg: of(IcebergTermsInput).optional("An order of which one part at a time is in the book"),
  twap: of(TwapTermsInput).optional("An order in equal parts at intervals"),
}) {}

@Input("A trailing order of a Classic account")
class TrailingTermsInput extends fieldsOf({
  callbackRate: decimal("Distance from the best price, as a fraction: above 0, at most 0.1"),
  activationPrice: decimal("Price at which it begins to follow, in quote coin"),
  activationBy: of(TriggerByInput).optional("Price that the activation price is compared with. Default: MARKET"),
}) {}

@OneOfInput("The new terms of a trigger order, of its own kind: all of them, those that stay included")
class ChangedPlanTermsInput extends fieldsOf({
  tpsl: of(TpslTermsInput).optional("Exits of a position; one that is missing is removed"),
  trigger: of(TriggerTermsInput).optional("An order that is placed when a price is reached"),
  trailing: of(TrailingTermsInput).optional("A trailing order; Classic accounts only"),
}) {}

@Input(
  "A trigger order of any kind. SPOT and MARGIN exist on unified accounts only; Classic spot takes `placeOrder` with a `triggerPrice`",
)
export class PlacePlanOrderInput extends extended(WriteInput, {
  category: of(ProductCategoryInput)("Product category"),
  symbol: text(SYMBOL),
  side: of(OrderSideInput).optional(
    "Whether base coin is bought or sold, also when closing a position: required except for exits of a position",
  ),
  posSide: of(PositionSideInput).optional(
    "Side of the position, for futures: required for exits, and in hedge mode, where `side` and `posSide` together decide what is opened or closed. In one-way mode an order that closes this side is `reduceOnly`",
  ),
  qty: decimal.optional(
    "The whole quantity in base coin, on SPOT and MARGIN too: required except for exits, which close the whole position without it",
  ),
  reduceOnly: flag.optional("Only reduce the position. For futures in one-way mode. Default: false"),
  clientOid: text.optional(OWN_NAME),
  terms: of(PlanOrderTermsInput)("What it does"),
}) {}

@Input(
  "A change of an open trigger order, in place. Unified accounts change exits and triggers; Classic accounts exits, triggers and trailing orders. Others are cancelled and placed anew",
)
export class ModifyPlanOrderInput extends extended(WriteInput, {
  category: of(ProductCategoryInput)("Product category of the order"),
  symbol: text(SYMBOL),
  by: of(OrderIdentifier)(BY),
  qty: decimal.optional("New quantity, in base coin; not for exits of a whole position. Default: unchanged"),
  terms: of(ChangedPlanTermsInput).optional("New terms. Default: unchanged"),
}) {}

@RecordType("A trigger order that was placed", { implements: WritePayload })
export class PlacePlanOrderPayload extends extended(WritePayload, {
  ...PLAN_IDS,
  estimate: of(OrderEstimate).orNull(
    "Estimated cost: of the whole quantity at its limit or trigger price, or of closing the position for exits. Its funds are needed once it trades, so `isAffordable` is null, except for an OCO order. Null unless `dryRun`, if a rule is broken, and if there is no price",
  ),
}) {}

@RecordType("A trigger order that was changed", { implements: WritePayload })
export class ModifyPlanOrderPayload extends extended(WritePayload, PLAN_IDS) {}

import { FuturesProductType } from "../enums/category.js";
import { StpModeInput, TriggerByInput } from "../enums/order.js";
import { PositionSideInput } from "../enums/position.js";
import { TpslPlanType } from "../enums/write.js";
import { decimal, of, text } from "../fields.js";
import { extended, Input, RecordType } from "../record.js";
import { OrderEstimate } from "./orderEstimate.js";
import { OWN_NAME, STP, SYMBOL } from "./orders.js";
import { WriteInput, WritePayload } from "./write.js";

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
  qty: decimal.optional("Quantity in base coin: required except for POS_PROFIT and POS_LOSS (Classic: `size`)"),
  callbackRate: decimal.optional(
    "Distance of a trailing stop from the price, as a fraction (`rangeRate`, in percent): required for MOVING_PLAN",
  ),
  clientOid: text.optional(OWN_NAME),
  stpMode: of(StpModeInput).optional(`Classic accounts only. ${STP}`),
}) {}

@RecordType("A trigger order that was placed", { implements: WritePayload })
export class PlaceTpslOrderPayload extends extended(WritePayload, {
  orderId: text.orNull("The exchange's identifier of the trigger order; null unless accepted"),
  clientOid: text.orNull("The client's own identifier of the trigger order; null unless accepted"),
  estimate: of(OrderEstimate).orNull(
    "Estimated cost of closing the position at the limit price, or at the trigger price; no margin is needed. Null unless `dryRun`, if a rule is broken, and if there is no such position",
  ),
}) {}

import {
  type Decoded,
  decimalAboveZero,
  id,
  needed,
  optionalDecimal,
  optionalText,
  optionalTime,
  optionalToken,
  text,
  token,
} from "./codec.js";
import { record } from "./record.js";
import { positionTerms } from "./trading.js";
import { ORDER_SIDES, ORDER_STATUS_WIRE_NAMES, ORDER_TYPES, PRODUCT_CATEGORIES, SUB_ORDER_STATUSES } from "./vocabulary.js";

/** An order that a strategy order has placed: an iceberg or TWAP order has many, others one. */
export const subOrder = record({
  subOrderId: id("The exchange's identifier of the order"),
  subClientOid: optionalText("The client's own identifier of the order"),
  category: token("Product category", PRODUCT_CATEGORIES),
  symbol: text("Symbol name, for example `BTCUSDT`"),
  side: optionalToken("Side of the order in the market", ORDER_SIDES),
  orderType: optionalToken("Whether it is a limit or a market order", ORDER_TYPES),
  posSide: positionTerms.posSide,
  status: optionalToken("State of the order; `live` while it is in the book", SUB_ORDER_STATUSES, {
    ...Object.fromEntries(
      Object.entries(ORDER_STATUS_WIRE_NAMES).flatMap(([word, status]) => (status === "new" ? [[word, "live"]] : [])),
    ),
    new: "live",
    pending: "live",
    partially_filled: "live",
    canceled: "cancelled",
  }),
  price: needed(decimalAboveZero("Limit price, in quote coin; null for a market order")),
  qty: needed(decimalAboveZero("Quantity, in base coin")),
  cumExecQty: needed(optionalDecimal("Quantity filled so far, in base coin")),
  avgPrice: decimalAboveZero("Average price of its fills, in quote coin; null before the first one"),
  createdTime: optionalTime("When it was placed"),
  updatedTime: optionalTime("When it last changed"),
});
export type SubOrder = Decoded<typeof subOrder>;

/**
 * v2 has fewer fields: the others are those of the trigger order, or unknown. `success` means that it was placed, not how it was
 * filled.
 */
export const classicSubOrder = record({
  orderId: id("The exchange's identifier of the order"),
  price: needed(decimalAboveZero("Limit price, in quote coin; null for a market order")),
  type: optionalToken("Whether it is a limit or a market order", ORDER_TYPES),
  status: optionalToken("State of the order", SUB_ORDER_STATUSES, {
    success: "placed",
    fail: "failed",
    canceled: "cancelled",
    in_progress: "live",
    in_progress_tracking: "live",
  }),
});

import {
  type Codec,
  decimalAboveZero,
  type Field,
  mapped,
  needed,
  optional,
  optionalDecimal,
  optionalInteger,
  optionalToken,
} from "./codec.js";
import { hundredth } from "./decimal.js";
import { nested } from "./lists.js";
import { record } from "./record.js";
import {
  ACTIVATION_PRICES,
  BOOK_PLACES,
  ICEBERG_PREFERENCES,
  OFFSET_TYPES,
  ORDER_TYPES,
  SPLIT_MODES,
  TRAIL_TYPES,
  TRIGGER_PRICE_WIRE_NAMES,
} from "./vocabulary.js";

/** The terms of v3's strategy orders by kind, as its lists have them. */

export const ocoTerms = record({
  limitPrice: needed(decimalAboveZero("Price of the limit order in the book, in quote coin (`ocoLimitPrice`)", "ocoLimitPrice")),
  triggerPrice: needed(
    decimalAboveZero("Trigger price of the other order, in quote coin (`ocoTriggerPrice`)", "ocoTriggerPrice"),
  ),
  orderType: optionalToken("How the other order acts (`ocoOrderType`)", ORDER_TYPES, undefined, "ocoOrderType"),
  executePrice: needed(
    decimalAboveZero("Limit price of the other order; null when it acts at market (`ocoOrderPrice`)", "ocoOrderPrice"),
  ),
});

const trailing = record({
  activationPrice: needed(decimalAboveZero("Price at which it begins to follow; null when it follows at once")),
  activationBy: optionalToken(
    "What that price is compared with (`activationType`)",
    ACTIVATION_PRICES,
    TRIGGER_PRICE_WIRE_NAMES,
    "activationType",
  ),
  trailType: optionalToken("Unit of its distance", TRAIL_TYPES),
  trailVariance: needed(optionalDecimal("Its distance from the best price: in percent, or in quote coin")),
  orderType: optionalToken("How its order acts (`preOrderType`)", ORDER_TYPES, undefined, "preOrderType"),
  executePrice: needed(
    decimalAboveZero("Limit price of its order; null when it acts at market (`preOrderPrice`)", "preOrderPrice"),
  ),
});
export const trailingStopTerms = mapped(trailing, ({ trailType, trailTypeRaw: _, trailVariance, ...terms }) => ({
  ...terms,
  /** As a fraction. */
  callbackRate: trailType === "ratio" && trailVariance !== null ? hundredth(trailVariance) : null,
  /** In quote coin. */
  callbackSpread: trailType === "spread" ? trailVariance : null,
}));

export const icebergTerms = record({
  splitMode: optionalToken("Whether a part has a quantity, or the order a number of parts", SPLIT_MODES),
  partQty: needed(decimalAboveZero("Quantity of one part, in base coin (`qtyPerOrder`)", "qtyPerOrder")),
  parts: optionalInteger("Number of parts (`splitOrderNumbers`)", "splitOrderNumbers"),
  pricing: optionalToken("How its parts are priced (`orderPreference`)", ICEBERG_PREFERENCES, undefined, "orderPreference"),
  bookPlace: optionalToken("Place in the book (`executionStrategy`)", BOOK_PLACES, undefined, "executionStrategy"),
  distanceType: optionalToken("Unit of the distance (`fixedDistanceType`)", OFFSET_TYPES, undefined, "fixedDistanceType"),
  distance: needed(decimalAboveZero("Distance from the market: in percent, or in quote coin")),
  fixedPrice: needed(decimalAboveZero("Price of all parts, in quote coin")),
  priceLimit: needed(decimalAboveZero("Worst price of a part, in quote coin; null without one")),
});

export const twapTerms = record({
  durationMinutes: optionalInteger("Duration in minutes (`duration`)", "duration"),
  intervalSeconds: optionalInteger("Seconds between two parts (`interval`)", "interval"),
  orderType: optionalToken("How its parts act", ORDER_TYPES),
  offsetType: optionalToken(
    "Unit of the distance of limit orders from the market (`limitOffsetType`)",
    OFFSET_TYPES,
    undefined,
    "limitOffsetType",
  ),
  offsetPercentage: needed(
    decimalAboveZero("That distance, as the exchange counts it: 0.001 to 0.1 (`limitOffsetPercentage`)", "limitOffsetPercentage"),
  ),
  offsetSpread: needed(decimalAboveZero("That distance, in quote coin (`limitOffsetSpread`)", "limitOffsetSpread")),
  triggerPrice: needed(
    decimalAboveZero("It begins at this price; null when it begins at once (`twapTriggerPrice`)", "twapTriggerPrice"),
  ),
  terminationPrice: needed(
    decimalAboveZero("It ends at this price; null without one (`twapTerminationPrice`)", "twapTerminationPrice"),
  ),
});

/** The exchange sends the terms as a list with one element, or as the object; lists are empty for orders of other kinds. */
const single = <T>(codec: Codec<T>): Codec<T | null> => {
  const inner = optional(codec);
  return { ...inner, decode: (wire, found) => inner.decode(Array.isArray(wire) ? wire[0] : wire, found) };
};

/** The terms of one kind; null for orders of other kinds, and where they cannot be read. */
export const strategyTerms = <T>(doc: string, codec: Codec<T>, key: string): Field<T | null> => ({
  ...nested(doc, single(codec), key),
  optional: true,
});

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
import { amount, maybe, oneOf, parameterSet, required, type Values, whole } from "./parameter.js";
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
  TWAP_INTERVALS,
} from "./vocabulary.js";

/** The terms of v3's strategy orders by kind: as its lists have them, and below as the parameters of a placement. */

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

const oco = {
  ocoLimitPrice: required("Price of the limit order that rests in the book", amount()),
  ocoTriggerPrice: required("Trigger price of the other order", amount()),
  ocoOrderType: maybe("How the other order acts", oneOf(ORDER_TYPES, { fallback: "market" })),
  ocoOrderPrice: maybe("Limit price of the other order", amount()),
};
export type OcoParameters = Values<typeof oco>;

const trailingStop = {
  activationPrice: maybe("The price at which it begins to follow; none: at once", amount()),
  activationType: maybe("What that price is compared with", oneOf(ACTIVATION_PRICES, { fallback: "market" })),
  trailType: required("Whether its distance is a percentage or an amount of quote coin", oneOf(TRAIL_TYPES)),
  trailVariance: required(
    "Distance from the best price: in percent, 0.1 to 20 on spot and 10 on futures, or in quote coin",
    amount(),
  ),
  preOrderType: maybe("How its order acts", oneOf(ORDER_TYPES, { fallback: "market" })),
  preOrderPrice: maybe("Limit price of its order", amount()),
};
export type TrailingStopParameters = Values<typeof trailingStop>;

const iceberg = {
  splitMode: required("Whether a part has a quantity, or the order a number of parts", oneOf(SPLIT_MODES)),
  qtyPerOrder: maybe("Quantity of one part, in base coin", amount()),
  splitOrderNumbers: maybe("Number of parts", whole({ min: 1, max: 100 })),
  orderPreference: required("How its parts are priced", oneOf(ICEBERG_PREFERENCES)),
  executionStrategy: maybe("The place in the book", oneOf(BOOK_PLACES)),
  fixedDistanceType: maybe("Unit of the distance", oneOf(OFFSET_TYPES)),
  distance: maybe("Distance from the market: in percent, or in quote coin", amount()),
  fixedPrice: maybe("The price of all parts", amount()),
  priceLimit: maybe("The worst price of a part", amount()),
};
export type IcebergParameters = Values<typeof iceberg>;

const twap = {
  duration: required("Duration in minutes", whole({ min: 1, max: 1_440 })),
  interval: required("Seconds between two parts", oneOf(TWAP_INTERVALS)),
  orderType: maybe("How its parts act", oneOf(ORDER_TYPES, { fallback: "market" })),
  limitOffsetType: maybe("Unit of the distance of limit orders from the market", oneOf(OFFSET_TYPES)),
  limitOffsetPercentage: maybe("That distance, as the exchange counts it: 0.001 to 0.1", amount()),
  limitOffsetSpread: maybe("That distance, in quote coin", amount()),
  twapTriggerPrice: maybe("It begins at this price; none: at once", amount()),
  twapTerminationPrice: maybe("It ends at this price", amount()),
};
export type TwapParameters = Values<typeof twap>;

export const strategyParameters = {
  ocoParams: maybe("Terms when type is oco", parameterSet(oco)),
  trailingStopParams: maybe("Terms when type is trailing_stop", parameterSet(trailingStop)),
  icebergParams: maybe("Terms when type is iceberg", parameterSet(iceberg)),
  twapParams: maybe("Terms when type is twap", parameterSet(twap)),
};

/** The parameter with the terms of each kind that has them. */
export const STRATEGY_PARAMETER = {
  oco: "ocoParams",
  trailing_stop: "trailingStopParams",
  iceberg: "icebergParams",
  twap: "twapParams",
} as const;

type Strategy = Values<typeof strategyParameters> & { readonly type?: string | undefined };

/** Both of a choice and its value must be given: the path of the missing one. */
const missing = (params: object | undefined, within: string, ...names: readonly string[]): string | undefined => {
  const terms = (params ?? {}) as Readonly<Record<string, unknown>>;
  const name = params === undefined ? undefined : names.find((one) => terms[one] === undefined);
  return name === undefined ? undefined : `${within}.${name}`;
};

/** Rules about the terms of strategy orders. */
export const strategyRules = [
  {
    rule: "must be given for a strategy order of this type",
    broken: ({ type, ...params }: Strategy) => {
      const name = (STRATEGY_PARAMETER as Readonly<Record<string, keyof typeof strategyParameters | undefined>>)[type ?? ""];
      return name !== undefined && params[name] === undefined ? name : undefined;
    },
  },
  {
    rule: "must be given when ocoOrderType is limit",
    broken: ({ ocoParams: params }: Strategy) =>
      params?.ocoOrderType === "limit" ? missing(params, "ocoParams", "ocoOrderPrice") : undefined,
  },
  {
    rule: "must be given when preOrderType is limit",
    broken: ({ trailingStopParams: params }: Strategy) =>
      params?.preOrderType === "limit" ? missing(params, "trailingStopParams", "preOrderPrice") : undefined,
  },
  {
    rule: "must be given for this splitMode",
    broken: ({ icebergParams: params }: Strategy) =>
      missing(params, "icebergParams", params?.splitMode === "quantity" ? "qtyPerOrder" : "splitOrderNumbers"),
  },
  {
    rule: "must be given for this orderPreference",
    broken: ({ icebergParams: params }: Strategy) => {
      if (params?.orderPreference === "faster_execution") return missing(params, "icebergParams", "executionStrategy");
      if (params?.orderPreference === "fixed_price") return missing(params, "icebergParams", "fixedPrice");
      return missing(params, "icebergParams", "fixedDistanceType", "distance");
    },
  },
  {
    rule: "must be given when orderType is limit",
    broken: ({ twapParams: params }: Strategy) => {
      if (params?.orderType !== "limit") return undefined;
      if (params.limitOffsetType === undefined) return "twapParams.limitOffsetType";
      return missing(params, "twapParams", params.limitOffsetType === "spread" ? "limitOffsetSpread" : "limitOffsetPercentage");
    },
  },
] as const;

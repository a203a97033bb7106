import { amount, maybe, oneOf, parameterSet, required, type Values, whole } from "./parameter.js";
import {
  ACTIVATION_PRICES,
  BOOK_PLACES,
  ICEBERG_PREFERENCES,
  OFFSET_TYPES,
  ORDER_TYPES,
  SPLIT_MODES,
  TRAIL_TYPES,
  TWAP_INTERVALS,
} from "./vocabulary.js";

/** The parameters of v3's strategy orders by kind, and the rules about several of them. */

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

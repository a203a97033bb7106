import { nothing, optionalDecimal, optionalText, optionalToken } from "./codec.js";
import { perSecond, writeEndpoint } from "./endpoint.js";
import { amount, coinName, maybe, oneOf, required, symbolName } from "./parameter.js";
import { FUTURES_POSITIONS_WRITE, UNIFIED_MANAGEMENT_WRITE } from "./permissions.js";
import { record } from "./record.js";
import { productType } from "./trading.js";
import { FUTURES_CATEGORIES, HOLD_MODES, MARGIN_MODE_WIRE_NAMES, MARGIN_MODES, POSITION_SIDES } from "./vocabulary.js";

/**
 * Leverage, margin mode and position mode. Setting the current value succeeds; the modes cannot change while there are positions
 * or orders.
 */

const UNIFIED = { permissions: UNIFIED_MANAGEMENT_WRITE, rate: perSecond(10, "UID"), data: nothing } as const;
const CLASSIC = { permissions: FUTURES_POSITIONS_WRITE, rate: perSecond(5, "UID") } as const;

const LEVERAGED_CATEGORIES = ["MARGIN", ...FUTURES_CATEGORIES] as const;

export const setLeverage = writeEndpoint({
  ...UNIFIED,
  name: "setLeverage",
  doc: "Sets the leverage of a futures symbol, or of a borrowed coin",
  path: "/api/v3/account/set-leverage",
  parameters: {
    category: required("Product category", oneOf(LEVERAGED_CATEGORIES)),
    leverage: required("Leverage", amount()),
    symbol: maybe("Symbol name, for futures", symbolName()),
    coin: maybe("Coin, for margin", coinName()),
    posSide: maybe("Position side, for isolated margin", oneOf(POSITION_SIDES)),
  },
  rules: [
    { required: "symbol", when: "for a futures category", applies: ({ category }) => category !== "MARGIN" },
    { required: "coin", when: "for MARGIN", applies: ({ category }) => category === "MARGIN" },
  ],
});

export const setHoldMode = writeEndpoint({
  ...UNIFIED,
  name: "setHoldMode",
  doc: "Sets the position mode of all futures categories",
  path: "/api/v3/account/set-hold-mode",
  parameters: { holdMode: required("Position mode", oneOf(HOLD_MODES)) },
});

const marginMode = optionalToken("Margin mode", MARGIN_MODES, MARGIN_MODE_WIRE_NAMES);

/** The leverage of a symbol after a change. */
const symbolLeverage = record({
  symbol: optionalText("Symbol name"),
  marginCoin: optionalText("Margin coin"),
  longLeverage: optionalDecimal("Leverage of long positions"),
  shortLeverage: optionalDecimal("Leverage of short positions", "shortLeverage", "shortLeveage"),
  crossedMarginLeverage: optionalDecimal("Leverage with cross margin", "crossMarginLeverage"),
  marginMode,
});

const classicSymbol = {
  symbol: required("Symbol name", symbolName()),
  productType,
  marginCoin: required("Margin coin", coinName()),
};

export const classicSetLeverage = writeEndpoint({
  ...CLASSIC,
  name: "classicSetLeverage",
  doc: "Sets the leverage of a futures symbol",
  path: "/api/v2/mix/account/set-leverage",
  parameters: {
    ...classicSymbol,
    leverage: maybe("Leverage", amount()),
    longLeverage: maybe("Leverage of long positions", amount()),
    shortLeverage: maybe("Leverage of short positions", amount()),
    holdSide: maybe("Position side, for isolated margin in hedge mode", oneOf(POSITION_SIDES)),
  },
  rules: [
    {
      rule: "must be given: leverage, longLeverage or shortLeverage",
      broken: ({ leverage, longLeverage, shortLeverage }) =>
        (leverage ?? longLeverage ?? shortLeverage) === undefined ? "leverage" : undefined,
    },
  ],
  data: symbolLeverage,
});

export const classicSetMarginMode = writeEndpoint({
  ...CLASSIC,
  name: "classicSetMarginMode",
  doc: "Sets the margin mode of a futures symbol",
  path: "/api/v2/mix/account/set-margin-mode",
  parameters: { ...classicSymbol, marginMode: required("Margin mode", oneOf(MARGIN_MODES)) },
  data: symbolLeverage,
});

export const classicSetHoldMode = writeEndpoint({
  ...CLASSIC,
  name: "classicSetHoldMode",
  doc: "Sets the position mode of a futures product type",
  path: "/api/v2/mix/account/set-position-mode",
  parameters: { productType, posMode: required("Position mode", oneOf(HOLD_MODES)) },
  data: record({ holdMode: optionalToken("Position mode", HOLD_MODES, {}, "posMode") }),
});

import { type Decoded, mapped, optionalDecimal, time } from "./codec.js";
import { endpoint, MARKET_DATA, perSecond } from "./endpoint.js";
import { listOf } from "./lists.js";
import { exactlyOneOf, maybe, oneOf, pageSize, required, symbolName, timestamp } from "./parameter.js";
import { row } from "./record.js";
import { productType } from "./trading.js";
import { MARKET_CATEGORIES } from "./vocabulary.js";

/** Candles: prices and volume per interval, oldest first. */

const CLASSIC_CANDLE_INTERVALS = [
  ...(["1m", "3m", "5m", "15m", "30m", "1H", "4H", "6H", "12H", "1D", "3D", "1W", "1M"] as const),
  ...(["6Hutc", "12Hutc", "1Dutc", "3Dutc", "1Wutc", "1Mutc"] as const),
] as const;

/**
 * Named as in v3 and the v2 futures endpoints. Letter case counts: `1m` is a minute, `1M` a month. Bars of six
 * hours and longer start on the UTC+8 grid unless the interval ends in `utc`.
 */
export const CANDLE_INTERVALS = [...CLASSIC_CANDLE_INTERVALS, "2H"] as const;
/** An interval by its name in v3 and the v2 futures endpoints. */
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/** Where v2 spot differs; the month and the `utc` intervals are the same everywhere. */
const SPOT_INTERVAL_WIRE_NAMES = {
  "1m": "1min",
  "3m": "3min",
  "5m": "5min",
  "15m": "15min",
  "30m": "30min",
  "1H": "1h",
  "4H": "4h",
  "6H": "6h",
  "12H": "12h",
  "1D": "1day",
  "3D": "3day",
  "1W": "1week",
} as const;

export const CANDLE_PRICES = ["market", "mark", "index", "premium"] as const;
const CLASSIC_CANDLE_PRICES = ["market", "mark", "index"] as const;

const fields = {
  startTime: time("Start of the interval", "start"),
  open: optionalDecimal("First price, in quote coin"),
  high: optionalDecimal("Highest price, in quote coin"),
  low: optionalDecimal("Lowest price, in quote coin"),
  close: optionalDecimal("Last price, in quote coin"),
  volume: optionalDecimal("Traded quantity, in base coin"),
};

export const candle = row({ ...fields, turnover: optionalDecimal("Traded value, in quote coin") });
export type Candle = Decoded<typeof candle>;

/** v2 spot puts the turnover in USDT before the one in quote coin. */
const spotCandle = mapped(
  row({ ...fields, usdtTurnover: optionalDecimal("Traded, in USDT"), turnover: optionalDecimal("Traded, in quote coin") }),
  ({ startTime, open, high, low, close, volume, turnover }): Candle => ({ startTime, open, high, low, close, volume, turnover }),
);

const symbol = required("Symbol name", symbolName());
const startTime = maybe("Only candles from here on", timestamp());
const endTime = maybe("Only candles up to here", timestamp());
const unifiedParameters = {
  category: required("Product category", oneOf(MARKET_CATEGORIES)),
  symbol,
  interval: required("Length of a candle", exactlyOneOf(CANDLE_INTERVALS)),
  startTime,
  endTime,
  type: maybe("Which price", oneOf(CANDLE_PRICES, { fallback: "market" })),
};

/** Its range starts after `startTime` and ends with `endTime`; the running candle is included. */
const READ = { rate: perSecond(20, "IP"), cache: MARKET_DATA } as const;

export const candles = endpoint({
  ...READ,
  name: "candles",
  doc: "Candles of a symbol up to the running one",
  path: "/api/v3/market/candles",
  parameters: { ...unifiedParameters, limit: maybe("Page size", pageSize(100, 1000)) },
  data: listOf(candle),
});

/** Its range starts with `startTime` and ends before `endTime`; a short page does not mean that older ones are missing. */
export const historyCandles = endpoint({
  ...READ,
  name: "historyCandles",
  doc: "Closed candles of a symbol, however old",
  path: "/api/v3/market/history-candles",
  parameters: { ...unifiedParameters, limit: maybe("Page size", pageSize(100, 100)) },
  window: { from: "startTime", to: "endTime", range: { days: 90 } },
  data: listOf(candle),
});

const spotParameters = {
  symbol,
  granularity: required("Length of a candle", exactlyOneOf(CLASSIC_CANDLE_INTERVALS, SPOT_INTERVAL_WIRE_NAMES)),
};

export const classicSpotCandles = endpoint({
  ...READ,
  name: "classicSpotCandles",
  doc: "Candles of a spot symbol",
  path: "/api/v2/spot/market/candles",
  parameters: { ...spotParameters, startTime, endTime, limit: maybe("Page size", pageSize(100, 1000)) },
  data: listOf(spotCandle),
});

/** The range is counted back from its end: the exchange ignores a start. */
export const classicSpotHistoryCandles = endpoint({
  ...READ,
  name: "classicSpotHistoryCandles",
  doc: "Closed candles of a spot symbol, back from a moment",
  path: "/api/v2/spot/market/history-candles",
  parameters: {
    ...spotParameters,
    endTime: required("Only candles up to here", timestamp()),
    limit: maybe("Page size", pageSize(100, 200)),
  },
  data: listOf(spotCandle),
});

const futuresParameters = {
  symbol,
  productType,
  granularity: required("Length of a candle", exactlyOneOf(CLASSIC_CANDLE_INTERVALS)),
  endTime,
  kLineType: maybe("Which price", oneOf(CLASSIC_CANDLE_PRICES, { fallback: "market", wireName: (price) => price.toUpperCase() })),
};

export const classicFuturesCandles = endpoint({
  ...READ,
  name: "classicFuturesCandles",
  doc: "Candles of a futures symbol",
  path: "/api/v2/mix/market/candles",
  parameters: { ...futuresParameters, startTime, limit: maybe("Page size", pageSize(100, 1000)) },
  window: { from: "startTime", to: "endTime", range: { days: 90 } },
  data: listOf(candle),
});

/** Like that of spot, the range is counted back from the end. Default: now. */
export const classicFuturesHistoryCandles = endpoint({
  ...READ,
  name: "classicFuturesHistoryCandles",
  doc: "Closed candles of a futures symbol, back from a moment",
  path: "/api/v2/mix/market/history-candles",
  parameters: { ...futuresParameters, limit: maybe("Page size", pageSize(100, 200)) },
  data: listOf(candle),
});

import { type Decoded, decimal, optionalDecimal, optionalFlag, optionalText, optionalTime } from "./codec.js";
import { endpoint, MARKET_DATA, perSecond } from "./endpoint.js";
import { strictList } from "./lists.js";
import { maybe, oneOf, required, symbolName, whole } from "./parameter.js";
import { record, row } from "./record.js";
import { productType } from "./trading.js";
import { MARKET_CATEGORIES } from "./vocabulary.js";

/** Order books read over REST: snapshots, as opposed to the streamed books. */

export const bookLevel = row({
  price: decimal("Price of the level"),
  qty: decimal("Quantity at this price, in base coin"),
});

const sides = {
  asks: strictList("Offers to sell, lowest price first", bookLevel, "a", "asks"),
  bids: strictList("Offers to buy, highest price first", bookLevel, "b", "bids"),
  time: optionalTime("Time of the book", "ts"),
};

const READ = { rate: perSecond(20, "IP"), cache: MARKET_DATA } as const;

export const orderBookRecord = record(sides);
export type OrderBook = Decoded<typeof orderBookRecord>;

/** A book whose levels are merged into coarser price steps. */
const mergedOrderBook = record({
  ...sides,
  scale: optionalDecimal("Price step of the levels"),
  precision: optionalText("Which of the symbol's scales this is"),
  isMaxPrecision: optionalFlag("Is this the finest step?"),
});

export const BOOK_STEPS = ["step0", "step1", "step2", "step3", "step4", "step5"] as const;
const BOOK_SCALES = ["scale0", "scale1", "scale2", "scale3"] as const;
const MERGED_DEPTHS = ["1", "5", "15", "50", "max"] as const;

export const orderBook = endpoint({
  ...READ,
  name: "orderBook",
  doc: "The order book of a symbol",
  path: "/api/v3/market/orderbook",
  parameters: {
    category: required("Product category", oneOf(MARKET_CATEGORIES)),
    symbol: required("Symbol name", symbolName()),
    limit: maybe("Levels per side", whole({ min: 1, max: 200, fallback: 5 })),
  },
  data: orderBookRecord,
});

export const classicSpotOrderBook = endpoint({
  ...READ,
  name: "classicSpotOrderBook",
  doc: "The order book of a spot symbol",
  path: "/api/v2/spot/market/orderbook",
  parameters: {
    symbol: required("Symbol name", symbolName()),
    type: maybe("How coarsely prices are merged, from not at all to most", oneOf(BOOK_STEPS, { fallback: "step0" })),
    limit: maybe("Levels per side", whole({ min: 1, max: 150, fallback: 150 })),
  },
  data: orderBookRecord,
});

const mergedParameters = {
  precision: maybe("How coarsely prices are merged, from least to most", oneOf(BOOK_SCALES, { fallback: "scale0" })),
  // Without a limit the exchange sends 100 levels, a depth that cannot be requested.
  limit: maybe("Levels per side. Default: 100", oneOf(MERGED_DEPTHS)),
};

export const classicSpotMergedOrderBook = endpoint({
  ...READ,
  name: "classicSpotMergedOrderBook",
  doc: "The order book of a spot symbol, merged by price step",
  path: "/api/v2/spot/market/merge-depth",
  parameters: { symbol: required("Symbol name", symbolName()), ...mergedParameters },
  data: mergedOrderBook,
});

export const classicFuturesOrderBook = endpoint({
  ...READ,
  name: "classicFuturesOrderBook",
  doc: "The order book of a futures symbol, merged by price step",
  path: "/api/v2/mix/market/merge-depth",
  parameters: {
    symbol: required("Symbol name", symbolName()),
    productType,
    ...mergedParameters,
  },
  data: mergedOrderBook,
});

import { type Decoded, id, integer, optionalDecimal, optionalInteger, optionalTime, time } from "./codec.js";
import { endpoint, MARKET_DATA, perSecond, REFERENCE_DATA } from "./endpoint.js";
import { list, listOf } from "./lists.js";
import { coinName, maybe, oneOf, pageSize, required, symbolName, whole } from "./parameter.js";
import { record } from "./record.js";
import { productType } from "./trading.js";
import { FUTURES_CATEGORIES } from "./vocabulary.js";

/**
 * Costs and limits of a futures position: funding, which longs pay to shorts or shorts to longs at the end of each period, and
 * the tiers of leverage.
 */

const fundingRate = record({
  symbol: id("Symbol name"),
  fundingRate: optionalDecimal("Rate of the running period, as a fraction"),
  intervalHours: optionalInteger("Hours between two settlements", "fundingRateInterval"),
  nextFundingTime: optionalTime("End of the running period, when funding is settled", "nextUpdate"),
  minFundingRate: optionalDecimal("Lowest possible rate, as a fraction"),
  maxFundingRate: optionalDecimal("Highest possible rate, as a fraction"),
});
export type FundingRate = Decoded<typeof fundingRate>;

/** v3 serves one symbol at a time; this lists a whole product type. */
export const fundingRates = endpoint({
  name: "fundingRates",
  doc: "The running funding period of each perpetual contract of a product type",
  path: "/api/v2/mix/market/current-fund-rate",
  rate: perSecond(20, "IP"),
  cache: MARKET_DATA,
  parameters: { productType, symbol: maybe("Symbol name. Default: all of them", symbolName()) },
  data: listOf(fundingRate),
});

export const fundingSettlement = record({
  fundingRate: optionalDecimal("Rate that was settled, as a fraction: positive where longs paid shorts (`fundingRate`)"),
  time: time("When it was settled (`fundingRateTimestamp`)", "fundingRateTimestamp"),
});

export const fundingHistory = endpoint({
  name: "fundingHistory",
  doc: "Settlements of funding of a perpetual contract in the last 90 days, newest first",
  path: "/api/v3/market/history-fund-rate",
  rate: perSecond(20, "IP"),
  cache: MARKET_DATA,
  parameters: {
    category: required("Product category", oneOf(FUTURES_CATEGORIES)),
    symbol: required("Symbol name", symbolName()),
    limit: maybe("Page size", pageSize(100, 100)),
    cursor: maybe("Page, from 1", whole({ min: 1, max: 100, fallback: 1 })),
  },
  data: record({ list: list("Settlements", fundingSettlement, "resultList") }),
});

export const openInterest = record({
  symbol: id("Symbol name"),
  openInterest: optionalDecimal("Open positions of all users, in base coin; of coin-margined contracts in quote coin"),
});
export type OpenInterest = Decoded<typeof openInterest>;

export const openInterests = endpoint({
  name: "openInterests",
  doc: "Open interest of the contracts of a category",
  path: "/api/v3/market/open-interest",
  rate: perSecond(20, "IP"),
  cache: MARKET_DATA,
  parameters: {
    category: required("Product category", oneOf(FUTURES_CATEGORIES)),
    symbol: maybe("Symbol name. Default: all of them", symbolName()),
  },
  data: record({ list: list("Contracts", openInterest), time: optionalTime("When it was counted", "ts") }),
});

export const positionTier = record({
  tier: integer("Number of the tier, from 1"),
  minValue: optionalDecimal("Position value from which the tier starts, in quote coin (`minTierValue`)", "minTierValue"),
  maxValue: optionalDecimal("Position value at which the tier ends, in quote coin (`maxTierValue`)", "maxTierValue"),
  leverage: optionalDecimal("Highest leverage in the tier"),
  maintenanceMarginRate: optionalDecimal("Maintenance margin rate in the tier, as a fraction (`mmr`)", "mmr"),
});

export const positionTiers = endpoint({
  name: "positionTiers",
  doc: "Leverage and maintenance margin of a contract by the value of a position, or of a coin of margin trading",
  path: "/api/v3/market/position-tier",
  rate: perSecond(20, "IP"),
  cache: REFERENCE_DATA,
  parameters: {
    category: required("Product category", oneOf([...FUTURES_CATEGORIES, "MARGIN"])),
    symbol: maybe("Symbol name", symbolName()),
    coin: maybe("Coin", coinName()),
  },
  rules: [
    { required: "symbol", when: "for futures", applies: ({ category }) => category !== "MARGIN" },
    { required: "coin", when: "for MARGIN", applies: ({ category }) => category === "MARGIN" },
  ],
  data: listOf(positionTier),
});

import { id, integer, optionalDecimal, time, unboundedDecimal } from "./codec.js";
import { endpoint, perSecond, REFERENCE_DATA } from "./endpoint.js";
import { list, listOf } from "./lists.js";
import { maybe, oneOf, symbolName } from "./parameter.js";
import { record } from "./record.js";

/** Data of the market as a whole: the value of collateral, flows of money, the exchange's clock. */

export const discountTier = record({
  tier: integer("Number of the tier, from 1"),
  minAmount: optionalDecimal("Amount at which the tier begins, in the coin"),
  maxAmount: unboundedDecimal(
    "Amount at which the tier ends, in the coin; null for the top tier, which has no end (the exchange writes -1)",
  ),
  discountRate: optionalDecimal("Share of the value that counts, as a fraction: 0.95 is 95 %"),
});

export const discountRate = record({
  coin: id("Collateral coin, for example `BTC`"),
  userLimit: optionalDecimal("Most that counts for one user, in the coin"),
  totalLimit: optionalDecimal("Most that counts on the whole platform, in the coin"),
  tiers: list("Tiers, from the smallest amount up", discountTier, "discountRateList"),
});

export const discountRates = endpoint({
  name: "discountRates",
  doc: "How much of a coin's value counts as collateral",
  path: "/api/v2/mix/market/discount-rate",
  rate: perSecond(5, "IP"),
  cache: REFERENCE_DATA,
  parameters: {},
  data: listOf(discountRate),
});

/** Whales, dolphins and fish are the exchange's words for large, medium and small investors. */
export const spotFundFlowRecord = record({
  whaleBuyVolume: optionalDecimal("Bought by large investors"),
  dolphinBuyVolume: optionalDecimal("Bought by medium investors"),
  fishBuyVolume: optionalDecimal("Bought by small investors"),
  whaleSellVolume: optionalDecimal("Sold by large investors"),
  dolphinSellVolume: optionalDecimal("Sold by medium investors"),
  fishSellVolume: optionalDecimal("Sold by small investors"),
  whaleBuyRatio: optionalDecimal("Large investors' share of the purchases, as a fraction"),
  dolphinBuyRatio: optionalDecimal("Medium investors' share of the purchases, as a fraction"),
  fishBuyRatio: optionalDecimal("Small investors' share of the purchases, as a fraction"),
  whaleSellRatio: optionalDecimal("Large investors' share of the sales, as a fraction"),
  dolphinSellRatio: optionalDecimal("Medium investors' share of the sales, as a fraction"),
  fishSellRatio: optionalDecimal("Small investors' share of the sales, as a fraction"),
});

export const FUND_FLOW_PERIODS = ["15m", "30m", "1h", "2h", "4h", "1d"] as const;

export const spotFundFlow = endpoint({
  name: "spotFundFlow",
  doc: "Who bought and sold on the spot market, by size of investor",
  path: "/api/v2/spot/market/fund-flow",
  rate: perSecond(1, "IP"),
  // One call per second serves every symbol, and the shortest period is 15 minutes: stale answers are acceptable meanwhile.
  cache: { freshMs: 1_000, staleMs: 60_000 },
  parameters: {
    // The interface documents a call without parameters; as measured, the exchange requires a symbol.
    symbol: maybe("Trading pair", symbolName()),
    period: maybe("Over which period up to now", oneOf(FUND_FLOW_PERIODS, { fallback: "15m" })),
  },
  data: spotFundFlowRecord,
});

export const serverTime = endpoint({
  name: "serverTime",
  doc: "The exchange's clock",
  path: "/api/v2/public/time",
  rate: perSecond(20, "IP"),
  parameters: {},
  data: record({ serverTime: time("The exchange's time") }),
});

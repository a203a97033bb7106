import type { ListedTicker } from "../datasources/reads/index.js";
import { DateTime, Decimal } from "../schema/scalars.js";
import { Ticker } from "../schema/ticker.js";
import { joined } from "./fieldCosts.js";
import { marketField, resolversOf } from "./fieldTable.js";

/** Fields that ticker lists lack and some pushes have: joined if they are selected. */
export const TickerResolver = resolversOf(Ticker, {
  nextFundingTime: marketField.orNull(DateTime, {
    description:
      "Next settlement of funding (`nextUpdate`); null except for perpetual futures. One call per category for any number of tickers; none if the ticker stream has it. Source: GET /api/v2/mix/market/current-fund-rate",
    cost: joined("fundingRates"),
    resolve: async ({ category, symbol, nextFundingTime }: ListedTicker, { reads }) =>
      nextFundingTime ?? (await reads.loaders.fundingRate(category, symbol))?.nextFundingTime ?? null,
  }),
  openUtc: marketField.orNull(Decimal, {
    description:
      "Price at midnight UTC, in quote coin; null where the exchange has none. One call per category for any number of tickers; none if the ticker stream has it. Source: GET /api/v2/spot/market/tickers, or GET /api/v2/mix/market/tickers",
    cost: joined("classicTickers"),
    resolve: async ({ category, symbol, openUtc }: ListedTicker, { reads }) =>
      openUtc ?? (await reads.loaders.classicTicker(category, symbol))?.openUtc ?? null,
  }),
  changeUtc24h: marketField.orNull(Decimal, {
    description:
      "Change of the price since midnight UTC, as a fraction: 0.05 is 5 %; null where the exchange has none. Source: as `openUtc`",
    cost: joined("classicTickers"),
    resolve: async ({ category, symbol, changeUtc24h }: ListedTicker, { reads }) =>
      changeUtc24h ?? (await reads.loaders.classicTicker(category, symbol))?.changeUtc24h ?? null,
  }),
  turnover24hUsdt: marketField.orNull(Decimal, {
    description:
      "Traded in the last 24 hours, in USDT (`usdtVolume`); null where the exchange has none. One call per category for any number of tickers. Source: as `openUtc`",
    cost: joined("classicTickers"),
    resolve: async ({ category, symbol }: ListedTicker, { reads }) =>
      (await reads.loaders.classicTicker(category, symbol))?.turnover24hUsdt ?? null,
  }),
});

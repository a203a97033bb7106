import {
  readDiscountRates,
  readMarginPairs,
  readSpotFundFlow,
  readSpotSymbol,
  readSpotSymbols,
} from "../datasources/reads/index.js";
import type { FieldCost } from "../schema/cost.js";
import { DiscountRate } from "../schema/discountRate.js";
import { FundFlowPeriod } from "../schema/enums/market.js";
import { of, text, texts } from "../schema/fields.js";
import { SpotFundFlow } from "../schema/fundFlow.js";
import { COINS, named, rowsOf, SYMBOLS } from "../schema/listLengths.js";
import { MarginPair, SpotSymbol } from "../schema/pair.js";
import { unlessKept } from "./fieldCosts.js";
import { query, resolversOf } from "./fieldTable.js";

const SPOT_SYMBOLS: FieldCost = { lists: { spotSymbols: ["SPOT"] }, category: () => "SPOT" };

/** Public reference data: pairs, collateral, fund flow. */
export const ReferenceResolver = resolversOf(null, {
  spotSymbols: query("read:market", [SpotSymbol], {
    description: "Spot trading pairs with their rules. Up to five minutes old. Source: GET /api/v2/spot/public/symbols",
    cost: { ...SPOT_SYMBOLS, rows: named("symbols", (_args, place) => rowsOf(place, "spotSymbols", SYMBOLS)) },
    args: { symbols: texts.optional("Only these symbols. Default: all") },
    resolve: ({ reads }, { symbols }) => readSpotSymbols(reads, symbols),
  }),
  spotSymbol: query.orNull("read:market", SpotSymbol, {
    description: "One spot trading pair; null if there is none with that name. Source: GET /api/v2/spot/public/symbols",
    cost: SPOT_SYMBOLS,
    args: { symbol: text("Symbol name, for example `BTCUSDT`") },
    resolve: ({ reads }, { symbol }) => readSpotSymbol(reads, symbol),
  }),
  marginPairs: query("read:market", [MarginPair], {
    description: "Pairs that can be traded on margin. Up to five minutes old. Source: GET /api/v2/margin/currencies",
    cost: {
      lists: { marginPairs: ["MARGIN"] },
      category: () => "MARGIN",
      rows: named("symbols", (_args, place) => rowsOf(place, "marginPairs", SYMBOLS)),
    },
    args: { symbols: texts.optional("Only these symbols. Default: all") },
    resolve: ({ reads }, { symbols }) => readMarginPairs(reads, symbols),
  }),
  discountRates: query("read:market", [DiscountRate], {
    description:
      "Shares of each coin's value that count as collateral. Up to five minutes old. Source: GET /api/v2/mix/market/discount-rate",
    cost: { calls: unlessKept("discountRates"), rows: named("coins", (_args, place) => rowsOf(place, "discountRates", COINS)) },
    args: { coins: texts.optional("Only these coins. Default: all") },
    resolve: ({ reads }, { coins }) => readDiscountRates(reads, coins),
  }),
  spotFundFlow: query("read:market", SpotFundFlow, {
    description:
      "Purchases and sales on the spot market, by size of investor. The exchange answers one call per second, for all symbols together. Source: GET /api/v2/spot/market/fund-flow",
    cost: { calls: 1 },
    args: {
      symbol: text.optional("Symbol name, for example `BTCUSDT`; the exchange may require one"),
      period: of(FundFlowPeriod).optional("Period up to now. Default: MINUTES_15"),
    },
    resolve: async ({ reads }, { symbol, period }) => {
      const flow = await readSpotFundFlow(reads, { symbol, period });
      const flowOf = (who: "whale" | "dolphin" | "fish") => ({
        buyVolume: flow[`${who}BuyVolume`],
        sellVolume: flow[`${who}SellVolume`],
        buyRatio: flow[`${who}BuyRatio`],
        sellRatio: flow[`${who}SellRatio`],
      });
      return { whale: flowOf("whale"), dolphin: flowOf("dolphin"), fish: flowOf("fish") };
    },
  }),
});

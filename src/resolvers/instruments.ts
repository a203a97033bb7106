import { type ListedInstrument, readInstruments } from "../datasources/reads/index.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { of, text, texts } from "../schema/fields.js";
import { Delivery, Instrument, LeverageRange, OrderSize } from "../schema/instrument.js";
import { rowsOf, SYMBOLS, symbolRows } from "../schema/listLengths.js";
import { Decimal } from "../schema/scalars.js";
import { Ticker } from "../schema/ticker.js";
import { Borrowable, FeeRates, MaxLeverage, Precision, PriceLimits, RiskRatios } from "../schema/tradingRules.js";
import { instrumentJoin, joined, tickerJoin } from "./fieldCosts.js";
import { field, marketField, query, resolversOf } from "./fieldTable.js";
import { EACH } from "./market.js";

/** Null if all fields are null. */
const unlessEmpty = <T extends object>(group: T): T | null =>
  Object.values(group).some((value) => value !== null) ? group : null;

export const InstrumentResolver = resolversOf(Instrument, {
  ticker: marketField.orNull(Ticker, {
    description:
      "Its ticker; null if it is not quoted. One call per category for any number of instruments. Source: GET /api/v3/market/tickers",
    cost: tickerJoin,
    resolve: ({ category, symbol }: ListedInstrument, { reads }) => reads.loaders.ticker(category, symbol),
  }),
  posLimit: marketField.orNull(Decimal, {
    description:
      "Largest share of the open positions for one user, as a fraction; null outside futures. One call per category for any number of instruments. Source: GET /api/v2/mix/market/contracts",
    cost: joined("contracts"),
    resolve: async ({ category, symbol, posLimit }: ListedInstrument, { reads }) =>
      posLimit ?? (await reads.loaders.contract(category, symbol))?.posLimit ?? null,
  }),
  supportMarginCoins: marketField.orNull([String], {
    description:
      "Coins that serve as margin; null outside futures. One call per category for any number of instruments. Source: GET /api/v2/mix/market/contracts",
    nullable: true,
    cost: joined("contracts"),
    resolve: async ({ category, symbol, supportMarginCoins }: ListedInstrument, { reads }) =>
      supportMarginCoins ?? (await reads.loaders.contract(category, symbol))?.supportMarginCoins ?? null,
  }),
  fees: marketField.orNull(FeeRates, {
    description:
      "Default fees: an account may have other rates; null where the exchange lists none. Those of spot and margin pairs are in separate lists, read once for all instruments. Source: GET /api/v3/market/instruments, GET /api/v2/spot/public/symbols or GET /api/v2/margin/currencies",
    cost: joined("marginPairs", "spotSymbols"),
    resolve: async (instrument: ListedInstrument, { reads }) => {
      const { category, symbol, makerFeeRate: maker, takerFeeRate: taker } = instrument;
      if (maker !== null || taker !== null) return { maker, taker };
      if (category === "SPOT") return (await reads.loaders.spotSymbol(symbol))?.fees ?? null;
      return category === "MARGIN" ? ((await reads.loaders.marginPair(symbol))?.fees ?? null) : null;
    },
  }),
  precision: field.orNull(Precision, {
    description: "Maximum decimals of prices and amounts (`pricePlace`, `volumePlace`); null if the exchange sends none",
    resolve: ({ pricePrecision, quantityPrecision, quotePrecision }: ListedInstrument) =>
      unlessEmpty({ price: pricePrecision, quantity: quantityPrecision, quote: quotePrecision }),
  }),
  orderSize: field(OrderSize, {
    description: "Minimum, maximum and step of orders",
    nullable: false,
    resolve: ({ minOrderQty, maxOrderQty, maxMarketOrderQty, minOrderAmount, quantityMultiplier }: ListedInstrument) => ({
      min: minOrderQty,
      max: maxOrderQty,
      maxMarket: maxMarketOrderQty,
      minAmount: minOrderAmount,
      step: quantityMultiplier,
    }),
  }),
  priceLimits: field.orNull(PriceLimits, {
    description: "Price range of orders around the market; null if the exchange does not send it",
    resolve: ({ buyLimitPriceRatio, sellLimitPriceRatio }: ListedInstrument) =>
      unlessEmpty({ buy: buyLimitPriceRatio, sell: sellLimitPriceRatio }),
  }),
  leverage: field.orNull(LeverageRange, {
    description: "Leverage range of the contract; futures only",
    resolve: ({ minLeverage, maxLeverage }: ListedInstrument) => unlessEmpty({ min: minLeverage, max: maxLeverage }),
  }),
  maxLeverage: field.orNull(MaxLeverage, {
    description: "Highest leverage by margin mode; margin only",
    resolve: ({ maxCrossedLeverage, maxIsolatedLeverage }: ListedInstrument) =>
      unlessEmpty({ crossed: maxCrossedLeverage, isolated: maxIsolatedLeverage }),
  }),
  riskRatios: field.orNull(RiskRatios, {
    description: "Risk ratios at which the exchange warns and liquidates; margin only",
    resolve: ({ warningRiskRatio, liquidationRiskRatio }: ListedInstrument) =>
      unlessEmpty({ warning: warningRiskRatio, liquidation: liquidationRiskRatio }),
  }),
  borrowable: field(Borrowable, {
    description: "Whether each of its coins can be borrowed; margin only",
    nullable: false,
    resolve: ({ isIsolatedBaseBorrowable, isIsolatedQuoteBorrowable }: ListedInstrument) => ({
      isIsolatedBaseBorrowable,
      isIsolatedQuoteBorrowable,
      isCrossBorrowable: null,
    }),
  }),
  delivery: field.orNull(Delivery, {
    description: "Its delivery; delivery futures only",
    resolve: ({ deliveryStartTime, deliveryTime, deliveryPeriod }: ListedInstrument) =>
      unlessEmpty({ startTime: deliveryStartTime, time: deliveryTime, period: deliveryPeriod }),
  }),
  isRealWorldAsset: field.orNull(Boolean, {
    description:
      "Whether the base is a real-world asset (`isRwa` on futures, `isReality` on spot); null if the exchange does not send it",
    resolve: ({ isRwa, isReality }: ListedInstrument) => isRwa ?? isReality,
  }),
});

export const InstrumentQueries = resolversOf(null, {
  instruments: query("read:market", [Instrument], {
    description: "Instruments of a category, or of all. Up to five minutes old. Source: GET /api/v3/market/instruments",
    cost: { ...instrumentJoin, rows: symbolRows((place, one) => rowsOf(place, "instruments", SYMBOLS, one)) },
    args: { category: EACH, symbols: texts.optional("Only these symbols. Default: all") },
    resolve: ({ reads }, { category, symbols }) => readInstruments(reads, category, symbols),
  }),
  instrument: query.orNull("read:market", Instrument, {
    description: "One instrument; null if the category has none with that name. Source: GET /api/v3/market/instruments",
    cost: instrumentJoin,
    args: { category: of(ProductCategoryInput)("Product category"), symbol: text("Symbol name, for example `BTCUSDT`") },
    resolve: ({ reads }, { category, symbol }) => reads.loaders.instrument(category, symbol),
  }),
});

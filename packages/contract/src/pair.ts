import {
  type Decoded,
  id,
  optionalDecimal,
  optionalFlag,
  optionalInteger,
  optionalPlaces,
  optionalText,
  optionalTime,
  optionalToken,
} from "./codec.js";
import { endpoint, perSecond, REFERENCE_DATA } from "./endpoint.js";
import { listOf } from "./lists.js";
import { maybe, symbolName } from "./parameter.js";
import { record } from "./record.js";

/** Trading pairs of the spot and margin markets: permissions, price and quantity steps, and fees. */

export const SPOT_SYMBOL_STATUSES = ["offline", "gray", "online", "halt"] as const;
export const MARGIN_PAIR_STATUSES = ["tradable", "maintenance"] as const;

const pair = {
  symbol: id("Symbol name, for example `BTCUSDT`"),
  baseCoin: optionalText("Coin that is bought and sold"),
  quoteCoin: optionalText("Coin that it is priced in"),
  minTradeAmount: optionalDecimal("Smallest order, in base coin"),
  maxTradeAmount: optionalDecimal("Largest order, in base coin"),
  takerFeeRate: optionalDecimal("For an order that trades at once, as a fraction: 0.001 is 0.1 %"),
  makerFeeRate: optionalDecimal("For an order that rests in the book first, as a fraction: 0.001 is 0.1 %"),
  pricePrecision: optionalPlaces("Decimals of a price"),
  quantityPrecision: optionalPlaces("Decimals of a quantity in base coin"),
  minTradeUSDT: optionalDecimal("Smallest order, in USDT"),
};

export const spotSymbol = record({
  ...pair,
  quotePrecision: optionalPlaces("Decimals of an amount in quote coin; null where the exchange does not say"),
  maxLimitOrderValue: optionalDecimal("Largest limit order, in quote coin; null where the exchange does not say"),
  maxMarketOrderValue: optionalDecimal("Largest market order, in quote coin; null where the exchange does not say"),
  status: optionalToken("State of trading", SPOT_SYMBOL_STATUSES),
  buyLimitPriceRatio: optionalDecimal("How far above the market a buy may be priced, as a fraction: 0.05 is 5 %"),
  sellLimitPriceRatio: optionalDecimal("How far below the market a sell may be priced, as a fraction: 0.05 is 5 %"),
  maxOpenOrders: optionalInteger("Most open orders that an account may have in this symbol (`orderQuantity`)", "orderQuantity"),
  isRegional: optionalFlag(
    "Is the pair restricted to some regions (`areaSymbol`)? Null where the exchange does not say",
    "areaSymbol",
  ),
  offTime: optionalTime("Delisting; null where none is planned"),
  openTime: optionalTime("Listing; the exchange no longer maintains it"),
});
export type SpotSymbol = Decoded<typeof spotSymbol>;

export const spotSymbols = endpoint({
  name: "spotSymbols",
  doc: "Configuration of the spot symbols, or of one of them",
  path: "/api/v2/spot/public/symbols",
  rate: perSecond(20, "IP"),
  cache: REFERENCE_DATA,
  parameters: { symbol: maybe("Trading pair. Default: all of them", symbolName()) },
  data: listOf(spotSymbol),
});

export const marginPair = record({
  ...pair,
  maxCrossedLeverage: optionalDecimal("Highest leverage with cross margin"),
  maxIsolatedLeverage: optionalDecimal("Highest leverage with isolated margin"),
  warningRiskRatio: optionalDecimal("Risk ratio from which on the exchange warns, as a fraction"),
  liquidationRiskRatio: optionalDecimal("Risk ratio from which on the exchange liquidates, as a fraction"),
  isBorrowable: optionalFlag("Can its coins be borrowed? Deprecated by the exchange"),
  userMinBorrow: optionalDecimal("Smallest amount that can be borrowed"),
  status: optionalToken("State of margin trading", MARGIN_PAIR_STATUSES, { 1: "tradable", 2: "maintenance" }),
  isIsolatedBaseBorrowable: optionalFlag("Can the base coin be borrowed with isolated margin?"),
  isIsolatedQuoteBorrowable: optionalFlag(
    "Can the quote coin be borrowed with isolated margin?",
    "isIsolatedQuoteBorrowable",
    "isIsolatedQuotedBorrowable",
  ),
  isCrossBorrowable: optionalFlag("Can the coins be borrowed with cross margin?"),
});
export type MarginPair = Decoded<typeof marginPair>;

export const marginPairs = endpoint({
  name: "marginPairs",
  doc: "Coins and pairs that can be traded on margin",
  path: "/api/v2/margin/currencies",
  access: "either",
  rate: perSecond(10, "IP"),
  cache: REFERENCE_DATA,
  parameters: {},
  data: listOf(marginPair),
});

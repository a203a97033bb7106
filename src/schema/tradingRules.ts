import { marginPair, spotSymbol } from "@exchange-graph/contract/pair";
import { groupOf, RecordType } from "./record.js";

@RecordType("What a trade costs, as fractions of its value. An account may have rates of its own")
export class FeeRates extends groupOf(spotSymbol, { maker: "makerFeeRate", taker: "takerFeeRate" }) {}

@RecordType("How many decimals the numbers of an order may have")
export class Precision extends groupOf(spotSymbol, {
  price: "pricePrecision",
  quantity: "quantityPrecision",
  quote: "quotePrecision",
}) {}

@RecordType("How small and how large an order may be")
export class TradeSize extends groupOf(spotSymbol, { min: "minTradeAmount", max: "maxTradeAmount", minUsdt: "minTradeUSDT" }) {}

@RecordType("How far from the market an order may be priced")
export class PriceLimits extends groupOf(spotSymbol, { buy: "buyLimitPriceRatio", sell: "sellLimitPriceRatio" }) {}

@RecordType("Highest leverage by margin mode")
export class MaxLeverage extends groupOf(marginPair, { crossed: "maxCrossedLeverage", isolated: "maxIsolatedLeverage" }) {}

@RecordType("Risk ratios at which the exchange acts, as fractions")
export class RiskRatios extends groupOf(marginPair, { warning: "warningRiskRatio", liquidation: "liquidationRiskRatio" }) {}

@RecordType("Which coins of a pair can be borrowed; null where the exchange does not say")
export class Borrowable extends groupOf(marginPair, {
  isolatedBase: "isIsolatedBaseBorrowable",
  isolatedQuote: "isIsolatedQuoteBorrowable",
  crossed: "isCrossBorrowable",
}) {}

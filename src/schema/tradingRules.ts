import { marginPair, spotSymbol } from "@exchange-graph/contract/pair";
import { groupOf, RecordType } from "./record.js";

@RecordType("Trading fees, as fractions of a trade's value. An account may have other rates")
export class FeeRates extends groupOf(spotSymbol, { maker: "makerFeeRate", taker: "takerFeeRate" }) {}

@RecordType("Maximum decimals of an order's numbers")
export class Precision extends groupOf(spotSymbol, {
  price: "pricePrecision",
  quantity: "quantityPrecision",
  quote: "quotePrecision",
}) {}

@RecordType("Minimum and maximum size of an order")
export class TradeSize extends groupOf(spotSymbol, {
  min: "minTradeAmount",
  max: "maxTradeAmount",
  minUsdt: "minTradeUSDT",
  maxLimitValue: "maxLimitOrderValue",
  maxMarketValue: "maxMarketOrderValue",
}) {}

@RecordType("Price range of orders around the market")
export class PriceLimits extends groupOf(spotSymbol, { buy: "buyLimitPriceRatio", sell: "sellLimitPriceRatio" }) {}

@RecordType("Highest leverage by margin mode")
export class MaxLeverage extends groupOf(marginPair, { crossed: "maxCrossedLeverage", isolated: "maxIsolatedLeverage" }) {}

@RecordType("Risk ratios at which the exchange acts, as fractions")
export class RiskRatios extends groupOf(marginPair, { warning: "warningRiskRatio", liquidation: "liquidationRiskRatio" }) {}

@RecordType("Whether each coin of a pair can be borrowed; null if the exchange does not say")
export class Borrowable extends groupOf(marginPair, {
  isIsolatedBaseBorrowable: "isIsolatedBaseBorrowable",
  isIsolatedQuoteBorrowable: "isIsolatedQuoteBorrowable",
  isCrossBorrowable: "isCrossBorrowable",
}) {}

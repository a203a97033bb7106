import { coin, coinChain } from "@exchange-graph/contract/coin";
import { instrument } from "@exchange-graph/contract/instrument";
import { marginPair, spotSymbol } from "@exchange-graph/contract/pair";
import { ProductCategory } from "./enums/category.js";
import { AssetClass } from "./enums/instrument.js";
import { flag, of, partialListOf, word } from "./fields.js";
import { CHAINS } from "./listLengths.js";
import { Node } from "./node.js";
import { extended, groupOf, partOf, RecordType, recordOf } from "./record.js";

@RecordType("Minimum, maximum and step of the orders in an instrument")
export class OrderSize extends groupOf(instrument, {
  min: "minOrderQty",
  max: "maxOrderQty",
  maxMarket: "maxMarketOrderQty",
  minAmount: "minOrderAmount",
  step: "quantityMultiplier",
}) {}

@RecordType("Delivery of a contract with an expiry")
export class Delivery extends groupOf(instrument, {
  startTime: "deliveryStartTime",
  time: "deliveryTime",
  period: "deliveryPeriod",
}) {}

@RecordType("Leverage range of a futures contract")
export class LeverageRange extends groupOf(instrument, { min: "minLeverage", max: "maxLeverage" }) {}

@RecordType("A spot or margin pair, or a futures contract, with its trading rules", {
  implements: Node,
  lasting: true,
})
export class Instrument extends extended(
  partOf(instrument, [
    "symbol",
    "baseCoin",
    "quoteCoin",
    "status",
    "type",
    "priceMultiplier",
    "feeRateUpRatio",
    "openCostUpRatio",
    "maxSymbolOrderNum",
    "maxProductOrderNum",
    "maxPositionNum",
    "fundInterval",
    "launchTime",
    "offTime",
    "limitOpenTime",
    "maintainTime",
    "isRegional",
    "userMinBorrow",
  ]),
  {
    category: of(ProductCategory)("Product category, as in the argument"),
    assetClass: word(AssetClass).orNull("Asset class of the base (`symbolType`); null where the exchange does not say"),
  },
) {}

@RecordType("Trading fees, as fractions of a trade's value. An account may have other rates")
export class FeeRates extends groupOf(spotSymbol, { maker: "makerFeeRate", taker: "takerFeeRate" }) {}

@RecordType("Maximum decimals of an order's numbers")
export class Precision extends groupOf(spotSymbol, {
  price: "pricePrecision",
  quantity: "quantityPrecision",
  quote: "quotePrecision",
}) {}

@RecordType("Minimum and maximum size of an order")
class TradeSize extends groupOf(spotSymbol, {
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

/** What pairs have in common. */
const RULES = {
  fees: of(FeeRates)("Default fees: an account may have other rates"),
  precision: of(Precision)("Maximum decimals of prices and amounts"),
  orderSize: of(TradeSize)("Minimum and maximum size of an order (`tradeSize`)"),
};

const PAIR = ["symbol", "baseCoin", "quoteCoin", "status"] as const;

@RecordType("A spot trading pair and the rules for orders in it", { implements: Node, lasting: true })
export class SpotSymbol extends extended(partOf(spotSymbol, [...PAIR, "maxOpenOrders", "isRegional", "offTime", "openTime"]), {
  ...RULES,
  priceLimits: of(PriceLimits)("Price range of orders around the market"),
}) {}

@RecordType("A pair that can be traded on margin", { implements: Node, lasting: true })
export class MarginPair extends extended(partOf(marginPair, [...PAIR, "userMinBorrow"]), {
  ...RULES,
  isBorrowable: flag
    .deprecated("Use `borrowable`, which has each coin of the pair. The exchange has deprecated it")
    .orNull("Whether the pair's coins can be borrowed"),
  maxLeverage: of(MaxLeverage)("Highest leverage by margin mode"),
  riskRatios: of(RiskRatios)("Risk ratios at which the exchange warns and liquidates"),
  borrowable: of(Borrowable)("Whether each of the pair's coins can be borrowed"),
}) {}

@RecordType("A blockchain over which a coin is deposited and withdrawn, with fees and minimums", { lasting: true })
class CoinChain extends recordOf(coinChain) {}

@RecordType("A coin that the exchange lists, with its chains", { lasting: true, implements: Node })
export class Coin extends extended(recordOf(coin, { without: ["chains"] }), {
  chains: partialListOf(CoinChain, CHAINS)("Chains over which it is deposited and withdrawn; none for a coin that is not"),
}) {}

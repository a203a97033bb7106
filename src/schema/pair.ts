import { marginPair, spotSymbol } from "@exchange-graph/contract/pair";
import { flag, of } from "./fields.js";
import { Node } from "./node.js";
import { extended, partOf, RecordType } from "./record.js";
import { Borrowable, FeeRates, MaxLeverage, Precision, PriceLimits, RiskRatios, TradeSize } from "./tradingRules.js";

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

import { marginPair, spotSymbol } from "@exchange-graph/contract/pair";
import { Field } from "type-graphql";
import { Node } from "./node.js";
import { partOf, RecordType } from "./record.js";
import { Borrowable, FeeRates, MaxLeverage, Precision, PriceLimits, RiskRatios, TradeSize } from "./tradingRules.js";

const FEES = { description: "Default fees: an account may have its own" };
const PRECISION = { description: "How many decimals prices and amounts may have" };
const ORDER_SIZE = { description: "How small and how large an order may be (`tradeSize`)" };

const PAIR = ["symbol", "baseCoin", "quoteCoin", "status"] as const;

@RecordType("A spot trading pair and the rules for orders in it", { implements: Node, lasting: true })
export class SpotSymbol extends partOf(spotSymbol, [...PAIR, "maxOpenOrders", "areaSymbol", "offTime", "openTime"]) {
  @Field(() => FeeRates, FEES)
  readonly fees!: FeeRates;

  @Field(() => Precision, PRECISION)
  readonly precision!: Precision;

  @Field(() => TradeSize, ORDER_SIZE)
  readonly orderSize!: TradeSize;

  @Field(() => PriceLimits, { description: "How far from the market an order may be priced" })
  readonly priceLimits!: PriceLimits;
}

@RecordType("A pair that can be traded on margin", { lasting: true })
export class MarginPair extends partOf(marginPair, [...PAIR, "userMinBorrow", "isBorrowable"]) {
  @Field(() => FeeRates, FEES)
  readonly fees!: FeeRates;

  @Field(() => Precision, PRECISION)
  readonly precision!: Precision;

  @Field(() => TradeSize, ORDER_SIZE)
  readonly orderSize!: TradeSize;

  @Field(() => MaxLeverage, { description: "Highest leverage by margin mode" })
  readonly maxLeverage!: MaxLeverage;

  @Field(() => RiskRatios, { description: "Risk ratios at which the exchange warns and liquidates" })
  readonly riskRatios!: RiskRatios;

  @Field(() => Borrowable, { description: "Which of the pair's coins can be borrowed" })
  readonly borrowable!: Borrowable;
}

import { Field } from "type-graphql";
import { MarginPairStatus } from "./enums/pair.js";
import { EnumField, RecordType } from "./record.js";
import { Decimal } from "./scalars.js";
import { FeeRates, Precision, TradeSize } from "./tradingRules.js";

@RecordType("Highest leverage by margin mode")
export class MaxLeverage {
  @Field(() => Decimal, { nullable: true, description: "With cross margin (`maxCrossedLeverage`)" })
  readonly crossed!: string | null;

  @Field(() => Decimal, { nullable: true, description: "With isolated margin (`maxIsolatedLeverage`)" })
  readonly isolated!: string | null;
}

@RecordType("Risk ratios at which the exchange acts, as fractions")
export class RiskRatios {
  @Field(() => Decimal, { nullable: true, description: "It warns from here on (`warningRiskRatio`)" })
  readonly warning!: string | null;

  @Field(() => Decimal, { nullable: true, description: "It liquidates from here on (`liquidationRiskRatio`)" })
  readonly liquidation!: string | null;
}

@RecordType("Which coins of a pair can be borrowed; null where the exchange does not say")
export class Borrowable {
  @Field(() => Boolean, { nullable: true, description: "The base coin, with isolated margin (`isIsolatedBaseBorrowable`)" })
  readonly isolatedBase!: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "The quote coin, with isolated margin (`isIsolatedQuoteBorrowable`, also spelt `isIsolatedQuotedBorrowable`)",
  })
  readonly isolatedQuote!: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Either coin, with cross margin (`isCrossBorrowable`)" })
  readonly crossed!: boolean | null;
}

@RecordType("A pair that can be traded on margin", { lasting: true })
export class MarginPair {
  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @Field(() => String, { nullable: true, description: "Coin that is bought and sold" })
  readonly baseCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Coin that it is priced in" })
  readonly quoteCoin!: string | null;

  @EnumField(() => MarginPairStatus, "State of margin trading", { nullable: true })
  readonly status!: MarginPairStatus | null;

  @Field(() => FeeRates, { description: "Default fees: an account may have its own" })
  readonly fees!: FeeRates;

  @Field(() => Precision, { description: "How many decimals prices and amounts may have" })
  readonly precision!: Precision;

  @Field(() => TradeSize, { description: "How small and how large an order may be (`tradeSize`)" })
  readonly orderSize!: TradeSize;

  @Field(() => MaxLeverage, { description: "Highest leverage by margin mode" })
  readonly maxLeverage!: MaxLeverage;

  @Field(() => RiskRatios, { description: "Risk ratios at which the exchange warns and liquidates" })
  readonly riskRatios!: RiskRatios;

  @Field(() => Borrowable, { description: "Which of the pair's coins can be borrowed" })
  readonly borrowable!: Borrowable;

  @Field(() => Decimal, { nullable: true, description: "Smallest amount that can be borrowed" })
  readonly userMinBorrow!: string | null;

  @Field(() => Boolean, { nullable: true, description: "Deprecated by the exchange: use `borrowable`" })
  readonly isBorrowable!: boolean | null;
}

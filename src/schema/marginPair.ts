import { Field } from "type-graphql";
import { MarginPairStatus } from "./enums/pair.js";
import { EnumField, RecordType } from "./record.js";
import { Decimal } from "./scalars.js";
import { FeeRates, Precision, TradeSize } from "./tradingRules.js";

@RecordType("Highest leverage by margin mode")
export class MaxLeverage {
  @Field(() => Decimal, { description: "With cross margin (`maxCrossedLeverage`)" })
  readonly crossed!: string;

  @Field(() => Decimal, { description: "With isolated margin (`maxIsolatedLeverage`)" })
  readonly isolated!: string;
}

@RecordType("Risk ratios at which the exchange acts, as fractions")
export class RiskRatios {
  @Field(() => Decimal, { description: "It warns from here on (`warningRiskRatio`)" })
  readonly warning!: string;

  @Field(() => Decimal, { description: "It liquidates from here on (`liquidationRiskRatio`)" })
  readonly liquidation!: string;
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

  @Field(() => String, { description: "Coin that is bought and sold" })
  readonly baseCoin!: string;

  @Field(() => String, { description: "Coin that it is priced in" })
  readonly quoteCoin!: string;

  @EnumField(() => MarginPairStatus, "State of margin trading")
  readonly status!: MarginPairStatus;

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

  @Field(() => Decimal, { description: "Smallest amount that can be borrowed" })
  readonly userMinBorrow!: string;

  @Field(() => Boolean, { nullable: true, description: "The exchange declares this to be ignored: `borrowable` has what counts" })
  readonly isBorrowable!: boolean | null;
}

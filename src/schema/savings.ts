import { Field, Int } from "type-graphql";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Cost } from "./cost.js";
import {
  SavingsHoldingStatus,
  SavingsLevel,
  SavingsPeriodType,
  SavingsProductStatus,
  SavingsRateType,
  SavingsRecordType,
  SavingsSettleMethod,
} from "./enums/savings.js";
import { TIERS } from "./listLengths.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("The rate that one range of amounts earns")
class SavingsRate {
  @Field(() => Int, { description: "Number of the tier, from 0 (`rateLevel`)" })
  readonly tier!: number;

  @Field(() => Decimal, {
    nullable: true,
    description: "Amount at which the tier begins, in the product's coin (`minStepVal`, also spelt `minApy`)",
  })
  readonly minAmount!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Amount at which the tier ends, in the product's coin; null without an end (`maxStepVal`, also spelt `maxApy`)",
  })
  readonly maxAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Yearly rate now, as a fraction (`currentApy`)" })
  readonly apy!: string | null;
}

@RecordType("A savings product on offer: a coin lent to the exchange for interest")
export class SavingsProduct {
  @Field(() => String, { description: "The exchange's identifier of the product" })
  readonly productId!: string;

  @Field(() => String, { nullable: true, description: "Coin, for example `USDT`" })
  readonly coin!: string | null;

  @EnumField(() => SavingsPeriodType, "Kind of term", { nullable: true })
  readonly periodType!: SavingsPeriodType | null;

  @Field(() => String, { nullable: true, description: "Term in days; null for a flexible product" })
  readonly period!: string | null;

  @EnumField(() => SavingsRateType, "How the rate depends on the amount", { nullable: true })
  readonly apyType!: SavingsRateType | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Can it be redeemed before the term ends? Null where the exchange does not say",
  })
  readonly advanceRedeem!: boolean | null;

  @EnumField(() => SavingsSettleMethod, "When interest is paid; null where the exchange does not say", { nullable: true })
  readonly settleMethod!: SavingsSettleMethod | null;

  @Cost({ rows: TIERS })
  @Field(() => [SavingsRate], { nullable: "items", description: "The rates, tier by tier (`apyList`)" })
  readonly apyTiers!: readonly (SavingsRate | Error)[];

  @EnumField(() => SavingsProductStatus, "State of the product", { nullable: true })
  readonly status!: SavingsProductStatus | null;

  @EnumField(() => SavingsLevel, "Users that it is for; null where the exchange does not say", { nullable: true })
  readonly productLevel!: SavingsLevel | null;
}

@RecordType("Savings that an account holds")
export class SavingsHolding {
  @Field(() => String, { description: "The exchange's identifier of the product" })
  readonly productId!: string;

  @Field(() => String, {
    nullable: true,
    description: "Identifier of the holding, needed to redeem it; null for a flexible product",
  })
  readonly orderId!: string | null;

  @Field(() => String, { nullable: true, description: "Coin that is held" })
  readonly productCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Coin in which interest is paid" })
  readonly interestCoin!: string | null;

  @EnumField(() => SavingsPeriodType, "Kind of term", { nullable: true })
  readonly periodType!: SavingsPeriodType | null;

  @Field(() => String, { nullable: true, description: "Term in days; null for a flexible product" })
  readonly period!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount held, in the product's coin (`holdAmount`)" })
  readonly amount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Interest of the last period, in the interest coin" })
  readonly lastProfit!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Interest since the beginning, in the interest coin" })
  readonly totalProfit!: string | null;

  @Field(() => Int, { nullable: true, description: "Days that it has been held; null for a flexible product" })
  readonly holdDays!: number | null;

  @EnumField(() => SavingsHoldingStatus, "State of the holding", { nullable: true })
  readonly status!: SavingsHoldingStatus | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Can it be redeemed before the term ends? Null where the exchange does not say (also spelt `allowRedemption`)",
  })
  readonly advanceRedeem!: boolean | null;

  @EnumField(() => SavingsLevel, "Users that the product is for; null where the exchange does not say", { nullable: true })
  readonly productLevel!: SavingsLevel | null;

  @Cost({ rows: TIERS })
  @Field(() => [SavingsRate], { nullable: "items", description: "The rates, tier by tier (`apyList`, in holdings `apy`)" })
  readonly apyTiers!: readonly (SavingsRate | Error)[];
}

export const SavingsHoldingConnection = connectionOf(SavingsHolding);
export type SavingsHoldingConnection = ConnectionOf<SavingsHolding>;

@RecordType("One movement into or out of savings")
export class SavingsRecord {
  @Field(() => String, { description: "The exchange's identifier of the record" })
  readonly orderId!: string;

  @Field(() => String, { nullable: true, description: "Coin that is held (the exchange's `coinName`)" })
  readonly productCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Coin in which interest is paid (the exchange's `settleCoinName`)" })
  readonly interestCoin!: string | null;

  @EnumField(() => SavingsPeriodType, "Kind of term (the exchange's `productType`)", { nullable: true })
  readonly periodType!: SavingsPeriodType | null;

  @Field(() => String, { nullable: true, description: "Term in days; null for a flexible product" })
  readonly period!: string | null;

  @EnumField(() => SavingsLevel, "Users that the product is for; null where the exchange does not say", { nullable: true })
  readonly productLevel!: SavingsLevel | null;

  @Field(() => Decimal, { nullable: true, description: "Amount that moved, in the coin" })
  readonly amount!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it happened (the exchange's `ts`)" })
  readonly createdTime!: number | null;

  @EnumField(() => SavingsRecordType, "What the record is about", { nullable: true })
  readonly orderType!: SavingsRecordType | null;
}

export const SavingsRecordConnection = connectionOf(SavingsRecord);
export type SavingsRecordConnection = ConnectionOf<SavingsRecord>;

@RecordType("What an account has in savings, and has earned with them")
export class SavingsTotals {
  @Field(() => Decimal, { nullable: true, description: "Held now, in BTC (`btcAmount`)" })
  readonly amountBtc!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Held now, in USDT (`usdtAmount`)" })
  readonly amountUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Earned in the last 24 hours, in BTC (`btc24hEarning`)" })
  readonly earned24hBtc!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Earned in the last 24 hours, in USDT (`usdt24hEarning`)" })
  readonly earned24hUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Earned since the beginning, in BTC (`btcTotalEarning`)" })
  readonly earnedBtc!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Earned since the beginning, in USDT (`usdtTotalEarning`)" })
  readonly earnedUsdt!: string | null;
}

@RecordType("An account's savings: what is on offer, what it holds, and what moved")
export class Savings {}

import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { SharkFinOfferStatus, SharkFinRecordType, SharkFinStatus, SharkFinTrend } from "./enums/sharkFin.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("A shark-fin product that an account holds or held: it pays interest by where a price ends", { implements: Node })
export class SharkFinProduct {
  @Field(() => Account, { description: "The account that subscribed" })
  readonly account!: Account;

  @Field(() => String, { description: "The exchange's identifier of the product" })
  readonly productId!: string;

  @Field(() => DateTime, { nullable: true, description: "When interest begins to accrue; null until it is set" })
  readonly interestStartTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When interest stops accruing; null until it is set" })
  readonly interestEndTime!: number | null;

  @Field(() => String, { nullable: true, description: "Coin whose price decides the interest" })
  readonly productCoin!: string | null;

  @Field(() => String, { description: "Coin that was paid in" })
  readonly subscribeCoin!: string;

  @EnumField(() => SharkFinTrend, "The direction of the price that pays more", { nullable: true })
  readonly trend!: SharkFinTrend | null;

  @Field(() => DateTime, { nullable: true, description: "Settlement; null until it is set" })
  readonly settleTime!: number | null;

  @Field(() => Decimal, { nullable: true, description: "Interest, in the subscription coin; null until it is known" })
  readonly interestAmount!: string | null;

  @EnumField(() => SharkFinStatus, "State of the product", { nullable: true })
  readonly productStatus!: SharkFinStatus | null;
}

export const SharkFinProductConnection = connectionOf(SharkFinProduct);
export type SharkFinProductConnection = ConnectionOf<SharkFinProduct>;

@RecordType("One movement into or out of a shark-fin product")
export class SharkFinRecord {
  @Field(() => String, { description: "The exchange's identifier of the record" })
  readonly orderId!: string;

  @Field(() => String, { nullable: true, description: "Name of the product" })
  readonly product!: string | null;

  @Field(() => String, { nullable: true, description: "Investment period, as the exchange words it" })
  readonly period!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount, in the subscription coin" })
  readonly amount!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it happened (the exchange's `ts`)" })
  readonly createdTime!: number | null;

  @EnumField(() => SharkFinRecordType, "What the record is about", { nullable: true })
  readonly type!: SharkFinRecordType | null;
}

export const SharkFinRecordConnection = connectionOf(SharkFinRecord);
export type SharkFinRecordConnection = ConnectionOf<SharkFinRecord>;

@RecordType("A shark-fin product on offer")
export class SharkFinOffer {
  @Field(() => String, { description: "The exchange's identifier of the product" })
  readonly productId!: string;

  @Field(() => String, { nullable: true, description: "Name of the product" })
  readonly productName!: string | null;

  @Field(() => String, { nullable: true, description: "Coin whose price decides the interest" })
  readonly productCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Coin that is paid in" })
  readonly subscribeCoin!: string | null;

  @EnumField(() => SharkFinOfferStatus, "State of the offer (the exchange's `status`, in other words than those of a holding)", {
    nullable: true,
  })
  readonly productStatus!: SharkFinOfferStatus | null;

  @Field(() => String, { nullable: true, description: "Investment period, in days" })
  readonly period!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Yearly interest rate below the price range, as a fraction" })
  readonly lowerRate!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Yearly interest rate that is paid in any case, as a fraction" })
  readonly defaultRate!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Yearly interest rate above the price range, as a fraction" })
  readonly upperRate!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Least that can be subscribed, in the subscription coin" })
  readonly minAmount!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Most that can be subscribed, in the subscription coin; null without a limit",
  })
  readonly limitAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Subscribed so far by everybody, in the subscription coin" })
  readonly soldAmount!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When the offer opens" })
  readonly startTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When the offer closes" })
  readonly endTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When subscriptions begin to count" })
  readonly farmingStartTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When subscriptions cease to count" })
  readonly farmingEndTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When interest begins to accrue" })
  readonly interestStartTime!: number | null;
}

export const SharkFinOfferConnection = connectionOf(SharkFinOffer);
export type SharkFinOfferConnection = ConnectionOf<SharkFinOffer>;

@RecordType("What an account has in shark-fin products, and has earned with them")
export class SharkFinTotals {
  @Field(() => Decimal, { nullable: true, description: "Subscribed now, in BTC (`btcSubscribeAmount`)" })
  readonly amountBtc!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Subscribed now, in USDT (`usdtSubscribeAmount`)" })
  readonly amountUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Subscribed since the beginning, in BTC (`btcHistoricalAmount`)" })
  readonly subscribedBtc!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Subscribed since the beginning, in USDT (`usdtHistoricalAmount`)" })
  readonly subscribedUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Earned since the beginning, in BTC (`btcTotalEarning`)" })
  readonly earnedBtc!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Earned since the beginning, in USDT (`usdtTotalEarning`)" })
  readonly earnedUsdt!: string | null;
}

@RecordType("An account's shark-fin products: what is on offer, what it holds, and what moved")
export class SharkFin {}

@RecordType("The earn products of an account")
export class Earn {}

import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { SharkFinRecordType, SharkFinStatus, SharkFinTrend } from "./enums/sharkFin.js";
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

  @Field(() => String, { description: "Coin whose price decides the interest" })
  readonly productCoin!: string;

  @Field(() => String, { description: "Coin that was paid in" })
  readonly subscribeCoin!: string;

  @EnumField(() => SharkFinTrend, "The direction of the price that pays more")
  readonly trend!: SharkFinTrend;

  @Field(() => DateTime, { nullable: true, description: "Settlement; null until it is set" })
  readonly settleTime!: number | null;

  @Field(() => Decimal, { nullable: true, description: "Interest, in the subscription coin; null until it is known" })
  readonly interestAmount!: string | null;

  @EnumField(() => SharkFinStatus, "State of the product")
  readonly productStatus!: SharkFinStatus;
}

export const SharkFinProductConnection = connectionOf(SharkFinProduct);
export type SharkFinProductConnection = ConnectionOf<SharkFinProduct>;

@RecordType("One movement into or out of a shark-fin product")
export class SharkFinRecord {
  @Field(() => String, { description: "The exchange's identifier of the record" })
  readonly orderId!: string;

  @Field(() => String, { description: "Name of the product" })
  readonly product!: string;

  @Field(() => String, { description: "Investment period, as the exchange words it" })
  readonly period!: string;

  @Field(() => Decimal, { description: "Amount, in the subscription coin" })
  readonly amount!: string;

  @Field(() => DateTime, { description: "When it happened (the exchange's `ts`)" })
  readonly createdTime!: number;

  @EnumField(() => SharkFinRecordType, "What the record is about")
  readonly type!: SharkFinRecordType;
}

export const SharkFinRecordConnection = connectionOf(SharkFinRecord);
export type SharkFinRecordConnection = ConnectionOf<SharkFinRecord>;

@RecordType("An account's shark-fin products: what it holds, and what moved")
export class SharkFin {}

@RecordType("The earn products of an account")
export class Earn {}

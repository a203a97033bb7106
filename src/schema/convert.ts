import { Field } from "type-graphql";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("A price for converting one coin into another. It is valid for 8 seconds and for one conversion")
export class ConvertQuote {
  @Field(() => String, { description: "Coin to give" })
  readonly fromCoin!: string;

  @Field(() => Decimal, { description: "Amount to give, in that coin (`fromCoinSize`)" })
  readonly fromAmount!: string;

  @Field(() => String, { description: "Coin to receive" })
  readonly toCoin!: string;

  @Field(() => Decimal, { description: "Amount to receive, in that coin (`toCoinSize`)" })
  readonly toAmount!: string;

  @Field(() => Decimal, { description: "Price of the conversion: what one unit of the coin given buys (`cnvtPrice`)" })
  readonly price!: string;

  @Field(() => Decimal, { nullable: true, description: "Fee of the conversion; null where the exchange names none" })
  readonly fee!: string | null;

  @Field(() => String, { description: "Identifier of the quotation: `traceId` of the conversion" })
  readonly traceId!: string;

  @Field(() => DateTime, {
    description:
      "When the quotation ends, by the exchange's clock: 8 seconds after it arrived. The exchange does not send this time, and counts from the moment of its quotation: the last instants may be refused",
  })
  readonly expireTime!: number;
}

@RecordType("A coin that can be converted, and how much of it")
export class ConvertCurrency {
  @Field(() => String, { description: "Coin, for example `USDT`" })
  readonly coin!: string;

  @Field(() => Decimal, { nullable: true, description: "What the account has of it; null where the exchange leaves it empty" })
  readonly available!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Least that can be converted at once, in the coin" })
  readonly minAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can be converted at once, in the coin" })
  readonly maxAmount!: string | null;
}

@RecordType("A conversion that took place")
class ConvertRecord {
  @Field(() => String, { description: "The exchange's identifier of the record (its `id`)" })
  readonly recordId!: string;

  @Field(() => String, { nullable: true, description: "Coin given" })
  readonly fromCoin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount given, in that coin (`fromCoinSize`)" })
  readonly fromAmount!: string | null;

  @Field(() => String, { nullable: true, description: "Coin received" })
  readonly toCoin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount received, in that coin (`toCoinSize`)" })
  readonly toAmount!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Price of the conversion: what one unit of the coin given bought (`cnvtPrice`)",
  })
  readonly price!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Fee of the conversion; null where the exchange names none" })
  readonly fee!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it took place (the exchange's `ts`)" })
  readonly createdTime!: number | null;
}

export const ConvertRecordConnection = connectionOf(ConvertRecord);
export type ConvertRecordConnection = ConnectionOf<ConvertRecord>;

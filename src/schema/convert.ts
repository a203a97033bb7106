import { Field } from "type-graphql";
import { RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("A price for converting one coin into another. It stands for 8 seconds, for one conversion")
export class ConvertQuote {
  @Field(() => String, { description: "Coin to give" })
  readonly fromCoin!: string;

  @Field(() => Decimal, { description: "Amount to give, in that coin" })
  readonly fromCoinSize!: string;

  @Field(() => String, { description: "Coin to receive" })
  readonly toCoin!: string;

  @Field(() => Decimal, { description: "Amount to receive, in that coin" })
  readonly toCoinSize!: string;

  @Field(() => Decimal, { description: "Price of the conversion: what one unit of the coin given buys" })
  readonly cnvtPrice!: string;

  @Field(() => Decimal, { nullable: true, description: "Fee of the conversion; null where the exchange names none" })
  readonly fee!: string | null;

  @Field(() => String, { description: "Identifier of the quotation, which a conversion has to name" })
  readonly traceId!: string;
}

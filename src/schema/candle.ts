import { Field } from "type-graphql";
import { RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("Prices and volume of one interval")
export class Candle {
  @Field(() => DateTime, { description: "Start of the interval" })
  readonly start!: number;

  @Field(() => Decimal, { nullable: true, description: "First price, in quote coin" })
  readonly open!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Highest price, in quote coin" })
  readonly high!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Lowest price, in quote coin" })
  readonly low!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Last price, in quote coin" })
  readonly close!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Traded quantity, in base coin" })
  readonly volume!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Traded value, in quote coin" })
  readonly turnover!: string | null;
}

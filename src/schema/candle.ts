import { Field } from "type-graphql";
import { RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("Prices and volume of one interval")
export class Candle {
  @Field(() => DateTime, { description: "Start of the interval" })
  readonly start!: number;

  @Field(() => Decimal, { description: "First price, in quote coin" })
  readonly open!: string;

  @Field(() => Decimal, { description: "Highest price, in quote coin" })
  readonly high!: string;

  @Field(() => Decimal, { description: "Lowest price, in quote coin" })
  readonly low!: string;

  @Field(() => Decimal, { description: "Last price, in quote coin" })
  readonly close!: string;

  @Field(() => Decimal, { description: "Traded quantity, in base coin" })
  readonly volume!: string;

  @Field(() => Decimal, { description: "Traded value, in quote coin" })
  readonly turnover!: string;
}

import { Field } from "type-graphql";
import { RecordType } from "./record.js";
import { DateTime } from "./scalars.js";

@RecordType("A halt of trading: only what reduces risk is sent")
export class TradingHalt {
  @Field(() => String, {
    nullable: true,
    description:
      "The halted account's name in this gateway; null: all accounts. Two accounts of one user of the exchange are halted together",
  })
  readonly account!: string | null;

  @Field(() => DateTime, { description: "Since when, by the exchange's clock" })
  readonly since!: number;

  @Field(() => String, { nullable: true, description: "The name of the client who ordered it; null for one without a name" })
  readonly by!: string | null;

  @Field(() => String, { nullable: true, description: "Why, as that client said; null if nothing was said" })
  readonly reason!: string | null;
}

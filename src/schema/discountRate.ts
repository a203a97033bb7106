import { Field, Int } from "type-graphql";
import { Cost } from "./cost.js";
import { rowsOf, TIERS } from "./listLengths.js";
import { RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("How much of a coin's value counts as collateral within one range of amounts")
class DiscountTier {
  @Field(() => Int, { description: "Number of the tier, from 1" })
  readonly tier!: number;

  @Field(() => Decimal, { nullable: true, description: "Amount at which the tier begins, in the coin" })
  readonly minAmount!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Amount at which the tier ends, in the coin; null for the top tier, which has no end (the exchange writes -1)",
  })
  readonly maxAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Share of the value that counts, as a fraction: 0.95 is 95 %" })
  readonly discountRate!: string | null;
}

@RecordType("How much of a coin counts as collateral, tier by tier", { lasting: true })
export class DiscountRate {
  @Field(() => String, { description: "Collateral coin, for example `BTC`" })
  readonly coin!: string;

  @Field(() => Decimal, { nullable: true, description: "Most that counts for one user, in the coin" })
  readonly userLimit!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that counts on the whole platform, in the coin" })
  readonly totalLimit!: string | null;

  @Cost({ rows: (_asked, place) => rowsOf(place, "discountTiers", TIERS) })
  @Field(() => [DiscountTier], { nullable: "items", description: "The tiers, from the smallest amount up (`discountRateList`)" })
  readonly tiers!: readonly (DiscountTier | Error)[];
}

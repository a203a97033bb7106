import { Field, Int } from "type-graphql";
import { RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("A settlement of funding of a perpetual contract", { lasting: true })
export class FundingSettlement {
  @Field(() => Decimal, {
    nullable: true,
    description: "Rate that was settled, as a fraction: positive where longs paid shorts (`fundingRate`)",
  })
  readonly fundingRate!: string | null;

  @Field(() => DateTime, { description: "When it was settled (`fundingRateTimestamp`)" })
  readonly time!: number;
}

@RecordType("Leverage and maintenance margin of a futures contract within one range of position values", { lasting: true })
export class PositionTier {
  @Field(() => Int, { description: "Number of the tier, from 1" })
  readonly tier!: number;

  @Field(() => Decimal, {
    nullable: true,
    description: "Position value from which the tier starts, in quote coin (`minTierValue`)",
  })
  readonly minValue!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Position value at which the tier ends, in quote coin (`maxTierValue`)" })
  readonly maxValue!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Highest leverage in the tier" })
  readonly leverage!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Maintenance margin rate in the tier, as a fraction (`mmr`)" })
  readonly maintenanceMarginRate!: string | null;
}

import { discountRate, discountTier } from "@exchange-graph/contract/market";
import { Field } from "type-graphql";
import { Cost } from "./cost.js";
import { rowsOf, TIERS } from "./listLengths.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("How much of a coin's value counts as collateral within one range of amounts")
class DiscountTier extends recordOf(discountTier) {}

@RecordType("How much of a coin counts as collateral, tier by tier", { lasting: true })
export class DiscountRate extends recordOf(discountRate, { without: ["tiers"] }) {
  @Cost({ rows: (_asked, place) => rowsOf(place, "discountTiers", TIERS) })
  @Field(() => [DiscountTier], { nullable: "items", description: "The tiers, from the smallest amount up (`discountRateList`)" })
  readonly tiers!: readonly (DiscountTier | Error)[];
}

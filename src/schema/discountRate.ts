import { discountRate, discountTier } from "@exchange-graph/contract/market";
import { partialListOf } from "./fields.js";
import { rowsOf, TIERS } from "./listLengths.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("Share of a coin's value that counts as collateral within one range of amounts")
class DiscountTier extends recordOf(discountTier) {}

@RecordType("Shares of a coin's value that count as collateral, by tier", { lasting: true })
export class DiscountRate extends extended(recordOf(discountRate, { without: ["tiers"] }), {
  tiers: partialListOf(DiscountTier, (_args, place) => rowsOf(place, "discountTiers", TIERS))(
    "The tiers, from the smallest amount up (`discountRateList`)",
  ),
}) {}

import { fundingSettlement, openInterest, positionTier } from "@exchange-graph/contract/funding";
import { FuturesCategory } from "./enums/category.js";
import { of } from "./fields.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("A settlement of funding of a perpetual contract", { lasting: true })
export class FundingSettlement extends recordOf(fundingSettlement) {}

@RecordType("Open positions of all users in a futures contract")
export class OpenInterest extends extended(recordOf(openInterest), {
  category: of(FuturesCategory)("Futures category, by the coin of the margin"),
}) {}

@RecordType("Leverage and maintenance margin of a futures contract within one range of position values", { lasting: true })
export class PositionTier extends recordOf(positionTier) {}

import { fundingSettlement, openInterest, positionTier } from "@exchange-graph/contract/funding";
import { RecordType, recordOf } from "./record.js";

@RecordType("A settlement of funding of a perpetual contract", { lasting: true })
export class FundingSettlement extends recordOf(fundingSettlement) {}

@RecordType("Open positions of all users in a futures contract")
export class OpenInterest extends recordOf(openInterest) {}

@RecordType("Leverage and maintenance margin of a futures contract within one range of position values", { lasting: true })
export class PositionTier extends recordOf(positionTier) {}

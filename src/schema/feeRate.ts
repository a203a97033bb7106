import { feeRate } from "@exchange-graph/contract/feeRate";
import { RecordType, recordOf } from "./record.js";

@RecordType("Trading fees of an account in one symbol. They follow its level and can differ from those of the instrument")
export class AccountFeeRate extends recordOf(feeRate) {}

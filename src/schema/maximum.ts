import { maxTransfer, maxWithdrawalRecord } from "@exchange-graph/contract/maximum";
import { RecordType, recordOf } from "./record.js";

@RecordType("How much of a coin can be transferred out: what positions, orders and debts do not need")
export class MaxTransfer extends recordOf(maxTransfer) {}

@RecordType("How much of a coin can be withdrawn, by the account that it would leave")
export class MaxWithdrawal extends recordOf(maxWithdrawalRecord) {}

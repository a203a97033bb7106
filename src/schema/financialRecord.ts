import { financialRecord } from "@exchange-graph/contract/financialRecord";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { of } from "./fields.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType(
  "One change of the balance of a coin, with its cause. The balance of a coin is the sum of its records: of `amount`, less `fee`",
  { implements: Node },
)
export class FinancialRecord extends extended(recordOf(financialRecord), {
  account: of(Account)("The account whose balance changed"),
}) {}

export const FinancialRecordConnection = connectionOf(FinancialRecord);
export type FinancialRecordConnection = ConnectionOf<FinancialRecord>;

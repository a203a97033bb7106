import { transfer } from "@exchange-graph/contract/transfer";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { of } from "./fields.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("A transfer between wallets: of one account, or of a master account and a sub-account", { implements: Node })
export class Transfer extends extended(recordOf(transfer), {
  account: of(Account)("The account whose list it is in"),
}) {}

export const TransferConnection = connectionOf(Transfer);
export type TransferConnection = ConnectionOf<Transfer>;

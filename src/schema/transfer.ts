import { transfer } from "@exchange-graph/contract/transfer";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("A transfer between wallets: of one account, or of a master account and a sub-account")
export class Transfer extends recordOf(transfer) {}

export const TransferConnection = connectionOf(Transfer);
export type TransferConnection = ConnectionOf<Transfer>;

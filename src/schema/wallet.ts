import { deposit, withdrawal } from "@exchange-graph/contract/wallet";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { integer, of } from "./fields.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("A deposit into an account, from a chain or from another user of the exchange", { implements: Node })
export class Deposit extends extended(recordOf(deposit), { account: of(Account)("The account that received it") }) {}

export const DepositConnection = connectionOf(Deposit);
export type DepositConnection = ConnectionOf<Deposit>;

@RecordType("A withdrawal from an account, to a chain or to another user of the exchange", { implements: Node })
export class Withdrawal extends extended(recordOf(withdrawal, { without: ["userId", "confirm"] }), {
  confirmations: integer.orNull("Confirmations on the chain so far (the exchange's `confirm`)"),
  account: of(Account)("The account that it left"),
}) {}

export const WithdrawalConnection = connectionOf(Withdrawal);
export type WithdrawalConnection = ConnectionOf<Withdrawal>;

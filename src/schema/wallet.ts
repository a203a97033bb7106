import { convertCurrency, pastConversion, quotation } from "@exchange-graph/contract/convert";
import { financialRecord } from "@exchange-graph/contract/financialRecord";
import { transfer } from "@exchange-graph/contract/transfer";
import { deposit, withdrawal } from "@exchange-graph/contract/wallet";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { integer, of, text, time } from "./fields.js";
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

@RecordType("A transfer between wallets: of one account, or of a master account and a sub-account", { implements: Node })
export class Transfer extends extended(recordOf(transfer), {
  account: of(Account)("The account whose list it is in"),
}) {}

export const TransferConnection = connectionOf(Transfer);
export type TransferConnection = ConnectionOf<Transfer>;

@RecordType("A price for converting one coin into another. It is valid for 8 seconds and for one conversion")
export class ConvertQuote extends extended(recordOf(quotation), {
  expireTime: time(
    "When the quotation ends, by the exchange's clock: 8 seconds after it arrived. The exchange does not send this time and counts from when it made the quotation, so it may refuse slightly earlier",
  ),
}) {}

@RecordType("A coin that can be converted, with its balance and limits", { implements: Node })
export class ConvertCurrency extends extended(recordOf(convertCurrency), {
  account: of(Account)("The account that has the balance"),
}) {}

@RecordType("A completed conversion", { implements: Node })
export class ConvertRecord extends extended(recordOf(pastConversion, { without: ["id"] }), {
  account: of(Account)("The account that converted"),
  recordId: text("The exchange's identifier of the record (its `id`)"),
}) {}

export const ConvertRecordConnection = connectionOf(ConvertRecord);
export type ConvertRecordConnection = ConnectionOf<ConvertRecord>;

@RecordType(
  "One change of the balance of a coin, with its cause. The balance of a coin is the sum of its records: of `amount`, less `fee`",
  { implements: Node },
)
export class FinancialRecord extends extended(recordOf(financialRecord), {
  account: of(Account)("The account whose balance changed"),
}) {}

export const FinancialRecordConnection = connectionOf(FinancialRecord);
export type FinancialRecordConnection = ConnectionOf<FinancialRecord>;

import { convertCurrency, pastConversion, quotation } from "@exchange-graph/contract/convert";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { of, text, time } from "./fields.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

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

import { text, time } from "./fields.js";
import { fieldsOf, RecordType } from "./record.js";

@RecordType("A halt of trading: only writes that reduce risk are sent")
export class TradingHalt extends fieldsOf({
  account: text.orNull(
    "The halted account's name in this gateway; null: all accounts. Two accounts of one user of the exchange are halted together",
  ),
  startTime: time("When it began, by the exchange's clock"),
  by: text.orNull("Name of the client that ordered it; null for a client without a name"),
  reason: text.orNull("Reason that the client gave; null if none"),
}) {}

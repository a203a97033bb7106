import { ProductCategory } from "./enums/category.js";
import { CoinPool, DifferenceKind, UncheckedReason } from "./enums/history.js";
import { decimal, integer, listOf, of, text, time } from "./fields.js";
import { fieldsOf, RecordType } from "./record.js";

/** Maximum number of differences of a day that are kept. */
const DIFFERENCES = 100;

@RecordType("A part of a reconciled day")
export class ReconciledPart extends fieldsOf({
  checked: integer("Number of coins, executions or writes that were compared"),
  reason: of(UncheckedReason).orNull("Why it was not compared; null if it was"),
}) {}

@RecordType("Something of a day that does not agree with the exchange. What it is not about is null")
export class ReconciliationDifference extends fieldsOf({
  kind: of(DifferenceKind)("What it is"),
  time: time.orNull("When it happened; null for a balance"),
  pool: of(CoinPool).orNull("The purse of the coin"),
  coin: text.orNull("Coin, for example `USDT`"),
  category: of(ProductCategory).orNull("Product category"),
  symbol: text.orNull("Symbol, for example `BTCUSDT`"),
  orderId: text.orNull("The exchange's identifier of the order"),
  clientOid: text.orNull("The client's own identifier of the order"),
  key: text.orNull("Idempotency key of the write, as in the journal"),
  expected: decimal.orNull("What it would be if all agreed; see `kind`"),
  found: decimal.orNull("What it is; see `kind`"),
}) {}

@RecordType(
  "A day (UTC) of an account that the gateway has compared with the exchange, once it was over: its journal, its recorded balances, and the exchange's orders, executions and financial records",
)
export class ReconciledDay extends fieldsOf({
  startTime: time("Start of the day"),
  endTime: time("End of the day"),
  checkedTime: time("When it was compared"),
  balances: of(ReconciledPart)("Changes of balances between the last samples of this day and of the one before, by coin"),
  fills: of(ReconciledPart)("Executions of the day and the orders that they belong to"),
  journal: of(ReconciledPart)("Writes of the day and the orders of the exchange"),
  differenceCount: integer("Number of differences"),
  differences: listOf(ReconciliationDifference, DIFFERENCES)(`The differences: ${DIFFERENCES} of them at most`),
}) {}

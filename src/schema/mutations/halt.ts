import { FuturesCategory } from "../enums/category.js";
import { PlanType } from "../enums/plan.js";
import { flag, integer, listOf, of, text, word } from "../fields.js";
import { TradingHalt } from "../halt.js";
import { halts } from "../listLengths.js";
import { extended, fieldsOf, Input, RecordType } from "../record.js";
import { WritePayload } from "./write.js";

@Input("A halt of trading, for one account or for all. Set either `account` or `allAccounts: true`")
export class HaltTradingInput extends fieldsOf({
  account: text.optional("Name of the account in this gateway"),
  allAccounts: flag.optional("Halt every account; needs the scope for all accounts. Default: false"),
  reason: text.optional("Reason, shown in the errors of refused writes: at most 200 printable characters"),
  cancelOpen: flag.optional(
    "Also end everything that can add risk: cancel every open order, including those being sent, and every trigger order. Take-profits, stop-losses and trailing stops of existing positions stay: `kept` lists them. Default: false",
  ),
}) {}

@Input("The end of a halt, of one account or of all. Set either `account` or `allAccounts: true`")
export class ResumeTradingInput extends fieldsOf({
  account: text.optional("Name of the account in this gateway: ends its own halt"),
  allAccounts: flag.optional("End the halt of all accounts; accounts that are halted by name stay halted. Default: false"),
}) {}

@RecordType("An order that may still be open")
class CancelFailure extends fieldsOf({
  accountName: text("The account's name in this gateway"),
  orderId: text.orNull("The exchange's identifier; null where a list of orders could not be read"),
  symbol: text.orNull("Its symbol; null where it could not be read"),
  message: text("Reason why it was not cancelled"),
}) {}

@RecordType("A trigger order that a halt has kept, because it can only reduce a position")
class KeptOrder extends fieldsOf({
  accountName: text("The account's name in this gateway"),
  category: of(FuturesCategory)("Futures category"),
  orderId: text("The exchange's identifier"),
  symbol: text("Its symbol"),
  planType: word(PlanType).orNull("Kind of trigger order"),
}) {}

@RecordType("Trading that was halted", { implements: WritePayload })
export class HaltTradingPayload extends extended(WritePayload, {
  halts: listOf(TradingHalt, halts)("Halts now in force, of the accounts for which the scope is granted"),
  isDurable: flag("Whether the halt survives a restart. False if it could not be stored; then it ends with the process"),
  cancelled: integer.orNull(
    "Orders and trigger orders that were cancelled, or had ended by themselves; null unless `cancelOpen`",
  ),
  kept: listOf(
    KeptOrder,
    500,
  )("Trigger orders that were kept, because they can only reduce a position; empty unless `cancelOpen`"),
  cancelFailures: listOf(
    CancelFailure,
    500,
  )("Orders that may still be open, and lists of orders that could not be read; empty unless `cancelOpen`"),
}) {}

@RecordType("Trading that was resumed", { implements: WritePayload })
export class ResumeTradingPayload extends extended(WritePayload, {
  halts: listOf(TradingHalt, halts)("Halts still in force, of the accounts for which the scope is granted"),
  isDurable: flag("Whether the end survives a restart. False if it could not be stored; then the halt returns after a restart"),
}) {}

import { WriteOutcome } from "../enums/write.js";
import { flag, json, listOf, of, text, texts } from "../fields.js";
import { fieldsOf, Interface, RecordType } from "../record.js";
import { JournalEntry } from "./journal.js";

/** Fields that every input has in addition to its own. */
export const WriteInput = fieldsOf({
  account: text.optional(
    "Name of the account in this gateway. Required if the client sees more than one; with one it is that one",
  ),
  idempotencyKey: text.optional(
    "Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write",
  ),
  dryRun: flag.optional(
    "Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked",
  ),
});
export type WriteInput = InstanceType<typeof WriteInput>;

@RecordType("Code and text of the exchange's answer")
class ExchangeWords extends fieldsOf({
  code: text("Error code, for example `43012`. The interfaces v2 and v3 have different tables of codes"),
  msg: text("Its text"),
}) {}

@RecordType("An error of a write")
export class UserError extends fieldsOf({
  message: text("What is wrong and, for a broken rule, which values are allowed"),
  field: texts.orNull('Path of the input field, for example `["takeProfit", "triggerPrice"]`; null if no field is the cause'),
  exchange: of(ExchangeWords).orNull("The exchange's own code and text; null if it did not answer"),
  isRetryable: flag("Whether the same write may succeed later, sent again with a new key"),
}) {}

@RecordType("The request that a dry run would have sent, without signature and keys")
class RequestPreview extends fieldsOf({
  method: text("HTTP method"),
  path: text("Path at the exchange"),
  body: json("Body that would have been signed and sent"),
}) {}

@Interface("Payload of every mutation")
export class WritePayload extends fieldsOf({
  outcome: of(WriteOutcome).orNull("Outcome of the write; null for a dry run without errors"),
  userErrors: listOf(UserError, 20)("Errors of the write; empty if it was accepted"),
  request: of(RequestPreview).orNull("Request that a dry run would have sent; null otherwise"),
  isReplay: flag(
    "Whether this is the outcome of another call with the same key, earlier or at the same time; then this call sent nothing",
  ),
  isUnjournaled: flag(
    "Whether it was sent although the journal could not be written. This is possible only for a write that reduces risk: a cancel, a reduce-only close, a take-profit or stop-loss. Its key is forgotten at a restart",
  ),
  journalEntry: of(JournalEntry).orNull(
    "The write in the account's journal; null if nothing was sent, or it was sent without the journal",
  ),
}) {}

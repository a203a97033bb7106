import { type JournalEntry, WRITE_STATES, type WriteCharge, type WriteProblem } from "./journalEntry.js";
import { anything, columns, flag, integer, json, oneOf, orAbsent, orNull, type Read, record, text } from "./rowDecoding.js";

const charge: Read<WriteCharge> = (value, at) => {
  const of = columns(value, at);
  return {
    coin: of("coin", text),
    qty: of("qty", text),
    value: of("value", orNull(text)),
    stays: of("stays", flag),
    isNew: of("isNew", flag),
  };
};

const exchange: Read<{ readonly code: string; readonly msg: string }> = (value, at) => {
  const of = columns(value, at);
  return { code: of("code", text), msg: of("msg", text) };
};

const problem: Read<WriteProblem> = (value, at) => {
  const of = columns(value, at);
  return {
    code: of("code", text),
    message: of("message", text),
    retryable: of("retryable", flag),
    exchange: of("exchange", orAbsent(exchange)),
    field: of("field", orAbsent(text)),
  };
};

/** Decodes an entry from a row of a database, with JSON as text. Throws `UnreadableRow`. */
export function storedEntry(row: unknown): JournalEntry {
  const of = columns(row);
  return {
    seq: of("seq", integer),
    user: of("user", text),
    account: of("account", text),
    who: of("who", orNull(text)),
    mutation: of("mutation", text),
    endpoint: of("endpoint", text),
    key: of("key", text),
    digest: of("digest", text),
    clientOid: of("clientOid", orNull(text)),
    values: of("values", json(record)),
    charge: of("charge", orNull(json(charge))) ?? undefined,
    state: of("state", oneOf(WRITE_STATES)),
    reply: of("reply", orNull(json(anything))),
    problem: of("problem", orNull(json(problem))),
    sentAt: of("sentAt", integer),
    validUntil: of("validUntil", integer),
    settledAt: of("settledAt", orNull(integer)),
    traceparent: of("traceparent", orNull(text)),
  };
}

import type { JournalEntry } from "../../datasources/writes/journal/entry.js";
import type { Logger } from "./log.js";

/** Writes down what an operator should know of writes: what was lost on the way, and what went wrong with the journal. */
export class WriteLog {
  constructor(private readonly log: Logger) {}

  ended(entry: JournalEntry): void {
    const line = { ...nameOf(entry), state: entry.state, code: entry.problem?.code };
    if (entry.state === "UNKNOWN") this.log.warn(line, "the answer to a write was lost, it stays open");
    else this.log.debug(line, "a write has ended");
  }

  unexpected(entry: JournalEntry, error: unknown): void {
    this.log.error({ ...nameOf(entry), err: error }, "unexpected error around a write");
  }

  haltNotStored(error: unknown): void {
    this.log.error({ err: error }, "a halt of trading, or its end, could not be stored: it holds until this process ends");
  }

  tornTail(bytes: number): void {
    this.log.warn({ bytes }, "the journal of writes ended in the middle of an entry, which is lost");
  }
}

const nameOf = ({ seq, account, mutation, endpoint, clientOid }: JournalEntry) => ({
  write: seq,
  account,
  mutation,
  endpoint,
  clientOid,
});

import type { JournalEntry } from "../../datasources/writes/journal/entry.js";
import type { JournalObserver } from "../../datasources/writes/journal/writeJournal.js";
import type { WriteObserver } from "../../datasources/writes/outcomeRecorder.js";
import type { HaltObserver } from "../../datasources/writes/writes.js";
import type { Logger } from "./log.js";

/** Writes down what an operator should know of writes: what was lost on the way, and what went wrong with the journal. */
export class WriteLog implements WriteObserver, JournalObserver, HaltObserver {
  constructor(
    private readonly log: Logger,
    /** May what only takes risk away leave when the journal cannot be written? */
    private readonly cancelWithoutJournal: boolean,
  ) {}

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

  unavailable(why: string | undefined): void {
    if (why === undefined) this.log.info("the journal of writes can be written again");
    else {
      const sent = this.cancelWithoutJournal ? "nothing but what takes risk away is sent" : "nothing is sent";
      this.log.error({ why }, `the journal of writes cannot be written: ${sent}`);
    }
  }

  logGone(lost: boolean): void {
    if (lost)
      this.log.error("the log beside the journal of writes has gone, and with it the last writes: their keys are unknown");
    else this.log.error("the log beside the journal of writes was removed; nothing is lost, the journal has a new one");
  }

  tookOver(entries: number): void {
    this.log.warn({ entries }, "writes that a process has left open are taken over and looked up");
  }

  failed(error: unknown): void {
    this.log.error({ err: error }, "unexpected error in the journal of writes");
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

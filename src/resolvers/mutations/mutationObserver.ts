import type { WriteAuthor } from "../../datasources/writes/write.js";

/** A mutation that has ended, whatever became of it. */
export interface EndedMutation {
  readonly mutation: string;
  /** The account by its name here, or by what the client took for one; null when it was left out and there is none. */
  readonly account: string | null;
  /** What it was about: those of its arguments that identify that. */
  readonly subject: Readonly<Record<string, string>>;
  /** `REHEARSED`: a dry run that nothing stands against. `FAILED`: an error; if anything was sent, the journal has it. */
  readonly outcome: "ACCEPTED" | "REJECTED" | "UNKNOWN" | "REHEARSED" | "FAILED";
  /** What stands against it, in codes of the error registry. */
  readonly codes: readonly string[];
  /** Its number in the journal, which has all the rest; null when nothing has left. */
  readonly write: string | null;
  /** Did it leave although the journal could not be written? */
  readonly withoutJournal: boolean;
  readonly upstreamCalls: number;
}

/** Listens to the mutations of one operation, and says in whose name it writes. */
export interface MutationObserver extends WriteAuthor {
  ended(mutation: EndedMutation): void;
}

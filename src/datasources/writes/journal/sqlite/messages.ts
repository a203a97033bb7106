import type { NewEntry } from "../journalEntry.js";
import type { JournalState, WriteJournal } from "../writeJournal.js";

/** Data for the journal's thread at its start. */
export interface ThreadData {
  readonly path: string;
  readonly realm: string;
}

/** What the thread does for the journal. It numbers a new entry. */
export type JournalCalls = Omit<WriteJournal, "state" | "ended" | "record"> & { record(entry: NewEntry): Promise<number> };

export type ResultOf<M extends keyof JournalCalls> = Awaited<ReturnType<JournalCalls[M]>>;

/** Failure of a call. `unavailable`: it may be repeated. */
export interface CallFailure {
  readonly kind: "taken" | "unavailable" | "unexpected";
  readonly why: string;
}

/** State of the thread, sent with each answer and whenever it changes. */
export interface ThreadState extends JournalState {
  /** End of this process's lease on its entries, Unix ms. */
  readonly livesUntil: number;
}

/** A call to the thread, at `now` (Unix ms). */
export interface ThreadRequest {
  readonly id: number;
  readonly name: keyof JournalCalls;
  readonly args: readonly unknown[];
  readonly now: number;
}

/** A message of the thread: the answer to a call, or an event. */
export type ThreadMessage = { readonly state: ThreadState } & (
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: CallFailure }
  | { readonly kind: "state" }
  | { readonly kind: "torn tail"; readonly bytes: number }
  | { readonly kind: "log gone" }
  | { readonly kind: "copied"; readonly copy: string }
  | { readonly kind: "error"; readonly error: Error }
);

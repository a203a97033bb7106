import type { JournalEntry, NewEntry, WriteMoment } from "../journalEntry.js";
import type { Claim } from "../writeJournal.js";

/** Data for the journal's thread at its start. */
export interface ThreadData {
  readonly path: string;
  readonly realm: string;
}

/** Calls to the thread. `now`: Unix ms. */
export type Call = { readonly now: number } & (
  | { readonly name: "ready" | "probe" | "open" | "claim" | "close" }
  | { readonly name: "record"; readonly entry: NewEntry }
  | { readonly name: "settle"; readonly entry: JournalEntry }
  | { readonly name: "userOf"; readonly key: string }
  | { readonly name: "remember"; readonly key: string; readonly user: string }
  | { readonly name: "hold"; readonly right: string; readonly forMs: number }
  | { readonly name: "giveUp"; readonly right: string }
  | { readonly name: "find"; readonly user: string; readonly key: string }
  | { readonly name: "around"; readonly entry: WriteMoment; readonly withinMs: number }
  | { readonly name: "since"; readonly entry: JournalEntry }
  | { readonly name: "charged"; readonly from: number }
  | { readonly name: "page"; readonly user: string; readonly before: number | undefined; readonly limit: number }
  | { readonly name: "prune"; readonly before: number }
);

/** Result of a call: entries, the number of a new one, the user of a key, or the result of a claim. */
export interface ThreadResult {
  readonly entries?: readonly JournalEntry[];
  readonly seq?: number;
  readonly user?: string | undefined;
  readonly claim?: Claim;
  readonly heldForMs?: number;
}

/** Failure of a call. `unavailable`: it may be repeated. */
export interface Failure {
  readonly kind: "taken" | "unavailable" | "unexpected";
  readonly why: string;
}

/** State of the thread, sent with each answer and whenever it changes. */
export interface ThreadState {
  readonly unavailable: string | undefined;
  readonly kept: number;
  readonly syncs: number;
  readonly hasLost: boolean;
  /** End of this process's lease on its entries, Unix ms. */
  readonly livesUntil: number;
}

/** A call to the thread. */
export interface ThreadRequest {
  readonly id: number;
  readonly call: Call;
}

/** A message of the thread: the answer to a call, or an event. */
export type ThreadMessage = { readonly state: ThreadState } & (
  | { readonly id: number; readonly result: ThreadResult }
  | { readonly id: number; readonly failure: Failure }
  | { readonly kind: "state" }
  | { readonly kind: "torn tail"; readonly bytes: number }
  | { readonly kind: "log gone" }
  | { readonly kind: "copied"; readonly copy: string }
  | { readonly kind: "error"; readonly error: Error }
);

import type { JournalEntry, NewEntry } from "../entry.js";
import type { Claim } from "../writeJournal.js";

/** What the thread that has the file is given at its start. */
export interface ThreadData {
  readonly path: string;
  readonly realm: string;
  /** What the realm was called when entries had no users. */
  readonly formerRealm: string;
}

/** What it is asked for. `now`: Unix ms. */
export type Call = { readonly now: number } & (
  | { readonly name: "ready" | "probe" | "open" | "claim" | "close" }
  | { readonly name: "record"; readonly entry: NewEntry }
  | { readonly name: "settle"; readonly entry: JournalEntry }
  | { readonly name: "userOf"; readonly key: string }
  | { readonly name: "remember"; readonly key: string; readonly user: string; readonly account: string }
  | { readonly name: "find"; readonly user: string; readonly key: string }
  | { readonly name: "around"; readonly entry: JournalEntry; readonly withinMs: number }
  | { readonly name: "since"; readonly entry: JournalEntry }
  | { readonly name: "charged"; readonly from: number }
  | { readonly name: "page"; readonly user: string; readonly before: number | undefined; readonly limit: number }
  | { readonly name: "prune"; readonly before: number }
);

/** What a call gives: entries where it is about entries, the number of a new one, whose a key is, what a claim has found. */
export interface Result {
  readonly entries?: readonly JournalEntry[];
  readonly seq?: number;
  readonly user?: string | undefined;
  readonly claim?: Claim;
}

/** Why a call gives nothing. `unavailable`: it may be made again. */
export interface Failure {
  readonly kind: "taken" | "unavailable" | "unexpected";
  readonly why: string;
}

/** How things are in the thread, said with each answer and whenever it changes. */
export interface ThreadState {
  readonly unavailable: string | undefined;
  readonly kept: number;
  readonly syncs: number;
  /** Until when this process is the owner of what it has recorded, Unix ms. */
  readonly livesUntil: number;
}

/** A call on its way into the thread. */
export interface Asked {
  readonly id: number;
  readonly call: Call;
}

/** What comes out of the thread: the answer to a call, or news. */
export type Said = { readonly state: ThreadState } & (
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly failure: Failure }
  | { readonly news: "state" }
  | { readonly news: "torn tail"; readonly bytes: number }
  | { readonly news: "log gone"; readonly lost: boolean }
  | { readonly news: "error"; readonly error: Error }
);

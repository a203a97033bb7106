import { DAY_MS } from "@exchange-graph/contract/clock";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import { Fault } from "../../fault.js";
import type { KeyRegister } from "../../identity/users.js";
import type { JournalEntry, NewEntry } from "./entry.js";

/**
 * What was sent, and what became of it: noted durably before a request leaves. Several processes may share one journal;
 * each is an owner of the entries that it has recorded.
 *
 * An owner keeps its entries by a lease that each `claim` renews. Whoever claims takes over the unsettled entries of owners
 * whose lease has run out, or that have closed. What was taken over is no longer the former owner's to settle, nor to send.
 *
 * Every method rejects with the fault `JOURNAL_UNAVAILABLE` while the journal cannot be used. No method makes the event loop
 * wait.
 */
export interface WriteJournal extends KeyRegister {
  /** What an operator should know of it now. */
  readonly state: JournalState;
  /** Resolves once the journal can be used. Rejects with an `Error` that names the place when it cannot. */
  ready(): Promise<void>;
  /** Resolves when a new entry would be taken. */
  probe(): Promise<void>;
  /**
   * Notes an entry; resolves when it is durable and this process is still its owner. Rejects when not, and then nothing may
   * be sent: with `KeyTaken` when there is an entry of this key that has left, with `DayLimitBroken` when all that share the
   * journal have used too much of one of these limits for it.
   */
  record(entry: NewEntry, limits?: readonly DayLimit[]): Promise<JournalEntry>;
  /**
   * Notes what became of an entry of this owner's; one that has ended, or that another owner has taken over, stays as it is.
   * While the journal cannot be written the note is kept, shown by every read, and written as soon as that is possible.
   * Resolves when it is noted or kept. Should the machine stop before it is durable, the entry is unsettled again, and is
   * settled to the same end. Never rejects.
   */
  settle(entry: JournalEntry): Promise<void>;
  /** The write that this key stands for, if one has left. */
  find(user: string, key: string): Promise<JournalEntry | undefined>;
  /**
   * Waits, at most so long, until an entry has ended that another owner settles. Gives it as it then stands; `undefined` when it
   * is still open.
   */
  ended(entry: JournalEntry, withinMs: number): Promise<JournalEntry | undefined>;
  /** Every write whose end is not known, whoever owns it, the oldest first. */
  open(): Promise<readonly JournalEntry[]>;
  /** Renews this owner's lease, and takes over what owners that have gone left unsettled. */
  claim(): Promise<Claim>;
  /** Other writes of the same user to the same endpoint, sent at most `withinMs` before or after this one. */
  around(entry: JournalEntry, withinMs: number): Promise<readonly JournalEntry[]>;
  /** Other writes of the same user to the same endpoint that may have taken effect after this one was sent. */
  since(entry: JournalEntry): Promise<readonly JournalEntry[]>;
  /** Every write that has used limits, sent at `from` or later, or whose end is not known; the oldest first. */
  charged(from: number): Promise<readonly JournalEntry[]>;
  /** A user's writes, the newest first: those before `before`, at most `limit`. */
  page(user: string, before: number | undefined, limit: number): Promise<readonly JournalEntry[]>;
  /** Forgets what is too old or too much. `now` is the exchange's time. */
  prune(now: number): Promise<void>;
  /** Gives its entries up to whoever claims them, and lets go of everything. */
  close(): Promise<void>;
}

/** How a journal is. */
export interface JournalState {
  /** Why it cannot be written at the moment; `undefined` when it can, as far as is known. */
  readonly unavailable: string | undefined;
  /** Ends of writes that are kept until it can be written again. */
  readonly kept: number;
  /** How often the disk was asked to keep what was written. */
  readonly syncs: number;
}

/** What a claim has found. */
export interface Claim {
  /** Unsettled entries that were taken over: from now on they are this owner's to settle. */
  readonly taken: readonly JournalEntry[];
  /**
   * Unsettled entries of others whose lease has not run out, reported on this owner's first claim and whenever it takes
   * something over: their owner lives, or has just died.
   */
  readonly held: readonly JournalEntry[];
}

/** How a failure of the journal that nobody foresaw is reported. */
export const JOURNAL_FAILURE = "unexpected error in the journal of writes";

/** How long an owner counts as living after it has last said so. */
export const LEASE_MS = 6_000;
/** How often an owner says that it lives. */
export const CLAIM_EVERY_MS = 2_000;

/** How long ended writes are remembered, and how many of them: until then a repeated key finds its first outcome. */
export const REMEMBERED_MS = 7 * DAY_MS;
export const REMEMBERED_ENTRIES = 100_000;
/** Unsettled entries go with the exchange's own memory of orders. */
export const OPEN_KEPT_MS = 90 * DAY_MS;
/** How many new entries come between two prunings. */
export const PRUNE_EVERY = 1_000;
/** More writes than this are never sent within the time that `around` and `since` are asked for. */
export const NEAR = 25_000;
/** With more ends than this to be written nothing new is recorded. */
export const MAX_KEPT = 10_000;

/** A limit of what may be ordered on a day. */
export interface DayLimit {
  readonly kind: "account" | "client";
  /** A coin in capitals; empty for the worth in USDT. */
  readonly unit: string;
  readonly most: DecimalText;
  /** Where it stands in the file of limits, and which field of an input it is about. */
  readonly path: string;
  readonly argument: string;
}

/** What was used on a day by all that share a journal, in coins and in USDT. */
export type DayFigures = (whose: DayFigure, coin: string) => { readonly qty: DecimalText; readonly value: DecimalText };

/** Whose use of limits is counted: a user of the exchange, or a client's principal. */
export interface DayFigure extends Pick<DayLimit, "kind"> {
  readonly whose: string;
}

/** An entry would break a limit of its day: nothing was noted. */
export class DayLimitBroken extends Error {
  override readonly name = "DayLimitBroken";

  constructor(
    readonly limit: DayLimit,
    /** What was used before it. */
    readonly used: DecimalText,
    /** What it would add. */
    readonly adds: DecimalText,
  ) {
    super("a limit of the day would be broken");
  }
}

/** There is an entry of this key: what it stands for has been sent, perhaps by another process that shares the journal. */
export class KeyTaken extends Error {
  override readonly name = "KeyTaken";
}

/** The journal cannot be used: nothing may be sent, and the same may be asked again. */
export const journalUnavailable = (why: string, cause?: unknown): Fault =>
  new Fault(
    "JOURNAL_UNAVAILABLE",
    `the journal of writes cannot be used (${why}); nothing was sent`,
    { retryAfterMs: 1_000 },
    { cause },
  );

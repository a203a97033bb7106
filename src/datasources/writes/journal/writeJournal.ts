import { DAY_MS } from "@exchange-graph/contract/clock";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import { Fault } from "../../errors/index.js";
import type { KeyRegister } from "../../reads/index.js";
import type { JournalEntry, NewEntry, WriteMoment } from "./journalEntry.js";

/**
 * Records writes and their outcomes durably before requests are sent. Several processes may share one journal; each owns the
 * entries that it has recorded.
 *
 * An owner keeps its entries by a lease that each `claim` renews. A claim also takes over open entries of owners whose lease has
 * expired, or that have closed. The former owner may then neither settle nor send them.
 *
 * Every method rejects with the fault `JOURNAL_UNAVAILABLE` while the journal cannot be used. No method blocks the event loop.
 */
export interface WriteJournal extends KeyRegister {
  readonly state: JournalState;
  /** Resolves once the journal can be used. Rejects with an `Error` that names the place if it cannot. */
  ready(): Promise<void>;
  /** Resolves if a new entry would be accepted. */
  probe(): Promise<void>;
  /**
   * Records an entry; resolves when it is durable and this process is still its owner. If it rejects, nothing may be sent: with
   * `KeyTaken` if a write with this key was sent, with `DayLimitBroken` if the entry would exceed one of these limits, counted
   * over all processes that share the journal.
   */
  record(entry: NewEntry, limits?: readonly DayLimit[]): Promise<JournalEntry>;
  /**
   * Records the outcome of one of this owner's entries; an entry that has an outcome, or belongs to another owner, is not changed.
   * While the journal cannot be written the outcome is kept, visible to every read, and written as soon as possible. Resolves when
   * it is written or kept. If the machine stops before it is durable, the entry is open again, and its outcome is looked up again.
   * Never rejects.
   */
  settle(entry: JournalEntry): Promise<void>;
  /** The sent write with this key, if any. */
  find(user: string, key: string): Promise<JournalEntry | undefined>;
  /**
   * Waits, at most this long, for an entry that another owner settles. Resolves to the entry; `undefined` if it is still open.
   */
  ended(entry: JournalEntry, withinMs: number): Promise<JournalEntry | undefined>;
  /** All writes without a known outcome, of any owner, oldest first. */
  open(): Promise<readonly JournalEntry[]>;
  /** Renews this owner's lease, and takes over open entries of owners that are gone. */
  claim(): Promise<Claim>;
  /**
   * Takes or renews, for this long (ms), a right that one of the owners has at a time. Returns for how much longer another one has
   * it: 0 if this one has it now.
   */
  hold(right: string, forMs: number): Promise<number>;
  /** Gives a right up that this owner may have, so that another one can take it at once. */
  giveUp(right: string): Promise<void>;
  /** Other writes of the same user to the same endpoint, sent at most `withinMs` before or after this moment. */
  around(entry: WriteMoment, withinMs: number): Promise<readonly JournalEntry[]>;
  /** Other writes of the same user to the same endpoint that may have taken effect after this one was sent. */
  since(entry: JournalEntry): Promise<readonly JournalEntry[]>;
  /** All writes that count against limits and were sent at `from` or later, or have no known outcome; oldest first. */
  charged(from: number): Promise<readonly JournalEntry[]>;
  /** A user's writes, newest first: those before `before`, at most `limit`. */
  page(user: string, before: number | undefined, limit: number): Promise<readonly JournalEntry[]>;
  /** Deletes entries beyond the bounds of age and number. `now` is the exchange's time. */
  prune(now: number): Promise<void>;
  /** Releases its entries, so that others can claim them, and closes everything. */
  close(): Promise<void>;
}

export interface JournalState {
  /** The reason why it cannot be written now; `undefined` if it can, as far as is known. */
  readonly unavailable: string | undefined;
  /** Outcomes that are kept until it can be written again. */
  readonly kept: number;
  readonly syncs: number;
  /** Whether entries are missing that it once had. Then it is unavailable for new ones until an operator accepts the loss. */
  readonly hasLost: boolean;
}

export interface Claim {
  /** Open entries that were taken over: this owner settles them from now on. */
  readonly taken: readonly JournalEntry[];
  /**
   * Open entries of others whose lease has not expired, reported on this owner's first claim and whenever it takes something
   * over: their owner runs, or has just ended.
   */
  readonly held: readonly JournalEntry[];
}

export const JOURNAL_FAILURE = "unexpected error in the journal of writes";

export const LEASE_MS = 6_000;
/** Interval at which an owner renews its lease. */
export const CLAIM_EVERY_MS = 2_000;

/** Time for which ended writes are kept, and their maximum number: until then a repeated key gets the first outcome. */
export const REMEMBERED_MS = 7 * DAY_MS;
export const REMEMBERED_ENTRIES = 100_000;
/** Open entries are kept as long as the exchange keeps orders. */
export const OPEN_KEPT_MS = 90 * DAY_MS;
/** Number of new entries between two prunings. */
export const PRUNE_EVERY = 1_000;
/** More than the number of writes within the times that `around` and `since` are called with. */
export const NEAR = 25_000;
/** Maximum number of kept outcomes; beyond it nothing new is recorded. */
export const MAX_KEPT = 10_000;

export interface DayLimit {
  readonly kind: "account" | "client";
  /** A coin in capitals; empty for the value in USDT. */
  readonly unit: string;
  readonly most: DecimalText;
  /** The day from whose begin on use counts, in days since 1970. Later days count too: only a clock that is ahead makes them. */
  readonly since: number;
  /** Its path in the file of limits, and the input field that it concerns. */
  readonly path: string;
  readonly argument: string;
}

/** Use on a day by all processes that share a journal, in coins and in USDT. */
export type DayUse = (whose: DayFigure, coin: string) => { readonly qty: DecimalText; readonly value: DecimalText };

/** The subject of a figure: a user of the exchange, or a client's principal. */
export interface DayFigure extends Pick<DayLimit, "kind"> {
  readonly whose: string;
}

/** An entry would exceed a limit of its day: nothing was recorded. */
export class DayLimitBroken extends Error {
  override readonly name = "DayLimitBroken";

  constructor(
    readonly limit: DayLimit,
    /** Use before the entry. */
    readonly used: DecimalText,
    /** Addition of the entry. */
    readonly adds: DecimalText,
  ) {
    super("a limit of the day would be exceeded");
  }
}

/** There is an entry with this key: its write was sent, perhaps by another process. */
export class KeyTaken extends Error {
  override readonly name = "KeyTaken";
}

/** The journal cannot be used: nothing may be sent, and the same call may be repeated. */
export const journalUnavailable = (why: string, cause?: unknown): Fault =>
  new Fault(
    "JOURNAL_UNAVAILABLE",
    `the journal of writes cannot be used (${why}); nothing was sent`,
    { retryAfterMs: 1_000 },
    { cause },
  );

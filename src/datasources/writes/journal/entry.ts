/**
 * How far a write has come. `SENT`: its request has left, or is about to. `UNKNOWN`: the answer was lost, and what became
 * of the write has not been proven yet. `UNSENT`: it never left. The other two are the exchange's own verdicts.
 */
export const WRITE_STATES = ["SENT", "ACCEPTED", "REJECTED", "UNKNOWN", "UNSENT"] as const;
export type WriteState = (typeof WRITE_STATES)[number];

/** Why a write was not accepted. */
export interface WriteProblem {
  /** A code of the error registry. */
  readonly code: string;
  /** A sentence. */
  readonly message: string;
  /** May another attempt fare better? */
  readonly retryable: boolean;
  /** What the exchange said, if it spoke. */
  readonly exchange?: { readonly code: string; readonly msg: string } | undefined;
  /** The field of the input that it is about, where it is about one. */
  readonly field?: string | undefined;
}

/** What a write uses of the limits of trading; amounts as decimal text. */
export interface WriteCharge {
  /** In capitals. */
  readonly coin: string;
  /** What it adds, in `coin`. */
  readonly qty: string;
  /** The same in USDT; null where no price was known. */
  readonly value: string | null;
  /** Can something of it stand open once it is accepted? */
  readonly stays: boolean;
  /** Does it make an order, which the list of open orders then shows? */
  readonly isNew: boolean;
}

/** A write before it has left. All times are the exchange's, in Unix ms. */
export interface NewEntry {
  /** The exchange's user that it was sent for: what a write is known by besides its key. */
  readonly user: string;
  /** What the user's account was called then. */
  readonly account: string;
  /** The principal's name; null where no clients are configured, and in entries of older versions. */
  readonly who: string | null;
  readonly mutation: string;
  /** The endpoint's name. */
  readonly endpoint: string;
  /** What makes a repetition of this write recognisable. */
  readonly key: string;
  /** A digest of the mutation and its input: equal keys with different digests are a mistake of the client's. */
  readonly digest: string;
  readonly clientOid: string | null;
  /** The endpoint's parameters. Signatures and keys are not among them. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What it uses of limits; absent where nothing is limited. */
  readonly charge?: WriteCharge | undefined;
  readonly sentAt: number;
  /** The last moment at which the exchange may still carry out a request that got lost on its way. */
  readonly validUntil: number;
  /** The trace context of its span (W3C); null where its operation is not recorded, or in entries of before this was kept. */
  readonly traceparent: string | null;
}

/** How a write ended, or that its end is not known. */
export interface Verdict {
  readonly state: Exclude<WriteState, "SENT">;
  /** What the exchange answered, decoded; `undefined` unless the write was accepted. */
  readonly reply?: unknown;
  readonly problem?: WriteProblem;
}

/** One line of the journal. */
export interface JournalEntry extends NewEntry {
  /** Grows with each write. */
  readonly seq: number;
  readonly state: WriteState;
  readonly reply: unknown;
  readonly problem: WriteProblem | null;
  /** When the state last changed; null while the request is under way. */
  readonly settledAt: number | null;
}

/** Can more become known of this write? */
export const isUnsettled = ({ state }: Pick<JournalEntry, "state">): boolean => state === "SENT" || state === "UNKNOWN";

/** Is the other one another write of the same user to the same endpoint? */
const isAlike = (entry: JournalEntry, other: JournalEntry): boolean =>
  other.seq !== entry.seq && other.user === entry.user && other.endpoint === entry.endpoint;

/** Was it another write of the same kind, sent at most `withinMs` before or after? */
export const isAround = (entry: JournalEntry, withinMs: number, other: JournalEntry): boolean =>
  isAlike(entry, other) && Math.abs(other.sentAt - entry.sentAt) <= withinMs;

/** Is it another write of the same kind that may have taken effect after this one was sent? */
export const mayFollow = (entry: JournalEntry, other: JournalEntry): boolean =>
  isAlike(entry, other) &&
  other.validUntil >= entry.sentAt &&
  (isUnsettled(other) ||
    (other.state === "ACCEPTED" && (other.seq > entry.seq || (other.settledAt !== null && other.settledAt > entry.sentAt))));

/**
 * State of a write. `SENT`: its request was sent, or is about to be. `UNKNOWN`: the answer was lost, and its outcome has not been
 * proven yet. `UNSENT`: it was never sent. The other two are the exchange's verdicts.
 */
export const WRITE_STATES = ["SENT", "ACCEPTED", "REJECTED", "UNKNOWN", "UNSENT"] as const;
export type WriteState = (typeof WRITE_STATES)[number];

/** The reason why a write was not accepted. */
export interface WriteProblem {
  /** A code of the error registry. */
  readonly code: string;
  readonly message: string;
  /** Whether another attempt may succeed. */
  readonly retryable: boolean;
  /** The exchange's code and text, if it answered. */
  readonly exchange?: { readonly code: string; readonly msg: string } | undefined;
  /** The input field that caused it, if any. */
  readonly field?: string | undefined;
}

/** Amounts by which a write counts against trading limits, as decimal text. */
export interface WriteCharge {
  /** In capitals. */
  readonly coin: string;
  /** Added quantity, in `coin`. */
  readonly qty: string;
  /** Its value in USDT; null without a price. */
  readonly value: string | null;
  /** Whether it can stay open after it was accepted. */
  readonly stays: boolean;
  /** Whether it creates an order that appears in the list of open orders. */
  readonly isNew: boolean;
}

/** A write before it is sent. All times are the exchange's, in Unix ms. */
export interface NewEntry {
  /** The exchange's user: identifies a write together with its key. */
  readonly user: string;
  /** Name of the account at that time. */
  readonly account: string;
  /** The principal's name; null without configured clients, and in entries of older versions. */
  readonly who: string | null;
  readonly mutation: string;
  readonly endpoint: string;
  readonly key: string;
  /** Digest of the mutation and its input: the same key with another digest is an error of the client. */
  readonly digest: string;
  readonly clientOid: string | null;
  /** The endpoint's parameters, without signatures and keys. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Its use of limits; undefined if nothing is limited. */
  readonly charge?: WriteCharge | undefined;
  readonly sentAt: number;
  /** Time until which the exchange may still execute a delayed request. */
  readonly validUntil: number;
  /** Trace context of its span (W3C); null if its operation is not recorded, or in entries from before it was stored. */
  readonly traceparent: string | null;
}

/** Outcome of a write, or that it is unknown. */
export interface Verdict {
  readonly state: Exclude<WriteState, "SENT">;
  /** The decoded reply; `undefined` unless the write was accepted. */
  readonly reply?: unknown;
  readonly problem?: WriteProblem;
}

export interface JournalEntry extends NewEntry {
  /** Increases with each write. */
  readonly seq: number;
  readonly state: WriteState;
  readonly reply: unknown;
  readonly problem: WriteProblem | null;
  /** When the state last changed; null until there is an answer. */
  readonly settledAt: number | null;
}

/** Whether the outcome of this write is still open. */
export const isUnsettled = ({ state }: Pick<JournalEntry, "state">): boolean => state === "SENT" || state === "UNKNOWN";

/** A write, or a moment without one (then it has no number), by user, endpoint and time. */
export type WriteMoment = Pick<JournalEntry, "user" | "endpoint" | "sentAt"> & { readonly seq: number | undefined };

/** Whether both are different writes of the same user to the same endpoint. */
const isAlike = (entry: WriteMoment, other: JournalEntry): boolean =>
  other.seq !== entry.seq && other.user === entry.user && other.endpoint === entry.endpoint;

/** Whether the other is a write of the same kind, sent at most `withinMs` before or after. */
export const isAround = (entry: WriteMoment, withinMs: number, other: JournalEntry): boolean =>
  isAlike(entry, other) && Math.abs(other.sentAt - entry.sentAt) <= withinMs;

/** Whether the other is a write of the same kind that may have taken effect after this one was sent. */
export const mayFollow = (entry: JournalEntry, other: JournalEntry): boolean =>
  isAlike(entry, other) &&
  other.validUntil >= entry.sentAt &&
  (isUnsettled(other) ||
    (other.state === "ACCEPTED" && (other.seq > entry.seq || (other.settledAt !== null && other.settledAt > entry.sentAt))));

/** Identity of a write among those of all users: its user and key. User identifiers contain no line breaks. */
export const addressOf = (user: string, key: string): string => `${user}\n${key}`;

/** The entry of a write that was recorded and is about to be sent. */
export const sent = (entry: NewEntry, seq: number): JournalEntry => ({
  ...entry,
  ...{ seq, state: "SENT", reply: null, problem: null, settledAt: null },
});

/** The entry of a write that was certainly not sent. */
export const unsent = (entry: NewEntry, seq: number): JournalEntry => ({
  ...sent(entry, seq),
  ...{ state: "UNSENT", settledAt: entry.sentAt },
});

/** An entry with the end that another copy of it has. */
export const withEnd = (entry: JournalEntry, { state, reply, problem, settledAt }: JournalEntry): JournalEntry => ({
  ...entry,
  ...{ state, reply, problem, settledAt },
});

/** A value as JSON, as databases keep it. */
export const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

import type { WireError } from "@exchange-graph/contract/wireError";
import type { OperationToken } from "./operationRecording.js";

/**
 * Outcome of a call. Sent: answered (`ok`), refused by the exchange (`refused`), refused for its rate (`throttled`), or without a
 * usable answer (`failed`). Not sent: no rate budget before the deadline (`limited`), circuit breaker open (`withheld`), or
 * cancelled because no client waits for it (`abandoned`).
 */
export const OUTCOMES = ["ok", "refused", "throttled", "failed", "limited", "withheld", "abandoned"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The end of a call to the exchange, whether it was sent or not. */
export interface UpstreamCall {
  readonly endpoint: string;
  readonly outcome: Outcome;
  /** In ms: the wait for rate budget, and from there to the answer. Undefined if the call was not sent. */
  readonly timing?: { readonly waitMs: number; readonly tookMs: number };
  /** The operation that it was made for, if any. */
  readonly operation?: OperationToken | undefined;
}

/** A statement of PostgreSQL, a transaction, or a script of Redis has ended. */
export interface StoreCall {
  readonly store: "postgresql" | "redis";
  /** Kind of statement, `TRANSACTION`, or the script's name. */
  readonly what: string;
  /** In ms, with fractions. */
  readonly tookMs: number;
  /** Name of the error; undefined if it succeeded. */
  readonly failure: string | undefined;
  /** Trace context (W3C) of the write that it records. */
  readonly traceparent?: string | null | undefined;
}

/** A write is in the journal and about to be sent. */
export interface WriteStart {
  readonly operation: OperationToken;
  readonly write: WriteProgress;
}

/** A stale answer stays in use, because its refresh failed. */
export interface RefreshFailure {
  readonly endpoint: string;
  readonly error: unknown;
}

/** A stream that was opened for frequent reads could not be opened or has ended; it is tried again later. */
export interface LiveFailure {
  /** Undefined for market data. */
  readonly account: string | undefined;
  readonly kind: string;
  readonly code: string;
}

/** A field of an answer or a push, or a value of one of its enums, that the contract does not have. */
export interface Unknown {
  /** The endpoint or the channel. */
  readonly source: string;
  readonly kind: "field" | "value";
  /** Path of the field, without list indexes. Of an unknown field the exchange chooses it. */
  readonly field: string;
  /** The exchange's text, of an unknown value. */
  readonly value?: string;
}

/** An answer, a push, a row of one, or a field that may be missing could not be decoded. */
export interface Unread {
  /** The endpoint or the channel. */
  readonly source: string;
  /** Names the field and the expected type, never a value. */
  readonly error: WireError;
}

/**
 * Evidence of another client on the same limit: the exchange counts more calls than were sent from here (`counted`), or refuses a
 * call although there was budget for it (`refused`).
 */
export type Sign = "counted" | "refused";

/** Evidence of another client that uses the same rate limits. */
export interface NeighbourSign {
  /** An account's name, or `IP` for all calls from this address. */
  readonly counter: string;
  readonly sign: Sign;
  /** Share of each limit that is used from now on. */
  readonly share: number;
}

/** Reason why the exchange refuses an account's key, with its own code and text. */
export interface KeyRefusal {
  readonly account: string;
  readonly code: string;
  readonly reason: string;
}

export interface WriteProgress {
  readonly seq: number;
  readonly account: string;
  readonly mutation: string;
  readonly endpoint: string;
  readonly clientOid: string | null;
  /** `UNKNOWN`: its answer was lost, and it stays open. */
  readonly state: "SENT" | "ACCEPTED" | "REJECTED" | "UNKNOWN" | "UNSENT";
  /** Reason why it was not accepted. */
  readonly problem: { readonly code: string } | null;
  /** Trace context of its span (W3C), from whichever process sent it; null if it was not recorded. */
  readonly traceparent: string | null;
}

/** A failure around a write that is not the exchange's: an internal error, or the disk. */
export interface WriteFailure {
  readonly write: WriteProgress;
  readonly error: unknown;
}

/** Events of the journal that operators should know. */
export type JournalEvent =
  /** The journal ended in a partial entry of this many bytes, which is lost. */
  | { readonly kind: "torn tail"; readonly bytes: number }
  /** The WAL file was removed while it was in use. Nothing is lost. */
  | { readonly kind: "log gone" }
  /** The journal was copied to this path, because the version before cannot use it after its migration. */
  | { readonly kind: "copied"; readonly copy: string }
  /** The journal cannot be written. */
  | { readonly kind: "unavailable"; readonly why: string }
  /** The journal can be written again. */
  | { readonly kind: "available" }
  /** Entries of a process that has ended are taken over. */
  | { readonly kind: "taken over"; readonly entries: number };

/** The exchange's clock contradicts this machine's. */
export type ClockEvent =
  /** Several answers state a time that differs by this much from the estimate, which is not changed without evidence. */
  | { readonly kind: "contradicted"; readonly byMs: number }
  /** The estimate has jumped by this much. `isWitnessed`: so has the system clock, as after a suspension. */
  | { readonly kind: "jumped"; readonly byMs: number; readonly isWitnessed: boolean }
  /** At the start the exchange's clock differs by this much from the system clock. */
  | { readonly kind: "skewed"; readonly byMs: number };

/** What operators should know of the limits in force; published when it changes. */
export interface LimitsEvent {
  /** Accounts that had limits and have none any more. */
  readonly unlimited: readonly string[];
  /** Names of one user with different limits, of which the strictest apply. */
  readonly differing: readonly (readonly string[])[];
}

export type HistoryEvent =
  /** An interval was recorded. `gaps`: accounts whose state was not proven. */
  | { readonly kind: "recorded"; readonly points: number; readonly gaps: number }
  /**
   * A stretch of the past of an account was rebuilt. `share`: of the whole range, from 0 to 1, as decimal text; `before`: the same before
   * it.
   */
  | {
      readonly kind: "rebuilt";
      readonly account: string;
      readonly points: number;
      readonly status: string;
      readonly before: string;
      readonly share: string;
    }
  /** An interval, or changes of balances, could not be stored or read. It is tried again. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** A day of an account was compared with the exchange. `unchecked`: parts of it that could not be, with the reason of each. */
  | {
      readonly kind: "reconciled";
      readonly account: string;
      /** `2026-01-31`, in UTC. */
      readonly day: string;
      readonly differences: readonly { readonly kind: string }[];
      readonly unchecked: readonly string[];
    };

/** State of the shared Redis. */
export type RedisEvent =
  /** Reachable. `isNew`: since its last use it was emptied, or replaced by another server. */
  | { readonly kind: "up"; readonly isNew: boolean }
  /** Not reachable; published at every attempt. */
  /** `isAlone`: this replica knows the number of replicas, and continues with its share. */
  | { readonly kind: "down"; readonly why: string; readonly isAlone: boolean };

/** A connection to the exchange's streams has ended unexpectedly; another one replaces it. */
export interface Disconnect {
  readonly end: "unreachable" | "login" | "refused" | "lost" | "silent" | "retired";
  /** The cause, if it is known. */
  readonly cause: Error | undefined;
}

/** A push without a subscription. */
export interface UnplacedPush {
  /** `(other)` for an unknown channel; `undefined` for a frame that is not a message of the exchange. */
  readonly channel: string | undefined;
}

/** An internal error, which a client sees only as `INTERNAL_SERVER_ERROR`. */
export interface Failure {
  readonly error: unknown;
  readonly what: string;
  readonly requestId?: string | undefined;
  /** Origin of the operation, if one failed. */
  readonly origin?: Origin | undefined;
  readonly operation?: string | undefined;
  /** Path of the field, if one failed, separated by dots. */
  readonly path?: string | undefined;
}

/** The client and request of an operation. */
export interface Origin {
  /** The client's principal; null for an unknown client. */
  readonly who: string | null;
  readonly address: string | undefined;
  readonly over: "http" | "websocket" | "sse";
  readonly requestId: string;
  /** The client's trace context (W3C), as it was sent. */
  readonly traceparent?: string | undefined;
  /** The trace of the operation; undefined if it is not recorded. */
  readonly traceId?: string | undefined;
}

export interface Operation {
  /** `undefined` if the request never became an operation: invalid JSON, an invalid document, or an unknown one. */
  readonly kind: "query" | "mutation" | "subscription" | undefined;
  readonly name: string | undefined;
  readonly errorCodes: readonly string[];
  /** Its trace; undefined if it is not recorded. */
  readonly traceId?: string | undefined;
}

export interface RequestAnswered {
  /** `undefined` for a request that was refused before GraphQL. */
  readonly operation: Operation | undefined;
  /** HTTP status. */
  readonly status: number;
  readonly tookMs: number;
}

export interface RefusedAnswer {
  readonly origin: Origin;
  readonly operation: string | undefined;
  /** One code for each refusal. */
  readonly codes: readonly string[];
}

/** The end of a mutation with any outcome. */
export interface MutationEnd {
  readonly origin: Origin;
  readonly mutation: string;
  /** The account by its name, or the text that the client sent as its name; null if there is none. */
  readonly account: string | null;
  /** The arguments that identify its subject. */
  readonly subject: Readonly<Record<string, string>>;
  /** `DRY_RUN`: a dry run without errors. `FAILED`: an error; if a write was sent, it is in the journal. */
  readonly outcome: "ACCEPTED" | "REJECTED" | "UNKNOWN" | "DRY_RUN" | "FAILED";
  readonly codes: readonly string[];
  /** Its number in the journal; null if nothing was sent. */
  readonly write: string | null;
  /** Whether it was sent although the journal could not be written. */
  readonly withoutJournal: boolean;
  readonly upstreamCalls: number;
}

/** An export has ended, complete or not. */
export interface Exported {
  readonly origin: Origin;
  /** The text that the client sent as its name. */
  readonly account: string;
  readonly kind: string;
  readonly format: string;
  /** The requested range, Unix ms; null: up to now. */
  readonly from: number;
  readonly to: number | null;
  readonly rows: number;
  /** Code of the error that ended it; null if the file is complete. */
  readonly code: string | null;
}

/** Watched files have changed: they were read again, or have `mistakes`. */
export interface FileChange {
  readonly setting: string;
  /** Mistakes in the files. Undefined if the new content is in effect. */
  readonly mistakes?: readonly string[];
  /** Whether a file is missing and its former content is no longer in effect. With other mistakes it stays in effect. */
  readonly isGone?: boolean;
}

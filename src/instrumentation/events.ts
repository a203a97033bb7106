import type { WireError } from "@exchange-graph/contract/wireError";

/**
 * How a call ended: answered (`ok`), refused by the exchange, refused as one too many (`throttled`), or without a usable
 * answer (`failed`). Or why it never left: no rate budget before its deadline (`limited`), an endpoint that is left alone
 * because it keeps failing (`withheld`), nobody who waits for it and may still have it (`abandoned`).
 */
export const OUTCOMES = ["ok", "refused", "throttled", "failed", "limited", "withheld", "abandoned"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A call to the exchange that has ended, or that never left. */
export interface UpstreamCall {
  /** The endpoint's name in the contract. */
  readonly endpoint: string;
  readonly outcome: Outcome;
  /** In ms: the wait for rate budget, and from there to the answer. None where the call never left. */
  readonly timing?: { readonly waitMs: number; readonly tookMs: number };
  /** The operation that it was made for, where it was made for one. */
  readonly operation?: OperationToken | undefined;
}

/** What an operation is known by from its start to its end: an object that no other operation has. */
export interface OperationToken {
  /**
   * A listener that records the operation sets what it records here when it starts: a weak map of them would be slow to collect.
   * Without it neither the operation's end nor its resolvers are published.
   */
  recording?: OperationRecording | undefined;
}

/** What is recorded of an operation, as other listeners see it. */
export interface OperationRecording {
  readonly traceId: string;
}

/** An operation begins to run. */
export interface OperationStart {
  readonly operation: OperationToken;
  readonly origin: Origin;
  readonly kind: "query" | "mutation" | "subscription";
  /** The name that its client gave it. */
  readonly name: string | undefined;
}

/** A recorded operation has run; a subscription is open, or was refused. */
export interface OperationEnd {
  readonly operation: OperationToken;
  /** Codes of the errors in its answer. */
  readonly errorCodes: readonly string[];
  /** How often it read, by where the answers came from. */
  readonly reads: Readonly<Partial<Record<"REST" | "SHARED" | "CACHE" | "STREAM", number>>>;
}

/** A query has the answer of an equal one, and was not run itself. */
export interface OperationReuse {
  readonly origin: Origin;
  /** The name that its client gave it. */
  readonly name: string | undefined;
  /** `shared`: the other one was under way; `kept`: it had its answer already. */
  readonly answer: "shared" | "kept";
  /** The operation that the answer was made for. */
  readonly maker: OperationToken | undefined;
  /** How long it waited for the answer, ms. */
  readonly waitedMs: number;
  /** Codes of the errors in the answer. */
  readonly errorCodes: readonly string[];
}

/** A field's resolver that may call the exchange has begun in a recorded operation. */
export interface ResolverStart {
  readonly operation: OperationToken;
  /** Type and name of the field. */
  readonly field: string;
  /** Settles when the resolver has its value. */
  readonly settled: Promise<unknown>;
}

/** A write is about to be put into the journal. */
export interface WriteIntent {
  readonly operation: OperationToken;
  /** A listener that records the operation sets the trace context of the write's span here (W3C): the journal keeps it. */
  readonly carrier: { traceparent: string | null };
}

/** A write is in the journal, and is about to leave. */
export interface WriteStart {
  readonly operation: OperationToken;
  readonly write: WriteProgress;
  /** How long the journal took, ms. */
  readonly journalMs: number;
}

/** An answer that is past its freshness stays in use, because a newer one could not be had. */
export interface RefreshFailure {
  readonly endpoint: string;
  readonly error: unknown;
}

/** What is read often is not kept live, because its stream could not be opened or has ended: it is tried again later. */
export interface LiveFailure {
  /** None where it is something of the market. */
  readonly account: string | undefined;
  readonly kind: string;
  /** Of the error. */
  readonly code: string;
}

/** An answer or a push, or a row of it, could not be read. */
export interface Unread {
  /** The endpoint or the channel. */
  readonly source: string;
  /** Names the field and the expected type, and never a value. */
  readonly error: WireError;
}

/**
 * What shows that another client uses the same limit: the exchange counts more calls than have left here (`counted`), or
 * refuses one although there was budget for it (`refused`).
 */
export type Sign = "counted" | "refused";

/** A sign of another client that uses the same rate limits. */
export interface NeighbourSign {
  /** An account's name, or `IP` for everything that leaves from this address. */
  readonly counter: string;
  readonly sign: Sign;
  /** The part of each limit that is used here from now on. */
  readonly share: number;
}

/** Why the exchange does not take an account's key, in its own code and words. */
export interface KeyRefusal {
  readonly account: string;
  readonly code: string;
  readonly reason: string;
}

/** A write: what it is, and how far it has come. */
export interface WriteProgress {
  /** Its number in the journal. */
  readonly seq: number;
  readonly account: string;
  readonly mutation: string;
  readonly endpoint: string;
  readonly clientOid: string | null;
  /** `UNKNOWN`: its answer was lost, and it stays open. */
  readonly state: "SENT" | "ACCEPTED" | "REJECTED" | "UNKNOWN" | "UNSENT";
  /** Why it was not accepted. */
  readonly problem: { readonly code: string } | null;
  /** The trace context of its span (W3C), whichever process has sent it; null where it is not recorded. */
  readonly traceparent: string | null;
}

/** Something failed around a write that is not the exchange's doing: an internal error, or the disk. */
export interface WriteFailure {
  readonly write: WriteProgress;
  readonly error: unknown;
}

/** What happens around the journal that an operator should know. */
export type JournalNews =
  /** It ended in the middle of an entry, which is lost: `bytes` of it. */
  | { readonly news: "torn tail"; readonly bytes: number }
  /** The log beside it has gone. `lost`: with what was in it; otherwise the journal has it all and goes on. */
  | { readonly news: "log gone"; readonly lost: boolean }
  /** From now on it cannot be written. */
  | { readonly news: "unavailable"; readonly why: string }
  /** It can be written again. */
  | { readonly news: "available" }
  /** Entries of an owner that has gone are taken over. */
  | { readonly news: "taken over"; readonly entries: number };

/** How what replicas share stands. */
export type EngineNews =
  /** It can be used. `isNew`: since it was last used it was emptied, or another server has taken its place. */
  | { readonly news: "up"; readonly isNew: boolean }
  /** It cannot be used, or still cannot: said at every attempt. */
  | { readonly news: "down"; readonly why: string };

/** A connection to the exchange's streams has ended without our having closed it; another one takes its place. */
export interface Disconnect {
  readonly end: "unreachable" | "login" | "refused" | "lost" | "silent" | "retired";
  /** What stood behind that, where it is known. */
  readonly cause: Error | undefined;
}

/** A push that belongs to no subscription. */
export interface UnplacedPush {
  /** `(other)` where it is none that we know; `undefined`: a frame that is no message of the exchange's. */
  readonly channel: string | undefined;
}

/** Something failed that nobody foresaw, or that a client sees only as `INTERNAL_SERVER_ERROR`. */
export interface Failure {
  readonly error: unknown;
  /** What failed, as the log says it. */
  readonly what: string;
  readonly requestId?: string | undefined;
  /** Of the operation, where one has failed. */
  readonly origin?: Origin | undefined;
  /** The name that its client gave the operation. */
  readonly operation?: string | undefined;
  /** The field, where one has failed: names with dots between. */
  readonly path?: string | undefined;
}

/** Who asked, and how. */
export interface Origin {
  /** The client's principal; null for somebody whom nobody knows. */
  readonly who: string | null;
  /** The address of its connection's other end. */
  readonly address: string | undefined;
  readonly over: "http" | "websocket" | "sse";
  readonly requestId: string;
  /** The client's trace context (W3C), as it was sent. */
  readonly traceparent?: string | undefined;
  /** A listener that records what was asked sets its trace here. */
  traceId?: string | undefined;
}

/** What a request turned out to be. */
export interface Operation {
  /** `undefined` when it never became an operation: not JSON, not valid, not known. */
  readonly kind: "query" | "mutation" | "subscription" | undefined;
  readonly name: string | undefined;
  /** The codes of the errors in its answer. */
  readonly errorCodes: readonly string[];
}

/** A request to `/graphql` has its answer. */
export interface Answered {
  /** `undefined` for a request that was turned away before GraphQL saw it. */
  readonly operation: Operation | undefined;
  /** Of HTTP. */
  readonly status: number;
  readonly tookMs: number;
  /** The trace in which its operation is recorded; `undefined` where it is not. */
  readonly traceId: string | undefined;
}

/** An answer refused something. */
export interface Refusal {
  readonly origin: Origin;
  /** The name that its client gave the operation. */
  readonly operation: string | undefined;
  /** One code for each refusal. */
  readonly codes: readonly string[];
}

/** A mutation that has ended, whatever became of it. */
export interface MutationEnd {
  readonly origin: Origin;
  readonly mutation: string;
  /** The account by its name here, or by what the client took for one; null when it was left out and there is none. */
  readonly account: string | null;
  /** What it was about: those of its arguments that identify that. */
  readonly subject: Readonly<Record<string, string>>;
  /** `DRY_RUN`: a dry run that nothing stands against. `FAILED`: an error; if anything was sent, the journal has it. */
  readonly outcome: "ACCEPTED" | "REJECTED" | "UNKNOWN" | "DRY_RUN" | "FAILED";
  /** What stands against it, in codes of the error registry. */
  readonly codes: readonly string[];
  /** Its number in the journal, which has all the rest; null when nothing has left. */
  readonly write: string | null;
  /** Did it leave although the journal could not be written? */
  readonly withoutJournal: boolean;
  readonly upstreamCalls: number;
}

/** Files that changed: they were read again, or hold `mistakes`. */
export interface FileChange {
  /** The setting that names them. */
  readonly setting: string;
  /** What is wrong with them, so that what they said before still holds; none where they hold from now on. */
  readonly mistakes?: readonly string[];
}

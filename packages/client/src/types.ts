import type { Clock } from "./clock.js";
import type { AnyDocument, GraphDocument, Print } from "./document.js";
import type { GraphError } from "./errors.js";
import type { GraphAnswer, Token } from "./http.js";
import type { JsonObject } from "./json.js";
import type { Connection, SocketConstructor } from "./line.js";
import type { Outcome, PayloadOf } from "./outcome.js";
import type { GraphEvent, Listener } from "./subscription.js";

/** Options of a client. */
export interface ClientOptions {
  /** Address of the graph, for example `https://desk.example.com/graphql`. On a web page a path is enough: `/graphql`. */
  readonly url: string;
  /** The API token, or a function that returns it, called before each request and each connection. Default: none. */
  readonly token?: Token;
  /** Timeout of a request. Default: 15 s. */
  readonly timeoutMs?: number;
  /** Time for which a write without an answer is repeated with its key. Default: 15 s. */
  readonly writeWithinMs?: number;
  /** Called whenever the state of the socket changes. */
  readonly onConnection?: (connection: Connection) => void;
  /** Sends documents with a hash (`__meta__.hash`) by the hash only. Default: false. */
  readonly trustedDocuments?: boolean;
  /** `print` of `graphql`, for documents that are syntax trees. */
  readonly print?: Print;
  /** Default: the global one. Node 20 has none: pass that of the package `ws`. */
  readonly webSocket?: SocketConstructor;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** For tests. Default: the system clock. */
  readonly clock?: Clock;
  /** For tests. Returns numbers from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Options of a single request. */
export interface RequestOptions {
  /** Aborts the request. A write that has been sent may take effect nevertheless. */
  readonly signal?: AbortSignal;
  /** Requests `extensions.exchange` and `extensions.cost`: the reads and the cost of the answer. */
  readonly trace?: boolean;
}

export interface WriteOptions extends RequestOptions {
  /**
   * The idempotency key of the user's action, 1 to 128 characters. Default: a new one. `haltTrading` and `resumeTrading` take
   * none: repeating them has no further effect. In `placeOrders` and `cancelOrders` each order has the key with its place.
   */
  readonly key?: string;
}

/** The variables as arguments, optional if all variables are. */
export type Arguments<Variables, Options> =
  Readonly<Record<string, never>> extends Variables
    ? readonly [variables?: Variables, options?: Options]
    : readonly [variables: Variables, options?: Options];

/** The result of a query. Without data there is at least one error; with data the errors belong to null fields. */
export type QueryResult<Data> =
  | { readonly data: Data; readonly errors: readonly GraphError[]; readonly extensions: JsonObject }
  | { readonly data: null; readonly errors: readonly [GraphError, ...GraphError[]]; readonly extensions: JsonObject };

/**
 * The outcome of a write, the key that it was sent with (null if it takes none), and for an unknown outcome the means to find out
 * more.
 */
export type WriteResult<Payload> =
  | (Exclude<Outcome<Payload>, { readonly outcome: "unknown" }> & { readonly key: string | null })
  | (Extract<Outcome<Payload>, { readonly outcome: "unknown" }> & {
      readonly key: string | null;
      /** Repeats the request with the same key; it is written at most once. */
      again(options?: RequestOptions): Promise<WriteResult<Payload>>;
      /**
       * Repeats the request until the outcome is known, for at most `withinMs` (default: a minute); after that it is still
       * `unknown`.
       */
      settled(options?: RequestOptions & { readonly withinMs?: number }): Promise<WriteResult<Payload>>;
    });

/** The result of a dry run. Nothing was sent. */
export interface Preview<Payload> {
  /** Whether it would be sent. */
  readonly isSound: boolean;
  readonly payload: Payload | null;
  readonly errors: readonly GraphError[];
}

/** An operation of a library. */
export interface Operation {
  readonly kind: "query" | "mutation" | "subscription";
  readonly document: AnyDocument;
  readonly variables?: unknown;
  /** The operation of a document with several. */
  readonly operationName?: string | undefined;
}

/** A client of one gateway with one token. */
export interface Client {
  /** Executes a query. A missing answer does not throw: it is an error with a code of the client's own. */
  query<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    ...args: Arguments<Variables, RequestOptions>
  ): Promise<QueryResult<Data>>;
  /**
   * Executes a write: one mutation field, with `outcome` selected. It is sent with an idempotency key, and repeated with the same
   * key while there is no answer. The key is set as the variable `idempotencyKey`, or as `idempotencyKey` in the variable
   * `input`.
   */
  write<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    ...args: Arguments<Variables, WriteOptions>
  ): Promise<WriteResult<PayloadOf<Data>>>;
  /** Executes a dry run of a write. Nothing is sent. */
  preview<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    ...args: Arguments<Variables, RequestOptions>
  ): Promise<Preview<PayloadOf<Data>>>;
  /** Subscribes until the returned function is called. It resumes by itself after an interruption. */
  subscribe<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    variables: Variables,
    listener: Listener<GraphEvent<Data>>,
  ): () => void;
  /** The same as an iterable, for `for await`. Ends with the signal; throws `SubscriptionEnded` if it cannot resume. */
  events<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    ...args: Arguments<Variables, Pick<RequestOptions, "signal">>
  ): AsyncIterable<GraphEvent<Data>>;
  /** For libraries: sends a query or a mutation. A mutation with a variable for a key is sent as in `write`. */
  send(operation: Operation, options?: WriteOptions): Promise<GraphAnswer>;
  /** For libraries: a subscription with raw answers; after an interruption with `extensions.gap`. */
  listen(operation: Operation, listener: Listener<GraphAnswer>): () => void;
  /** State of the socket. */
  readonly connection: Connection;
  /** Closes the socket and ends every subscription: without notification, and for `events` like a completed one. */
  dispose(): void;
}

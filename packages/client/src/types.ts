import type { Clock } from "./clock.js";
import type { AnyDocument, GraphDocument, Print } from "./document.js";
import type { GraphError } from "./errors.js";
import type { GraphAnswer, Token } from "./http.js";
import type { JsonObject } from "./json.js";
import type { Connection, SocketConstructor } from "./line.js";
import type { Outcome, PayloadOf } from "./outcome.js";
import type { GraphEvent, Listener } from "./subscription.js";

/** How a client is made. */
export interface ClientOptions {
  /** Where the graph is, for example `https://desk.example.com/graphql`. On a page a path is enough: `/graphql`. */
  readonly url: string;
  /** The API token, or what gives one: it is asked before each request and each connection. Default: none. */
  readonly token?: Token;
  /** How long one request waits for its answer. Default: 15 s. */
  readonly timeoutMs?: number;
  /** How long a write is sent again under its key while no answer comes. Default: 15 s. */
  readonly writeWithinMs?: number;
  /** Hears how the socket stands, whenever that changes. */
  readonly onConnection?: (connection: Connection) => void;
  /** Sends documents that have a hash (`__meta__.hash`) by that alone. Default: false. */
  readonly trustedDocuments?: boolean;
  /** `print` of `graphql`, for documents that are syntax trees. */
  readonly print?: Print;
  /** Default: the global one. Node 20 has none: pass that of the package `ws`. */
  readonly webSocket?: SocketConstructor;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** For tests. Default: the machine's own. */
  readonly clock?: Clock;
  /** For tests. Numbers from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** What a single request may say. */
export interface RequestOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** Asks for `extensions.exchange` and `extensions.cost`: what was read for the answer, and what it cost. */
  readonly trace?: boolean;
}

export interface WriteOptions extends RequestOptions {
  /**
   * The key of the user's action, 1 to 128 characters. Default: a new one. `haltTrading` and `resumeTrading` take none: they are the
   * same however often they are sent.
   */
  readonly key?: string;
}

/** The variables as arguments: they may be left out where all of them may be. */
export type Arguments<Variables, Options> =
  Readonly<Record<string, never>> extends Variables
    ? readonly [variables?: Variables, options?: Options]
    : readonly [variables: Variables, options?: Options];

/** The answer to a query. Without data there is an error at least; with data the errors belong to fields that are null. */
export type QueryResult<Data> =
  | { readonly data: Data; readonly errors: readonly GraphError[]; readonly extensions: JsonObject }
  | { readonly data: null; readonly errors: readonly [GraphError, ...GraphError[]]; readonly extensions: JsonObject };

/** What became of a write, the key that it was sent under (null if it takes none), and for one that is unknown how to find out more. */
export type WriteResult<Payload> =
  | (Exclude<Outcome<Payload>, { readonly outcome: "unknown" }> & { readonly key: string | null })
  | (Extract<Outcome<Payload>, { readonly outcome: "unknown" }> & {
      readonly key: string | null;
      /** Asks again under the same key; at most one write comes of it. */
      again(options?: RequestOptions): Promise<WriteResult<Payload>>;
      /** Asks again until it is known, for at most `withinMs` (default: a minute); then it is still `unknown`. */
      settled(options?: RequestOptions & { readonly withinMs?: number }): Promise<WriteResult<Payload>>;
    });

/** What a dry run has found. Nothing was sent. */
export interface Preview<Payload> {
  /** Would it be sent? */
  readonly isSound: boolean;
  readonly payload: Payload | null;
  readonly errors: readonly GraphError[];
}

/** An operation as libraries hand it over. */
export interface Operation {
  readonly kind: "query" | "mutation" | "subscription";
  readonly document: AnyDocument;
  readonly variables?: unknown;
  /** Which of the document's operations, where there are several. */
  readonly operationName?: string | undefined;
}

/** A client of one gateway, as one principal. */
export interface Client {
  /** Asks a query. Never throws for want of an answer: that is an error with a code of the client's own. */
  query<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    ...given: Arguments<Variables, RequestOptions>
  ): Promise<QueryResult<Data>>;
  /**
   * Makes a write: one mutation field, which asks for its `outcome`. It is sent under a key, and under the same one again while
   * no answer comes. The key takes the place of the variable `idempotencyKey`, or of `idempotencyKey` in the variable `input`.
   */
  write<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    ...given: Arguments<Variables, WriteOptions>
  ): Promise<WriteResult<PayloadOf<Data>>>;
  /** Tries a write out, with `dryRun` in its place. Nothing is sent. */
  preview<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    ...given: Arguments<Variables, RequestOptions>
  ): Promise<Preview<PayloadOf<Data>>>;
  /** Listens to a subscription until the returned function is called. It goes on by itself after an interruption. */
  subscribe<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    variables: Variables,
    listener: Listener<GraphEvent<Data>>,
  ): () => void;
  /** The same as an iterable, for `for await`. Ends with the signal; throws `SubscriptionEnded` where it cannot go on. */
  events<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    ...given: Arguments<Variables, Pick<RequestOptions, "signal">>
  ): AsyncIterable<GraphEvent<Data>>;
  /** For libraries: sends a query or a mutation. A mutation that has a place for a key is sent as `write` does it. */
  send(operation: Operation, options?: WriteOptions): Promise<GraphAnswer>;
  /** For libraries: a subscription as it comes; after an interruption with `extensions.gap`. */
  listen(operation: Operation, listener: Listener<GraphAnswer>): () => void;
  /** How the socket stands. */
  readonly connection: Connection;
  /** Closes the socket and ends every subscription without a word. */
  dispose(): void;
}

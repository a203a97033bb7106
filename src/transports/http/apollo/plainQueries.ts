import { isObject } from "@exchange-graph/contract/json";
import { LRUCache } from "lru-cache";
import { lruByWeight } from "../../../datasources/cache/lru.js";
import type { ReadyQuery } from "../../../engine/answers/readyQuery.js";
import { KEPT_TEXT } from "../../../engine/documents/apolloDocuments.js";
import type { Answer } from "../answer.js";

/** Clients of one kind send the same header: there are few. */
const MAX_ACCEPTS = 100;
/** Longer texts are rare, and each known one is kept. */
const MAX_TEXT = 16_384;

/** A request body with a query as text, and nothing that Apollo would have to look up or refuse. */
export interface PlainRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Reads a body as a plain request; `undefined` where Apollo is to judge it. */
export function plainRequest(body: unknown): PlainRequest | undefined {
  if (!isObject(body)) return undefined;
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== "string") return undefined;
  if (operationName !== undefined && operationName !== null && typeof operationName !== "string") return undefined;
  if (variables !== undefined && variables !== null && !isObject(variables)) return undefined;
  if (extensions !== undefined && extensions !== null && (!isObject(extensions) || "persistedQuery" in extensions))
    return undefined;
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
}

/** What answers a plain request without Apollo: its query, and the headers that go with its `Accept`. */
export interface Repeatable {
  readonly query: ReadyQuery;
  readonly variables: PlainRequest["variables"];
  readonly headers: Answer["headers"];
}

/**
 * Queries that Apollo has parsed, validated and answered, by their text. Asked for again in a plain request, they run
 * without passing through Apollo, which would find nothing else: its hooks and look-ups cost several times what a
 * compiled query does. Whatever is not known here, to the letter, goes to Apollo.
 */
export class PlainQueries {
  readonly #queries = lruByWeight<{ readonly operationName: string | undefined; readonly query: ReadyQuery }>(
    KEPT_TEXT,
    (_, text) => text.length,
  );
  /** What Apollo made of an `Accept` header, which is all that the headers of such an answer depend on. */
  readonly #headers = new LRUCache<string, Answer["headers"]>({ max: MAX_ACCEPTS });

  /** Apollo has answered this request with this query and these headers. */
  learn(
    { query: text, operationName }: PlainRequest,
    accept: string | undefined,
    query: ReadyQuery,
    headers: Answer["headers"],
  ): void {
    if (text.length > MAX_TEXT) return;
    this.#queries.set(text, { operationName, query });
    this.#headers.set(acceptKey(accept), headers);
  }

  find({ query: text, operationName, variables }: PlainRequest, accept: string | undefined): Repeatable | undefined {
    const known = this.#queries.get(text);
    const headers = this.#headers.get(acceptKey(accept));
    if (known === undefined || headers === undefined || known.operationName !== operationName) return undefined;
    return { query: known.query, variables, headers };
  }
}

/** No header at all is not the same as an empty one. */
const acceptKey = (accept: string | undefined): string => (accept === undefined ? "none" : `: ${accept}`);

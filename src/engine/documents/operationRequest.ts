import { isObject } from "@exchange-graph/contract/json";
import { GraphQLError } from "graphql";
import { badRequest } from "../errors/coded.js";
import { withDocument } from "./documentId.js";
import type { Documents } from "./documents.js";
import { hashOf } from "./trustedDocuments.js";

/** An operation request, independent of its transport. */
export interface OperationRequest {
  /** The document's text. */
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether the answer includes the trace and the cost. */
  readonly isTraced: boolean;
  /** Position after which a subscription resumes: that of the last event that the client has, or `null` if it has none. */
  readonly after?: string | null;
}

/** Maximum length of a position; positions of subscriptions to a hundred accounts are shorter. */
const MAX_POSITION = 8_000;

/** Whether a value can be a position of a subscription. */
export const isPosition = (value: unknown): value is string => typeof value === "string" && value.length <= MAX_POSITION;

/** Whether the `extensions` of a request ask for a trace. */
export const asksForTrace = (extensions: unknown): boolean => isObject(extensions) && extensions.exchangeTrace === true;

/**
 * Reads a GraphQL request: its document as text, as `documentId` or as a persisted query. `undefined` if a member has the wrong
 * type or there is no document.
 */
export function operationIn(body: unknown, documents: Documents): OperationRequest | GraphQLError | undefined {
  const named = withDocument(body, documents);
  if ("refused" in named) return badRequest(named.refused);
  const { request } = named;
  if (!isObject(request)) return undefined;
  const { operationName = null, variables = null, extensions = null } = request;
  if (operationName !== null && typeof operationName !== "string") return undefined;
  if (variables !== null && !isObject(variables)) return undefined;
  if (extensions !== null && !isObject(extensions)) return undefined;
  const query = textIn(request.query, extensions?.persistedQuery, documents);
  if (typeof query !== "string") return query;
  const isTraced = asksForTrace(extensions);
  const read = { query, operationName: operationName ?? undefined, variables: variables ?? {}, isTraced };
  const after = extensions?.after;
  if (after === undefined) return read;
  if (after !== null && !isPosition(after)) return WRONG_POSITION;
  return { ...read, after };
}

/** The document's text, or the text for its hash. A text that comes with its hash is registered. */
function textIn(query: unknown, persisted: unknown, documents: Documents): string | GraphQLError | undefined {
  const text = query === "" || query === null ? undefined : query;
  if (text !== undefined && typeof text !== "string") return undefined;
  if (persisted === undefined) return text;
  if (!isObject(persisted) || typeof persisted.sha256Hash !== "string") return undefined;
  const { version, sha256Hash } = persisted;
  if (version !== 1) return badRequest("Unsupported persisted query version");
  if (text === undefined) return documents.textOf(sha256Hash) ?? NOT_FOUND;
  if (hashOf(text) !== sha256Hash) return badRequest("provided sha does not match query");
  documents.register(sha256Hash, text);
  return text;
}

const WRONG_POSITION = badRequest("extensions.after must be the position of an event, or null.");

const NOT_FOUND = new GraphQLError("PersistedQueryNotFound", {
  extensions: { code: "PERSISTED_QUERY_NOT_FOUND", http: { status: 200 } },
});

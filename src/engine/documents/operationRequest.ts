import { isObject } from "@exchange-graph/contract/json";
import { GraphQLError } from "graphql";
import { badRequest } from "../errors/coded.js";
import type { Documents } from "./documents.js";
import { HASH, hashIn, hashOf } from "./trustedDocuments.js";

const RULE = badRequest("documentId must be the SHA-256 of a document, written sha256: and 64 lower-case hexadecimal digits.");
const BESIDE_QUERY = badRequest("documentId replaces the document: it cannot be combined with query.");
const BESIDE_PERSISTED = badRequest("documentId replaces the document: it cannot be combined with extensions.persistedQuery.");

/**
 * The SHA-256 of the document that a request names by `documentId`; undefined if it names none. Contradictory requests are
 * refused, so that no other document than the intended one is executed. An empty `query` counts as absent: messages of
 * graphql-transport-ws must have one.
 */
function hashNamedIn(request: Readonly<Record<string, unknown>>): string | GraphQLError | undefined {
  if (!("documentId" in request)) return undefined;
  const { documentId, query, extensions } = request;
  if (typeof documentId !== "string" || !HASH.test(documentId)) return RULE;
  if (query !== undefined && query !== null && query !== "") return BESIDE_QUERY;
  if (isObject(extensions) && extensions.persistedQuery !== undefined) return BESIDE_PERSISTED;
  return hashIn(documentId);
}

/** An operation request, independent of its transport. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether the answer includes the trace and the cost. */
  readonly isTraced: boolean;
  /** Position after which a subscription resumes: that of the last event that the client has, or `null` if it has none. */
  readonly after?: string | null;
}

/** The parsed request, its error, or undefined if a member has the wrong type or there is no document. */
export type ReadRequest = OperationRequest | GraphQLError | undefined;

/** Maximum length of a position; positions of subscriptions to a hundred accounts are shorter. */
const MAX_POSITION = 8_000;

/** Whether a value can be a position of a subscription. */
export const isPosition = (value: unknown): value is string => typeof value === "string" && value.length <= MAX_POSITION;

/** Reads a GraphQL request: its document as text, as `documentId` or as a persisted query. */
export function operationIn(body: unknown, documents: Documents): ReadRequest | Promise<ReadRequest> {
  if (!isObject(body)) return undefined;
  const named = hashNamedIn(body);
  if (named instanceof GraphQLError) return named;
  const { operationName = null, variables = null, extensions = null } = body;
  if (operationName !== null && typeof operationName !== "string") return undefined;
  if (variables !== null && !isObject(variables)) return undefined;
  if (extensions !== null && !isObject(extensions)) return undefined;
  const text = named === undefined ? textIn(body.query, extensions?.persistedQuery, documents) : documents.textOf(named);
  const withText = (query: string | GraphQLError | undefined): ReadRequest => {
    if (typeof query !== "string") return query;
    const isTraced = extensions?.exchangeTrace === true;
    const read = { query, operationName: operationName ?? undefined, variables: variables ?? {}, isTraced };
    const after = extensions?.after;
    if (after === undefined) return read;
    return after === null || isPosition(after) ? { ...read, after } : WRONG_POSITION;
  };
  return text instanceof Promise ? text.then(withText) : withText(text);
}

type Text = string | GraphQLError | undefined;

/** The document's text, or the text for its hash. A text that comes with its hash is registered. */
function textIn(query: unknown, persisted: unknown, documents: Documents): Text | Promise<Text> {
  const text = query === "" || query === null ? undefined : query;
  if (text !== undefined && typeof text !== "string") return undefined;
  if (persisted === undefined) return text;
  if (!isObject(persisted) || persisted.version !== 1) return badRequest("Unsupported persisted query version");
  const { sha256Hash } = persisted;
  if (typeof sha256Hash !== "string") return undefined;
  if (text === undefined) return documents.textOf(sha256Hash);
  if (hashOf(text) !== sha256Hash) return badRequest("provided sha does not match query");
  documents.register(sha256Hash, text);
  return text;
}

const WRONG_POSITION = badRequest("extensions.after must be the position of an event, or null.");

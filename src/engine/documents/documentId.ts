import { isObject } from "@exchange-graph/contract/json";
import type { GraphQLError } from "graphql";
import { badRequest } from "../errors/coded.js";
import { HASH, hashIn } from "./trustedDocuments.js";

const RULE = badRequest("documentId must be the SHA-256 of a document, written sha256: and 64 lower-case hexadecimal digits.");
const BESIDE_QUERY = badRequest("documentId replaces the document: it cannot be combined with query.");
const BESIDE_PERSISTED = badRequest("documentId replaces the document: it cannot be combined with extensions.persistedQuery.");

/**
 * The SHA-256 of the document that a request names by `documentId`; undefined if it names none. Contradictory requests are
 * refused, so that no other document than the intended one is executed. An empty `query` counts as absent: messages of
 * graphql-transport-ws must have one.
 */
export function hashNamedIn(request: Readonly<Record<string, unknown>>): string | GraphQLError | undefined {
  if (!("documentId" in request)) return undefined;
  const { documentId, query, extensions } = request;
  if (typeof documentId !== "string" || !HASH.test(documentId)) return RULE;
  if (query !== undefined && query !== null && query !== "") return BESIDE_QUERY;
  if (isObject(extensions) && extensions.persistedQuery !== undefined) return BESIDE_PERSISTED;
  return hashIn(documentId);
}

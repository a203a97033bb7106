import { isObject } from "@exchange-graph/contract/json";
import { z } from "zod";
import { HASH, hashIn } from "./trustedDocuments.js";

const RULE = "documentId must be the SHA-256 of a document, written sha256: and 64 lower-case hexadecimal digits";
const BESIDE = "documentId replaces the document: it cannot be combined with";

const identifier = z.string().regex(HASH);
const extensionsShape = z.record(z.string(), z.unknown());

/** A request without `documentId`, or the reason for its refusal. */
export type Understood<T> = { readonly request: T } | { readonly refused: string };

/** Texts by their SHA-256. */
interface Texts {
  textOf(hash: string): string | undefined;
}

/**
 * Replaces `documentId` in a request by the document's text if it is known, otherwise by the reference to a persisted query.
 * Other requests are returned unchanged. Contradictory requests are refused, so that no other document than the intended one is
 * executed. An empty `query` counts as absent: messages of graphql-transport-ws must have one.
 */
export function withDocument(body: unknown, texts: Texts): Understood<unknown> {
  if (!isObject(body) || !("documentId" in body)) return { request: body };
  const { documentId, query, ...rest } = body;
  const id = identifier.safeParse(documentId);
  if (!id.success) return refused(RULE);
  if (query !== undefined && query !== null && query !== "") return refused(`${BESIDE} query`);
  const given = extensionsShape.nullish().safeParse(rest.extensions);
  // Extensions of a wrong shape are refused later, with their own error.
  if (!given.success) return { request: rest };
  if (given.data?.persistedQuery !== undefined) return refused(`${BESIDE} extensions.persistedQuery`);
  const sha256Hash = hashIn(id.data);
  const text = texts.textOf(sha256Hash);
  if (text !== undefined) return { request: { ...rest, query: text } };
  return { request: { ...rest, extensions: { ...given.data, persistedQuery: { version: 1, sha256Hash } } } };
}

const refused = (message: string): { readonly refused: string } => ({ refused: `${message}.` });

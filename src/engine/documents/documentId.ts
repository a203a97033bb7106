import { isObject } from "@exchange-graph/contract/json";
import { z } from "zod";
import { HASH, hashIn } from "./trustedDocuments.js";

const RULE = "documentId must be the SHA-256 of a document, written sha256: and 64 lower-case hexadecimal digits";
const BESIDE = "documentId stands for the document: it cannot stand beside";

const identifier = z.string().regex(HASH);
const extensionsShape = z.record(z.string(), z.unknown());

/** A request without `documentId`, or why it cannot be one. */
export type Understood<T> = { readonly request: T } | { readonly refused: string };

/** Texts by their SHA-256. */
interface Texts {
  textOf(hash: string): string | undefined;
}

/**
 * A request whose document is named by `documentId`, as one with its text where that is known, and otherwise as one that
 * names a persisted query. Every other request stays as it is. What does not keep to the rules is refused: a document
 * that is not the one that was meant must not run. An empty `query` is none: a message of graphql-transport-ws must have
 * one.
 */
export function withDocument(body: unknown, texts: Texts): Understood<unknown> {
  if (!isObject(body) || !("documentId" in body)) return { request: body };
  const { documentId, query, ...rest } = body;
  const id = identifier.safeParse(documentId);
  if (!id.success) return refused(RULE);
  if (query !== undefined && query !== null && query !== "") return refused(`${BESIDE} query`);
  const given = extensionsShape.nullish().safeParse(rest.extensions);
  // Extensions of another shape are refused later, for what they are.
  if (!given.success) return { request: rest };
  if (given.data?.persistedQuery !== undefined) return refused(`${BESIDE} extensions.persistedQuery`);
  const sha256Hash = hashIn(id.data);
  const text = texts.textOf(sha256Hash);
  if (text !== undefined) return { request: { ...rest, query: text } };
  return { request: { ...rest, extensions: { ...given.data, persistedQuery: { version: 1, sha256Hash } } } };
}

const refused = (message: string): { readonly refused: string } => ({ refused: `${message}.` });

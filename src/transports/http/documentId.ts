import { z } from "zod";
import { jsonIn } from "../../engine/documents/json.js";
import { HASH, hashIn, type TrustedDocuments } from "../../engine/documents/trustedDocuments.js";
import { type Answer, refusal } from "./answer.js";

const RULE = "documentId must be the SHA-256 of a document, written sha256: and 64 lower-case hexadecimal digits";
const BESIDE = "documentId stands for the document: it cannot stand beside";

const identifier = z.string().regex(HASH);
const extensionsShape = z.record(z.string(), z.unknown());

/** A request that Apollo understands, or why there is none. */
export type Understood<T> = { readonly request: T } | { readonly refused: Answer };

/**
 * A request body whose document is named by `documentId`, as one with its text where that is trusted; Apollo looks up any
 * other, and says if there is none. Every other body stays as it is. What does not keep to the rules is refused: a
 * document that is not the one that was meant must not run.
 */
export function withDocument(body: unknown, trusted: TrustedDocuments | undefined): Understood<unknown> {
  if (typeof body !== "object" || body === null || !("documentId" in body)) return { request: body };
  const { documentId, ...rest } = body;
  const id = identifier.safeParse(documentId);
  if (!id.success) return refused(RULE);
  if ("query" in rest && rest.query !== undefined && rest.query !== null) return refused(`${BESIDE} query`);
  const given = "extensions" in rest ? extensionsShape.nullish().safeParse(rest.extensions) : undefined;
  // Extensions of another shape are Apollo's to refuse.
  if (given?.success === false) return { request: rest };
  if (given?.data?.persistedQuery !== undefined) return refused(`${BESIDE} extensions.persistedQuery`);
  const hash = hashIn(id.data);
  const query = trusted?.textOf(hash);
  return { request: query === undefined ? { ...rest, extensions: { ...given?.data, ...persisted(hash) } } : { ...rest, query } };
}

/** The same for the query of an address. */
export function withDocumentIn(search: string): Understood<string> {
  const parameters = new URLSearchParams(search);
  const [documentId, another] = parameters.getAll("documentId");
  if (documentId === undefined) return { request: search };
  if (another !== undefined) return refused("documentId must be there once");
  const given = parameters.get("extensions");
  const found = withDocument(
    {
      documentId,
      ...(parameters.has("query") ? { query: parameters.get("query") } : {}),
      ...(given === null ? {} : { extensions: jsonIn(given) ?? given }),
    },
    undefined,
  );
  if ("refused" in found) return found;
  const extensions = z.object({ extensions: extensionsShape }).safeParse(found.request);
  parameters.delete("documentId");
  if (extensions.success) parameters.set("extensions", JSON.stringify(extensions.data.extensions));
  return { request: `?${parameters}` };
}

/** What Apollo takes for a document that it knows by its hash. */
const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

const refused = (message: string): { readonly refused: Answer } => ({ refused: refusal(400, `${message}.`) });

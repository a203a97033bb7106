import { hashIn, type TrustedDocuments } from "./trustedDocuments.js";

/** What Apollo takes for a document that it knows by its hash. */
const persisted = (documentId: string) => ({
  persistedQuery: { version: 1, sha256Hash: hashIn(documentId) },
});

/**
 * A request body whose document is named by `documentId`, as one with its text where that is trusted; Apollo looks up any
 * other, and says if there is none. Every other body stays as it is.
 */
export function withDocument(body: unknown, trusted: TrustedDocuments | undefined): unknown {
  if (typeof body !== "object" || body === null || !("documentId" in body) || typeof body.documentId !== "string") return body;
  const { documentId, ...rest } = body;
  const extensions = persisted(documentId);
  const query = trusted?.textOf(extensions.persistedQuery.sha256Hash);
  return query === undefined ? { ...rest, extensions } : { ...rest, query };
}

/** The same for the query of an address. */
export function withDocumentIn(search: string): string {
  if (!search.includes("documentId=")) return search;
  const parameters = new URLSearchParams(search);
  const documentId = parameters.get("documentId");
  if (documentId === null) return search;
  parameters.delete("documentId");
  parameters.set("extensions", JSON.stringify(persisted(documentId)));
  return `?${parameters}`;
}

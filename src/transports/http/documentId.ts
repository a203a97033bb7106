import { jsonIn } from "@exchange-graph/contract/json";
import { z } from "zod";
import { type Understood, withDocument } from "../../engine/documents/documentId.js";

const extensionsShape = z.object({ extensions: z.record(z.string(), z.unknown()) });
const NO_TEXTS = { textOf: () => undefined };

/** Replaces `documentId` in the query string by the reference to a persisted query. */
export function withDocumentIn(search: string): Understood<string> {
  const parameters = new URLSearchParams(search);
  const [documentId, another] = parameters.getAll("documentId");
  if (documentId === undefined) return { request: search };
  if (another !== undefined) return { refused: "documentId must occur once." };
  const given = parameters.get("extensions");
  const found = withDocument(
    {
      documentId,
      ...(parameters.has("query") ? { query: parameters.get("query") } : {}),
      ...(given === null ? {} : { extensions: jsonIn(given) ?? given }),
    },
    NO_TEXTS,
  );
  if ("refused" in found) return found;
  const extensions = extensionsShape.safeParse(found.request);
  parameters.delete("documentId");
  if (extensions.success) parameters.set("extensions", JSON.stringify(extensions.data.extensions));
  return { request: `?${parameters}` };
}

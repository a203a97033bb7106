import { createHash } from "node:crypto";
import { GraphQLError } from "graphql";
import { z } from "zod";
import { jsonIn } from "../../transports/http/json.js";

/** The SHA-256 of a document's text in hexadecimal, with or without the name of the method. */
export const HASH = /^(?:sha256:)?[\da-f]{64}$/;

const SCHEME = "sha256:";

const manifest = z.record(z.string().regex(HASH, "must be a SHA-256 in hexadecimal"), z.string().min(1));

/** The manifest cannot be used; the message says why. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";

  constructor(reason: string) {
    super(`TRUSTED_DOCUMENTS: ${reason}`);
  }
}

/** The documents that this gateway runs, when it runs no others: those that its front ends were built with. */
export class TrustedDocuments {
  readonly #byHash: ReadonlyMap<string, string>;
  readonly #texts: ReadonlySet<string>;

  private constructor(byHash: ReadonlyMap<string, string>) {
    this.#byHash = byHash;
    this.#texts = new Set(byHash.values());
  }

  /** Reads the manifest that the code generator writes: texts by their hashes. Throws `ManifestError`. */
  static fromManifest(json: string): TrustedDocuments {
    const read = manifest.safeParse(jsonIn(json));
    if (!read.success) throw new ManifestError("must be a JSON object of documents by their SHA-256");
    const documents = new Map(Object.entries(read.data).map(([id, text]) => [hashIn(id), text]));
    for (const [hash, text] of documents)
      if (hashOf(text) !== hash) throw new ManifestError(`has a document that is not the one of its hash: ${hash}`);
    return new TrustedDocuments(documents);
  }

  textOf(hash: string): string | undefined {
    return this.#byHash.get(hash);
  }

  /** Refuses a text that is in no manifest. */
  refused(text: string): GraphQLError | undefined {
    return this.#texts.has(text) ? undefined : UNTRUSTED;
  }
}

const UNTRUSTED = new GraphQLError("This gateway runs only the documents of its manifest.", {
  extensions: { code: "FORBIDDEN", http: { status: 403 } },
});

/** The hash in an identifier. */
export const hashIn = (id: string): string => (id.startsWith(SCHEME) ? id.slice(SCHEME.length) : id);

/** The SHA-256 of a document's text, in hexadecimal. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

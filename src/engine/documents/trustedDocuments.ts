import { createHash } from "node:crypto";
import { GraphQLError } from "graphql";
import { z } from "zod";
import { jsonIn } from "./json.js";

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
  #byHash: ReadonlyMap<string, string> = new Map();
  #texts: ReadonlySet<string> = new Set();
  readonly #listeners: (() => void)[] = [];

  /** Reads the manifest that the code generator writes: texts by their hashes. Throws `ManifestError`. */
  constructor(manifest: string) {
    this.replace(manifest);
  }

  /** Runs the documents of this manifest from now on, and no others. Throws `ManifestError`, and then nothing changes. */
  replace(json: string): void {
    const read = manifest.safeParse(jsonIn(json));
    if (!read.success) throw new ManifestError("must be a JSON object of documents by their SHA-256");
    const documents = new Map(Object.entries(read.data).map(([id, text]) => [hashIn(id), text]));
    for (const [hash, text] of documents)
      if (hashOf(text) !== hash) throw new ManifestError(`has a document that is not the one of its hash: ${hash}`);
    this.#byHash = documents;
    this.#texts = new Set(documents.values());
    for (const listener of this.#listeners) listener();
  }

  /** Calls whenever others are run: what was found out about a text before does not hold any more. */
  onReplace(listener: () => void): void {
    this.#listeners.push(listener);
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

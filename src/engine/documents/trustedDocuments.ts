import { createHash } from "node:crypto";
import { jsonIn } from "@exchange-graph/contract/json";
import type { GraphQLError } from "graphql";
import { z } from "zod";
import { withHead } from "../errors/coded.js";

/** The SHA-256 of a document in hexadecimal, with or without the prefix `sha256:`. */
export const HASH = /^(?:sha256:)?[\da-f]{64}$/;

const SCHEME = "sha256:";

const manifest = z.record(z.string().regex(HASH, "must be a SHA-256 in hexadecimal"), z.string().min(1));

/** An invalid manifest; the message has the reason. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";

  constructor(reason: string) {
    super(`TRUSTED_DOCUMENTS: ${reason}`);
  }
}

/** The trusted documents: with a manifest, the gateway executes no others. */
export class TrustedDocuments {
  #byHash: ReadonlyMap<string, string> = new Map();
  #texts: ReadonlySet<string> = new Set();
  readonly #listeners: (() => void)[] = [];

  /** Reads a manifest of the code generator: texts by their hashes. Throws `ManifestError`. */
  constructor(manifest: string) {
    this.replace(manifest);
  }

  /** Replaces the manifest. Throws `ManifestError`, and then keeps the current one. */
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

  /** Calls `listener` after each replacement, so that cached verdicts can be dropped. */
  onReplace(listener: () => void): void {
    this.#listeners.push(listener);
  }

  textOf(hash: string): string | undefined {
    return this.#byHash.get(hash);
  }

  refused(text: string): GraphQLError | undefined {
    return this.#texts.has(text) ? undefined : UNTRUSTED;
  }
}

const UNTRUSTED = withHead("This gateway runs only the documents of its manifest.", "FORBIDDEN", { status: 403 });

/** The hash in an identifier, without its prefix. */
export const hashIn = (id: string): string => (id.startsWith(SCHEME) ? id.slice(SCHEME.length) : id);

/** The SHA-256 of a document's text, in hexadecimal. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

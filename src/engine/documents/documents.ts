import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import { lruByWeight } from "../../datasources/errors/index.js";
import { coded, withHead } from "../errors/coded.js";
import { GRAPHQL_CODES } from "../errors/refusalCodes.js";
import { refusedText } from "./documentLimits.js";
import type { DocumentPolicy } from "./documentPolicy.js";
import { hashOf } from "./trustedDocuments.js";

/** Total characters of cached documents. A parsed document takes about a hundred times the memory of its text. */
const KEPT_TEXT = 400_000;
/** Total characters of registered persisted queries in memory. */
const PERSISTED_TEXT = 4_000_000;

/** Place of persisted queries in the store, and how long they stay there since they were last registered. */
const NAMESPACE = "documents";
const PERSISTED_MS = 30 * 86_400_000;

/** Caches parsed and validated documents by their text, and texts by their hash. */
export class Documents {
  readonly #parsed = lruByWeight<DocumentNode | readonly GraphQLError[]>(KEPT_TEXT, (_, text) => text.length);
  readonly #registered = lruByWeight<string>(PERSISTED_TEXT, (text) => text.length);

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly policy: DocumentPolicy,
  ) {}

  /** The document of a text, or its errors. Equal texts return the same document while it is cached. */
  read(text: string): DocumentNode | readonly GraphQLError[] {
    // The manifest can be replaced, so its verdict is not cached.
    const untrusted = this.policy.trusted?.refused(text);
    if (untrusted !== undefined) return [untrusted];
    const parsed = this.#parsed.get(text);
    if (parsed !== undefined) return parsed;
    const read = this.#check(text);
    this.#parsed.set(text, read);
    return read;
  }

  /** The text with this SHA-256: from the manifest if there is one, otherwise from the registered queries. */
  textOf(hash: string): string | GraphQLError | Promise<string | GraphQLError> {
    const { trusted, store } = this.policy;
    if (trusted !== undefined) return trusted.textOf(hash) ?? NOT_FOUND;
    const registered = this.#registered.get(hash);
    if (registered !== undefined || store === undefined) return registered ?? NOT_FOUND;
    return store.get(NAMESPACE, hash).then((text) => {
      // The store may be shared, so its text is not trusted.
      if (text === undefined || hashOf(text) !== hash) return NOT_FOUND;
      this.#registered.set(hash, text);
      return text;
    });
  }

  /** Registers a valid document's text under its SHA-256. With a manifest nothing is registered. */
  register(hash: string, text: string): void {
    const { trusted, store } = this.policy;
    if (trusted !== undefined || this.#registered.has(hash) || !("kind" in this.read(text))) return;
    this.#registered.set(hash, text);
    store?.set(NAMESPACE, hash, text, PERSISTED_MS);
  }

  #check(text: string): DocumentNode | readonly GraphQLError[] {
    const refused = this.policy.trusted === undefined ? refusedText(text, this.policy.limits) : undefined;
    if (refused !== undefined) return [refused];
    const { introspection, suggestions } = this.policy;
    const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    try {
      const document = parse(text);
      const errors = validate(this.schema, document, rules, { hideSuggestions: !suggestions });
      return errors.length === 0 ? document : errors.map((error) => coded(error, GRAPHQL_CODES.GRAPHQL_VALIDATION_FAILED));
    } catch (error) {
      if (error instanceof GraphQLError) return [coded(error, GRAPHQL_CODES.GRAPHQL_PARSE_FAILED)];
      throw error;
    }
  }
}

/** With the HTTP status and headers that Apollo gives such a response. */
const NOT_FOUND = withHead("PersistedQueryNotFound", GRAPHQL_CODES.PERSISTED_QUERY_NOT_FOUND, {
  status: 200,
  headers: new Map([["cache-control", "private, no-cache, must-revalidate"]]),
});

import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener } from "@apollo/server";
import { type DocumentNode, type GraphQLError, Kind } from "graphql";
import { LRUCache } from "lru-cache";
import { lruByWeight } from "../../datasources/cache/lru.js";
import { type DocumentPolicy, refusedBy } from "./documentPolicy.js";

/** Characters of text whose documents are kept. A document takes about a hundred times the room of its text. */
export const KEPT_TEXT = 400_000;
/** Characters of persisted queries that clients may register. */
const PERSISTED_TEXT = 4_000_000;
/** A hash and one error each. */
const MAX_REFUSED = 1_000;

/** Stands where Apollo looks for a document: there is no operation in it, so nothing can be done with it. */
const REFUSED: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };

/**
 * Apollo's documents, and what it is not to parse at all. Apollo asks its store for a document before it parses a text,
 * and has no hook that could refuse a text there; so a text is judged as soon as it is known, and a refused one has a
 * document in the store that leads to its error.
 */
export class ApolloDocuments {
  readonly #documents = lruByWeight<DocumentNode>(KEPT_TEXT, ({ loc }) => loc?.source.body.length ?? KEPT_TEXT);
  readonly #refused = new LRUCache<string, GraphQLError>({ max: MAX_REFUSED });
  readonly #persisted = lruByWeight<string>(PERSISTED_TEXT, (text) => text.length);

  constructor(private readonly policy: DocumentPolicy) {}

  /** Where Apollo keeps what it has parsed and found valid, by the hashes of the texts. */
  readonly store = {
    get: async (key: string): Promise<DocumentNode | undefined> => {
      const hash = hashOfKey(key);
      return this.#refused.get(hash) === undefined ? this.#documents.get(hash) : REFUSED;
    },
    set: async (key: string, document: DocumentNode): Promise<void> => {
      this.#documents.set(hashOfKey(key), document);
    },
    delete: async (key: string): Promise<boolean> => this.#documents.delete(hashOfKey(key)),
  };

  /** Where Apollo looks for persisted queries: those that clients have registered, or those of the manifest alone. */
  readonly persisted = {
    get: async (key: string): Promise<string | undefined> => {
      const { trusted } = this.policy;
      return trusted === undefined ? this.#persisted.get(hashOfKey(key)) : trusted.textOf(hashOfKey(key));
    },
    set: async (key: string, text: string): Promise<void> => {
      if (this.policy.trusted === undefined) this.#persisted.set(hashOfKey(key), text);
    },
    delete: async (key: string): Promise<boolean> => this.#persisted.delete(hashOfKey(key)),
  };

  /** Judges each text, and refuses in the place of the operation that a refused one does not have. */
  plugin<Context extends BaseContext>(): ApolloServerPlugin<Context> {
    const listener: GraphQLRequestListener<Context> = {
      didResolveSource: async ({ source, queryHash }) => this.#judge(source, queryHash),
      didResolveOperation: async ({ document, queryHash }) => {
        if (document !== REFUSED) return;
        throw this.#refused.get(queryHash) ?? new Error("a document was refused without a reason");
      },
    };
    return { requestDidStart: async () => listener };
  }

  #judge(text: string, hash: string): void {
    // A manifest may be replaced: what it said of a text before says nothing now.
    const isJudged = this.#documents.get(hash) !== undefined || this.#refused.get(hash) !== undefined;
    if (isJudged && this.policy.trusted === undefined) return;
    const error = refusedBy(this.policy, text);
    if (error === undefined) this.#refused.delete(hash);
    else this.#refused.set(hash, error);
  }
}

/** Apollo puts prefixes of its own before the hash. */
const hashOfKey = (key: string): string => key.slice(key.lastIndexOf(":") + 1);

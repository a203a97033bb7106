import { ApolloServerErrorCode } from "@apollo/server/errors";
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import { lruByWeight } from "../../datasources/cache/lru.js";
import { coded } from "../errors/coded.js";
import { refusedText } from "./documentLimits.js";
import type { DocumentPolicy } from "./documentPolicy.js";

/** Characters of text whose documents are kept. A document takes about a hundred times the room of its text. */
const KEPT_TEXT = 400_000;
/** Characters of persisted queries that clients may register. */
const PERSISTED_TEXT = 4_000_000;

/** Documents by their text, parsed and validated once, and texts by their hash. */
export class Documents {
  readonly #known = lruByWeight<DocumentNode | readonly GraphQLError[]>(KEPT_TEXT, (_, text) => text.length);
  readonly #registered = lruByWeight<string>(PERSISTED_TEXT, (text) => text.length);

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly policy: DocumentPolicy,
  ) {}

  /** The document of this text, or what is wrong with it. Equal texts give the same document as long as it is kept. */
  read(text: string): DocumentNode | readonly GraphQLError[] {
    // A manifest may be replaced, so its verdict is not kept.
    const untrusted = this.policy.trusted?.refused(text);
    if (untrusted !== undefined) return [untrusted];
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const read = this.#check(text);
    this.#known.set(text, read);
    return read;
  }

  /** The text of this SHA-256: of the manifest where there is one, and otherwise of those that clients have registered. */
  textOf(hash: string): string | undefined {
    const { trusted } = this.policy;
    return trusted === undefined ? this.#registered.get(hash) : trusted.textOf(hash);
  }

  /** Keeps a valid document's text under its SHA-256. With a manifest nothing is registered. */
  register(hash: string, text: string): void {
    if (this.policy.trusted === undefined && "kind" in this.read(text)) this.#registered.set(hash, text);
  }

  #check(text: string): DocumentNode | readonly GraphQLError[] {
    const refused = this.policy.trusted === undefined ? refusedText(text, this.policy.limits) : undefined;
    if (refused !== undefined) return [refused];
    const { introspection, suggestions } = this.policy;
    const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    try {
      const document = parse(text);
      const errors = validate(this.schema, document, rules, { hideSuggestions: !suggestions });
      return errors.length === 0
        ? document
        : errors.map((error) => coded(error, ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED));
    } catch (error) {
      if (error instanceof GraphQLError) return [coded(error, ApolloServerErrorCode.GRAPHQL_PARSE_FAILED)];
      throw error;
    }
  }
}

import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  Lexer,
  type ListValueNode,
  OperationTypeNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  TokenKind,
  visit,
} from "graphql";
import { tooExpensive } from "../errors/operationRefusals.js";
import { GRAPHQL_CODES } from "../errors/refusalCodes.js";
import { type DefinitionSize, definitionSizes } from "./documentSize.js";
import { expanded, fragmentsOf } from "./nodes.js";

/**
 * Maximum number of visited fields and levels, above the other limits. A document with a fragment cycle would never end;
 * validation refuses it.
 */
const MAX_LOOKED_AT = 10_000;
const MAX_LEVELS = 50;

/**
 * Number of comparisons that validation makes between fields of the same response name, in the operation or fragment with most of
 * them. It grows with the square of the repetitions, at each level.
 */
function comparisonsIn(document: DocumentNode): number {
  const counter = new Counter(fragmentsOf(document));
  return document.definitions.reduce((most, definition) => {
    const isSelection = definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION;
    return isSelection ? Math.max(most, counter.count([definition.selectionSet])) : most;
  }, 0);
}

class Counter {
  #lookedAt = 0;

  constructor(private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>) {}

  /** Comparisons in selections that are merged into one. */
  count(sets: readonly SelectionSetNode[], levels = MAX_LEVELS): number {
    let sum = 0;
    for (const fields of this.#byName(sets).values()) {
      sum += (fields.length * (fields.length - 1)) / 2;
      const below = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (below.length > 0 && levels > 0 && this.#lookedAt < MAX_LOOKED_AT) sum += this.count(below, levels - 1);
    }
    return sum;
  }

  /** The fields by response name, with fragments expanded, each once. */
  #byName(sets: readonly SelectionSetNode[]): ReadonlyMap<string, readonly FieldNode[]> {
    const fields = new Map<string, FieldNode[]>();
    for (const selection of expanded(sets, this.fragments)) {
      if (selection.kind !== Kind.FIELD) continue;
      this.#lookedAt++;
      const name = selection.alias?.value ?? selection.name.value;
      const existing = fields.get(name);
      if (existing === undefined) fields.set(name, [selection]);
      else existing.push(selection);
    }
    return fields;
  }
}

/** Directives that make a selection conditional. */
const CONDITIONS: ReadonlySet<string> = new Set(["skip", "include"]);

/**
 * Rejects a subscription with `@skip` or `@include` on its root field, which the GraphQL specification forbids. graphql-js
 * implements this rule only in part, and throws in the other cases.
 */
function conditionalRoot(document: DocumentNode): GraphQLError | undefined {
  const fragments = fragmentsOf(document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== OperationTypeNode.SUBSCRIPTION) continue;
    const found = expanded([definition.selectionSet], fragments).find(isConditional);
    if (found !== undefined)
      return new GraphQLError("The root field of a subscription can neither be skipped nor be included on condition.", {
        nodes: found,
        extensions: { code: GRAPHQL_CODES.GRAPHQL_VALIDATION_FAILED, http: { status: 400 } },
      });
  }
  return undefined;
}

const isConditional = ({ directives = [] }: SelectionNode): boolean => directives.some(({ name }) => CONDITIONS.has(name.value));

/**
 * Limits on the size of a document. All but the first two and the last are counted with fragments expanded, per operation and
 * fragment.
 */
export interface DocumentLimits {
  readonly characters: number;
  readonly tokens: number;
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
  readonly rootFields: number;
  readonly directives: number;
  /** Pairs of fields with the same response name, which validation compares. */
  readonly comparisons: number;
  /** Entries of one list, in the document or in its variables. */
  readonly listItems: number;
}

/** Each limit is many times what a dashboard needs, and allows GraphiQL's introspection query. */
export const DOCUMENT_LIMITS: DocumentLimits = {
  characters: 65_536,
  tokens: 4_000,
  depth: 15,
  fields: 1_000,
  aliases: 100,
  rootFields: 50,
  directives: 50,
  comparisons: 10_000,
  listItems: 500,
};

/** Each level of fields can open brackets for arguments, a list and an object. */
const BRACKETS_PER_LEVEL = 4;
/** Tools query types with their parts, but never the parts of those parts. */
const TYPE_PARTS = 1;

/**
 * Refuses a text that is too large, in time proportional to its length. It runs before validation, some rules of which take far
 * longer, and one of which throws. A text that does not parse passes; the parser reports its error.
 */
export function refusedText(text: string, limits: DocumentLimits): GraphQLError | undefined {
  const { characters } = limits;
  if (text.length > characters)
    return tooExpensive(`The document is longer than ${characters} characters.`, limit("characters", characters, text.length));
  try {
    return refusedTokens(text, limits) ?? refusedDocument(parse(text), limits);
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** Reads up to the limit only. Brackets are counted here because the parser recurses for each. */
function refusedTokens(text: string, { tokens, depth }: DocumentLimits): GraphQLError | undefined {
  const lexer = new Lexer(new Source(text));
  const allowed = depth * BRACKETS_PER_LEVEL;
  let open = 0;
  for (let count = 0; ; count++) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return undefined;
    if (count === tokens)
      return tooExpensive(`The document is longer than ${tokens} tokens.`, limit("tokens", tokens, count + 1));
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) open++;
    if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) open--;
    if (open > allowed)
      return tooExpensive(`The document nests more than ${allowed} brackets.`, limit("brackets", allowed, open));
  }
}

const limit = (name: string, allowed: number, actual: number) => ({ name, allowed, actual });

function refusedDocument(document: DocumentNode, limits: DocumentLimits): GraphQLError | undefined {
  for (const size of definitionSizes(document)) {
    const refused = refusedDefinition(size, limits);
    if (refused !== undefined) return refused;
  }
  const { comparisons } = limits;
  const compared = comparisonsIn(document);
  if (compared > comparisons)
    return tooExpensive(
      `The document repeats fields so often that ${compared} pairs of them would be compared; ${comparisons} are allowed.`,
      limit("comparisons", comparisons, compared),
    );
  return refusedList(document, limits) ?? conditionalRoot(document);
}

function refusedDefinition(size: DefinitionSize, limits: DocumentLimits): GraphQLError | undefined {
  const { definition } = size;
  const kind = definition.kind === Kind.FRAGMENT_DEFINITION ? "fragment" : "operation";
  const where = definition.name === undefined ? `The ${kind}` : `The ${kind} ${definition.name.value}`;
  const over = (name: string, what: string, allowed: number, actual: number, node: ASTNode = definition) =>
    actual > allowed
      ? tooExpensive(`${where} has too many ${what}: ${allowed} allowed, ${actual} found.`, limit(name, allowed, actual), node)
      : undefined;
  return (
    over("rootFields", "root fields", limits.rootFields, size.rootFields) ??
    over("fields", "fields with its fragments written out", limits.fields, size.fields) ??
    over("aliases", "aliases", limits.aliases, size.aliases) ??
    over("directives", "directives", limits.directives, size.directives) ??
    over("depth", "levels of fields", limits.depth, size.depth, size.deepest) ??
    over("introspectionDepth", "steps from types to their parts", TYPE_PARTS, size.typeParts)
  );
}

function refusedList(document: DocumentNode, { listItems }: DocumentLimits): GraphQLError | undefined {
  let longest: ListValueNode | undefined;
  visit(document, {
    ListValue(node) {
      if (node.values.length > (longest?.values.length ?? listItems)) longest = node;
    },
  });
  return longest && tooManyItems("A list", listItems, longest.values.length, longest);
}

/** Refuses a list for its length. `what` is the subject of the message. */
export const tooManyItems = (what: string, allowed: number, actual: number, node?: ASTNode): GraphQLError =>
  tooExpensive(`${what} has too many entries: ${allowed} allowed, ${actual} found.`, limit("listItems", allowed, actual), node);

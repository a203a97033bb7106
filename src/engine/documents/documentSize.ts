import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { fragmentsOf } from "./nodes.js";

/** Size of a selection with its fragments expanded. */
interface SelectionSize {
  /** Levels of nested fields, and the deepest field. */
  readonly depth: number;
  readonly deepest: FieldNode | undefined;
  /** Fields of the selection itself. */
  readonly rootFields: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
  /** Number of steps from a type to its parts within an introspection query. */
  readonly typeParts: number;
}

/** Size of an operation or a fragment, unused fragments included: validation visits those too. */
export interface DefinitionSize extends SelectionSize {
  readonly definition: OperationDefinitionNode | FragmentDefinitionNode;
  /** 0 for a fragment. */
  readonly rootFields: number;
}

const NOTHING: SelectionSize = {
  depth: 0,
  deepest: undefined,
  rootFields: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
  typeParts: 0,
};

const beside = (one: SelectionSize, other: SelectionSize): SelectionSize => ({
  depth: Math.max(one.depth, other.depth),
  deepest: other.depth > one.depth ? other.deepest : one.deepest,
  rootFields: one.rootFields + other.rootFields,
  fields: one.fields + other.fields,
  aliases: one.aliases + other.aliases,
  directives: one.directives + other.directives,
  typeParts: Math.max(one.typeParts, other.typeParts),
});

/** The fields of `__Type` that return many other types or fields. */
const TYPE_PARTS: ReadonlySet<string> = new Set(["fields", "inputFields", "interfaces", "possibleTypes"]);

/**
 * Measures a document with its fragments expanded, in time proportional to its text: each fragment is measured once, however
 * often it is spread, so exponential expansion only yields a large number.
 */
export function definitionSizes(document: DocumentNode): readonly DefinitionSize[] {
  const fragments = fragmentsOf(document);
  const sizes = new Map<string, SelectionSize>();

  const ofFragment = (name: string): SelectionSize => {
    const cached = sizes.get(name);
    if (cached !== undefined) return cached;
    // A fragment that contains itself is reported by validation; it must not be followed here.
    sizes.set(name, NOTHING);
    const fragment = fragments.get(name);
    const size = fragment === undefined ? NOTHING : withDirectives(fragment, ofSet(fragment.selectionSet));
    sizes.set(name, size);
    return size;
  };
  const ofSet = ({ selections }: SelectionSetNode): SelectionSize => selections.map(ofSelection).reduce(beside, NOTHING);
  const ofSelection = (selection: SelectionNode): SelectionSize => {
    if (selection.kind === Kind.FIELD) return ofField(selection);
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? ofSet(selection.selectionSet) : ofFragment(selection.name.value);
    return withDirectives(selection, inner);
  };
  const ofField = (field: FieldNode): SelectionSize => {
    const inner = field.selectionSet === undefined ? NOTHING : ofSet(field.selectionSet);
    return withDirectives(field, {
      ...inner,
      depth: inner.depth + 1,
      deepest: inner.deepest ?? field,
      rootFields: 1,
      fields: inner.fields + 1,
      aliases: inner.aliases + (field.alias === undefined ? 0 : 1),
      typeParts: inner.typeParts + (TYPE_PARTS.has(field.name.value) ? 1 : 0),
    });
  };

  return document.definitions.flatMap((definition) => {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) return { definition, ...ofFragment(definition.name.value), rootFields: 0 };
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const { selectionSet } = definition;
    return { definition, ...withDirectives(definition, ofSet(selectionSet)) };
  });
}

const withDirectives = ({ directives = [] }: Pick<FieldNode, "directives">, size: SelectionSize): SelectionSize => ({
  ...size,
  directives: size.directives + directives.length,
});

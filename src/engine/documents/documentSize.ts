import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { fragmentsOf } from "./fragments.js";

/** How large a selection is with its fragments written out. */
interface SelectionSize {
  /** Levels of fields below each other, and the field at the lowest one. */
  readonly depth: number;
  readonly deepest: FieldNode | undefined;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
  /** How often the way leads from a type to its parts, where the schema is asked for. */
  readonly typeParts: number;
}

/** One operation of a document, or one fragment: validation looks at those too that nobody spreads. */
export interface DefinitionSize extends SelectionSize {
  readonly definition: OperationDefinitionNode | FragmentDefinitionNode;
  /** Fields that an operation starts with; none in a fragment. */
  readonly rootFields: number;
}

const NOTHING: SelectionSize = {
  depth: 0,
  deepest: undefined,
  fields: 0,
  aliases: 0,
  directives: 0,
  typeParts: 0,
};

const beside = (one: SelectionSize, other: SelectionSize): SelectionSize => ({
  depth: Math.max(one.depth, other.depth),
  deepest: other.depth > one.depth ? other.deepest : one.deepest,
  fields: one.fields + other.fields,
  aliases: one.aliases + other.aliases,
  directives: one.directives + other.directives,
  typeParts: Math.max(one.typeParts, other.typeParts),
});

/** The fields of `__Type` that lead from one type to many others. */
const TYPE_PARTS: ReadonlySet<string> = new Set(["fields", "inputFields", "interfaces", "possibleTypes"]);

/**
 * Measures a document as if its fragments were written out, in time proportional to its text: each fragment is measured
 * once, however often it is spread, so a document that would grow beyond all bounds is only a large number here.
 */
export function definitionSizes(document: DocumentNode): readonly DefinitionSize[] {
  const fragments = fragmentsOf(document);
  const sizes = new Map<string, SelectionSize>();
  const rootFields = new Map<string, number>();

  const ofFragment = (name: string): SelectionSize => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    // A fragment within itself is an error that validation words; it must not be followed here.
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
      fields: inner.fields + 1,
      aliases: inner.aliases + (field.alias === undefined ? 0 : 1),
      typeParts: inner.typeParts + (TYPE_PARTS.has(field.name.value) ? 1 : 0),
    });
  };
  const rootsOf = ({ selections }: SelectionSetNode): number =>
    selections.map(rootsOfSelection).reduce((sum, roots) => sum + roots, 0);
  const rootsOfSelection = (selection: SelectionNode): number => {
    if (selection.kind === Kind.FIELD) return 1;
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootsOf(selection.selectionSet);
    const name = selection.name.value;
    const known = rootFields.get(name);
    if (known !== undefined) return known;
    rootFields.set(name, 0);
    const fragment = fragments.get(name);
    const roots = fragment === undefined ? 0 : rootsOf(fragment.selectionSet);
    rootFields.set(name, roots);
    return roots;
  };

  return document.definitions.flatMap((definition) => {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) return { definition, rootFields: 0, ...ofFragment(definition.name.value) };
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const { selectionSet } = definition;
    return { definition, rootFields: rootsOf(selectionSet), ...withDirectives(definition, ofSet(selectionSet)) };
  });
}

const withDirectives = ({ directives = [] }: Pick<FieldNode, "directives">, size: SelectionSize): SelectionSize => ({
  ...size,
  directives: size.directives + directives.length,
});

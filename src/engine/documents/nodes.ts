import {
  BREAK,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  visit,
} from "graphql";

type Definition = DocumentNode["definitions"][number];

const isFragment = (definition: Definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION;

export const fragmentsOf = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(definitions.filter(isFragment).map((fragment) => [fragment.name.value, fragment]));

/** The selections of these sets with those in their fragments, in order. Each fragment is expanded once. */
export function expanded(
  sets: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly SelectionNode[] {
  const found: SelectionNode[] = [];
  const spread = new Set<string>();
  const add = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      found.push(selection);
      if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet);
      else if (selection.kind === Kind.FRAGMENT_SPREAD && !spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) add(fragment.selectionSet);
      }
    }
  };
  for (const set of sets) add(set);
  return found;
}

export function hasVariables(node: ValueNode): boolean {
  let found = false;
  visit(node, {
    Variable() {
      found = true;
      return BREAK;
    },
  });
  return found;
}

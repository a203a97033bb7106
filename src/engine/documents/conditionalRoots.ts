import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { GRAPHQL_CODES } from "../errors/codes.js";
import { fragmentsOf } from "./fragments.js";

/** Directives that make a selection conditional. */
const CONDITIONS: ReadonlySet<string> = new Set(["skip", "include"]);

/**
 * Rejects a subscription with `@skip` or `@include` on its root field, which the GraphQL specification forbids. graphql-js
 * implements this rule only in part, and throws in the other cases.
 */
export function conditionalRoot(document: DocumentNode): GraphQLError | undefined {
  const fragments = fragmentsOf(document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== OperationTypeNode.SUBSCRIPTION) continue;
    const found = conditionalIn(definition.selectionSet, fragments, new Set());
    if (found !== undefined)
      return new GraphQLError("The root field of a subscription can neither be skipped nor be included on condition.", {
        nodes: found,
        extensions: { code: GRAPHQL_CODES.GRAPHQL_VALIDATION_FAILED, http: { status: 400 } },
      });
  }
  return undefined;
}

/** Searches fragments too, each once. */
function conditionalIn(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  seen: Set<string>,
): SelectionNode | undefined {
  for (const selection of selections) {
    if (selection.directives?.some(({ name }) => CONDITIONS.has(name.value))) return selection;
    const inner = innerOf(selection, fragments, seen);
    const found = inner && conditionalIn(inner, fragments, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function innerOf(
  selection: SelectionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  seen: Set<string>,
): SelectionSetNode | undefined {
  if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet;
  if (selection.kind === Kind.FIELD || seen.has(selection.name.value)) return undefined;
  seen.add(selection.name.value);
  return fragments.get(selection.name.value)?.selectionSet;
}

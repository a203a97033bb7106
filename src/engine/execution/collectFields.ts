import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
} from "graphql";

interface Selecting {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** At least the variables of `@skip` and `@include`. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The selected fields of a type by response name, in order: CollectFields of the specification. */
export function collectFields(
  selecting: Selecting,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): ReadonlyMap<string, readonly [FieldNode, ...FieldNode[]]> {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const visited = new Set<string>();
  const add = (selection: SelectionNode): void => {
    if (!isIncluded(selecting, selection)) return;
    if (selection.kind === Kind.FIELD) {
      const name = selection.alias?.value ?? selection.name.value;
      const existing = fields.get(name);
      if (existing === undefined) fields.set(name, [selection]);
      else existing.push(selection);
      return;
    }
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      if (visited.has(selection.name.value)) return;
      visited.add(selection.name.value);
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? selecting.fragments[selection.name.value] : selection;
    if (fragment !== undefined && applies(selecting, fragment, type))
      for (const inner of fragment.selectionSet.selections) add(inner);
  };
  for (const { selections } of selectionSets) for (const selection of selections) add(selection);
  return fields;
}

function isIncluded({ variables }: Selecting, selection: SelectionNode): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false;
}

function applies(
  { schema }: Selecting,
  { typeCondition }: Pick<FragmentDefinitionNode, "typeCondition"> | { readonly typeCondition?: undefined },
  type: GraphQLObjectType,
): boolean {
  if (typeCondition === undefined) return true;
  const condition = typeFromAST(schema, typeCondition);
  return condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
}

import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  type SelectionSetNode,
} from "graphql";

/** Number of objects in each list of a complete introspection result, by the list's field name. */
function totalsOf(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const totals = { types: 0, fields: 0, args: 0, inputFields: 0, enumValues: 0, interfaces: 0, possibleTypes: 0, directives: 0 };
  for (const type of Object.values(schema.getTypeMap())) {
    totals.types++;
    if (isObjectType(type) || isInterfaceType(type)) {
      const fields = Object.values(type.getFields());
      totals.fields += fields.length;
      totals.args += fields.reduce((sum, { args }) => sum + args.length, 0);
      totals.interfaces += type.getInterfaces().length;
    }
    if (isInterfaceType(type) || isUnionType(type)) totals.possibleTypes += schema.getPossibleTypes(type).length;
    if (isInputObjectType(type)) totals.inputFields += Object.keys(type.getFields()).length;
    if (isEnumType(type)) totals.enumValues += type.getValues().length;
  }
  for (const { args } of schema.getDirectives()) {
    totals.directives++;
    totals.args += args.length;
  }
  return new Map(Object.entries(totals));
}

/** Introspection fields that return one object each. */
const SINGLE = new Set(["mutationType", "ofType", "queryType", "subscriptionType", "type"]);

/**
 * Maximum number of objects in an introspection result. A list has at most as many entries as all lists of its field together:
 * the document limits do not allow nested type parts.
 */
export function introspectionCost(
  schema: GraphQLSchema,
): (field: FieldNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>) => number {
  let totals: ReadonlyMap<string, number> | undefined;
  return (field, fragments) => {
    totals ??= totalsOf(schema);
    const lists = totals;
    const within = ({ selections }: SelectionSetNode, parents: number): number =>
      selections.reduce((sum, selection) => {
        if (selection.kind === Kind.INLINE_FRAGMENT) return sum + within(selection.selectionSet, parents);
        if (selection.kind === Kind.FRAGMENT_SPREAD) {
          const fragment = fragments.get(selection.name.value);
          return sum + (fragment === undefined ? 0 : within(fragment.selectionSet, parents));
        }
        const { name, selectionSet } = selection;
        const objects = lists.get(name.value) ?? (SINGLE.has(name.value) ? parents : 0);
        return sum + objects + (selectionSet === undefined ? 0 : within(selectionSet, objects));
      }, 0);
    return 1 + (field.selectionSet === undefined ? 0 : within(field.selectionSet, 1));
  };
}

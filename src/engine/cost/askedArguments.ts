import { type FieldNode, type GraphQLField, Kind, type ValueNode, valueFromASTUntyped, visit } from "graphql";
import type { AskedArguments } from "../../schema/cost.js";

/** The variables of a request, defaults included. */
export type Variables = Readonly<Record<string, unknown>>;

/** The arguments of a field as they are asked for, by the variables where there are any among them. */
export interface FieldArguments {
  with(variables: Variables): AskedArguments;
}

/** Reads the arguments of a field, whatever they are: the cost of a wrong one does not matter, for nothing will run. */
export function argumentsOf({ args }: GraphQLField<unknown, unknown>, { arguments: given = [] }: FieldNode): FieldArguments {
  const defaults = args.flatMap(({ name, defaultValue }) => (defaultValue === undefined ? [] : [[name, defaultValue] as const]));
  const read = (variables: Variables): AskedArguments => {
    const found = given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)] as const);
    return Object.fromEntries([...defaults, ...found.filter(([, value]) => value !== undefined)]);
  };
  if (given.some(({ value }) => hasVariable(value))) return { with: read };
  const constant = read({});
  return { with: () => constant };
}

function hasVariable(value: ValueNode): boolean {
  let found = false;
  visit(value, {
    [Kind.VARIABLE]() {
      found = true;
    },
  });
  return found;
}

import { type FieldNode, type GraphQLField, Kind, type ValueNode, valueFromASTUntyped, visit } from "graphql";
import type { ArgumentValues } from "../../schema/cost.js";

/** The variables of a request with their defaults. */
export type Variables = Readonly<Record<string, unknown>>;

/** The arguments of a field, as a function of the variables if they contain any. */
export interface FieldArguments {
  with(variables: Variables): ArgumentValues;
}

/**
 * Reads the arguments of a field without validation: an operation with a wrong argument is not executed, so its cost does not
 * matter.
 */
export function argumentsOf({ args }: GraphQLField<unknown, unknown>, { arguments: given = [] }: FieldNode): FieldArguments {
  const defaults = args.flatMap(({ name, defaultValue }) => (defaultValue === undefined ? [] : [[name, defaultValue] as const]));
  const read = (variables: Variables): ArgumentValues => {
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

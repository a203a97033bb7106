import {
  BREAK,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  getArgumentValues,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromAST,
  visit,
} from "graphql";

/** Arguments of a field, or variables of an operation, by their names. */
export type Values = Readonly<Record<string, unknown>>;

/** An argument: a variable, a constant, or absent. */
interface GivenArgument {
  readonly name: string;
  readonly variable: string | undefined;
  /** The constant or the default; `undefined` if there is none. */
  readonly value: unknown;
  readonly isRequired: boolean;
}

/**
 * Returns a reader of a field's arguments, equivalent to `getArgumentValues`. The document is analysed once; each execution fills
 * in its variables. Unusual and invalid arguments are left to graphql-js at each execution.
 */
export function argumentReader(definition: GraphQLField<unknown, unknown>, node: FieldNode): (variables: Values) => Values {
  const unusual = (variables: Values): Values => getArgumentValues(definition, node, variables);
  const nodes = new Map((node.arguments ?? []).map(({ name, value }) => [name.value, value]));
  const given = definition.args.map((argument) => givenBy(argument, nodes.get(argument.name)));
  const simple = given.filter((each) => each !== undefined);
  if (simple.length < given.length) return unusual;
  return (variables) => {
    const values: Record<string, unknown> = {};
    for (const { name, variable, value, isRequired } of simple) {
      const isSet = variable !== undefined && Object.hasOwn(variables, variable);
      const read = isSet ? variables[variable] : value;
      if ((isSet && read === undefined) || (isRequired && (read === undefined || read === null))) return unusual(variables);
      if (read !== undefined) values[name] = read;
    }
    return values;
  };
}

/** `undefined` for a value that contains variables. */
function givenBy({ name, type, defaultValue }: GraphQLArgument, node: ValueNode | undefined): GivenArgument | undefined {
  const isRequired = isNonNullType(type);
  if (node === undefined) return { name, variable: undefined, value: defaultValue, isRequired };
  if (node.kind === Kind.VARIABLE) return { name, variable: node.name.value, value: defaultValue, isRequired };
  if (hasVariables(node)) return undefined;
  const value = frozen(valueFromAST(node, type));
  return value === undefined ? undefined : { name, variable: undefined, value, isRequired };
}

/** A constant is shared by all executions, so it is frozen. */
function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

function hasVariables(node: ValueNode): boolean {
  let found = false;
  visit(node, {
    Variable() {
      found = true;
      return BREAK;
    },
  });
  return found;
}

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

type Values = Readonly<Record<string, unknown>>;

/** One argument that was given as a variable, as a constant, or not at all. */
interface Given {
  readonly name: string;
  readonly variable: string | undefined;
  /** The constant, or the default; `undefined` is none. */
  readonly value: unknown;
  readonly isRequired: boolean;
}

/**
 * Reads the arguments of a field as `getArgumentValues` does. What a document says of them is looked at once; each execution fills in
 * its variables. What is unusual, and what is wrong, is left to graphql-js each time.
 */
export function argumentReader(definition: GraphQLField<unknown, unknown>, node: FieldNode): (variables: Values) => Values {
  const unusual = (variables: Values): Values => getArgumentValues(definition, node, variables);
  const nodes = new Map((node.arguments ?? []).map(({ name, value }) => [name.value, value]));
  const given = definition.args.map((argument) => givenBy(argument, nodes.get(argument.name)));
  const known = given.filter((each) => each !== undefined);
  if (known.length < given.length) return unusual;
  return (variables) => {
    const values: Record<string, unknown> = {};
    for (const { name, variable, value, isRequired } of known) {
      const isSet = variable !== undefined && Object.hasOwn(variables, variable);
      const read = isSet ? variables[variable] : value;
      if ((isSet && read === undefined) || (isRequired && (read === undefined || read === null))) return unusual(variables);
      if (read !== undefined) values[name] = read;
    }
    return values;
  };
}

/** `undefined` for what is not for one look: variables within a value. */
function givenBy({ name, type, defaultValue }: GraphQLArgument, node: ValueNode | undefined): Given | undefined {
  const isRequired = isNonNullType(type);
  if (node === undefined) return { name, variable: undefined, value: defaultValue, isRequired };
  if (node.kind === Kind.VARIABLE) return { name, variable: node.name.value, value: defaultValue, isRequired };
  if (hasVariables(node)) return undefined;
  const value = frozen(valueFromAST(node, type));
  return value === undefined ? undefined : { name, variable: undefined, value, isRequired };
}

/** A constant is one value for all executions: nobody changes it. */
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

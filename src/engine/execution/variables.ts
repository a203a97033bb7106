import {
  type GraphQLInputType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  type VariableDefinitionNode,
} from "graphql";

/** Marks a value that graphql-js has to judge: it is invalid, or its type has its own parsing. */
const UNCLEAR = Symbol("unclear");
type Read = (value: unknown) => unknown;

const ifTrue =
  (isPlain: (value: unknown) => boolean): Read =>
  (value) =>
    isPlain(value) ? value : UNCLEAR;

const LARGEST_INT = 2 ** 31 - 1;
const isText = (value: unknown): boolean => typeof value === "string";

/** Types whose JSON form is the form that resolvers get. */
const BY_NAME: ReadonlyMap<string, Read> = new Map([
  ["String", ifTrue(isText)],
  ["ID", ifTrue(isText)],
  ["Boolean", ifTrue((value) => typeof value === "boolean")],
  ["Float", ifTrue(Number.isFinite)],
  ["Int", ifTrue((value) => typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= LARGEST_INT)],
]);

const inputOf = (type: GraphQLType | undefined): GraphQLInputType | undefined => (isInputType(type) ? type : undefined);

function readerOf(type: GraphQLInputType | undefined): Read {
  if (isNonNullType(type)) {
    const read = readerOf(inputOf(type.ofType));
    return (value) => (value === null ? UNCLEAR : read(value));
  }
  const read = isListType(type) ? listReader(readerOf(inputOf(type.ofType))) : namedReader(type);
  return (value) => (value === null ? null : read(value));
}

function namedReader(type: GraphQLInputType | undefined): Read {
  if (isEnumType(type))
    return (value) => {
      const member = typeof value === "string" ? type.getValue(value) : undefined;
      return member === undefined || member === null ? UNCLEAR : member.value;
    };
  return BY_NAME.get(String(type)) ?? (() => UNCLEAR);
}

const listReader =
  (readItem: Read): Read =>
  (value) => {
    if (!Array.isArray(value)) return UNCLEAR;
    const items: unknown[] = [];
    for (const entry of value) {
      const item = readItem(entry);
      if (item === UNCLEAR) return UNCLEAR;
      items.push(item);
    }
    return items;
  };

/**
 * Coerces the variables of an operation in the common, clearly valid cases, far faster than graphql-js. `undefined`: graphql-js
 * has to coerce them.
 */
export function plainVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (inputs: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | undefined {
  const readers = definitions.map(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    return {
      name: variable.name.value,
      read: readerOf(inputOf(type)),
      mayBeLeftOut: defaultValue === undefined && node.kind !== Kind.NON_NULL_TYPE,
    };
  });
  return (inputs) => {
    const variables: Record<string, unknown> = {};
    for (const { name, read, mayBeLeftOut } of readers) {
      if (Object.hasOwn(inputs, name)) {
        const value = read(inputs[name]);
        if (value === UNCLEAR) return undefined;
        variables[name] = value;
      } else if (!mayBeLeftOut) {
        return undefined;
      }
    }
    return variables;
  };
}

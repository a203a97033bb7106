import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLError,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  type GraphQLType,
  getArgumentValues,
  isEnumType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type ResponsePath,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromAST,
} from "graphql";
import { hasVariables } from "../documents/nodes.js";

/** Path in the response; undefined for the response as a whole. */
export type Path = ResponsePath | undefined;

/** Rows that are written in one slice: a few milliseconds for the largest rows. */
const ROWS_PER_SLICE = 500;

/** Waits until an execution may continue; rejects if no client waits any more. */
export type Pause = () => Promise<void>;

/** The arguments of fields, for executions with the same variables. */
export type ReadArguments = Map<(variables: VariableValues) => VariableValues, VariableValues>;

export class Run {
  readonly errors: GraphQLError[] = [];
  #nulled: Set<Path> | undefined;
  #rows = 0;
  #pausing: Promise<void> | undefined;

  constructor(
    readonly context: unknown,
    /** Coerced, with defaults. */
    readonly variables: VariableValues,
    private readonly pause?: Pause,
    private readonly readArguments?: ReadArguments,
  ) {}

  argumentsOf(read: (variables: VariableValues) => VariableValues): VariableValues {
    const cached = this.readArguments?.get(read);
    if (cached !== undefined) return cached;
    const values = read(this.variables);
    this.readArguments?.set(read, values);
    return values;
  }

  /**
   * Counts a written row. Returns a promise to await before the next row, if the slice is over: lists beside each other share it, so
   * that fifty of them do not each write a slice in one turn.
   */
  wroteRow(): Promise<void> | undefined {
    if (this.pause === undefined || this.#pausing !== undefined) return this.#pausing;
    if (++this.#rows < ROWS_PER_SLICE) return undefined;
    this.#rows = 0;
    this.#pausing = this.pause().finally(() => {
      this.#pausing = undefined;
    });
    return this.#pausing;
  }

  /** Records an error that made this path null. Errors below a path that is already null are dropped. */
  fail(error: GraphQLError, path: Path): void {
    this.#nulled ??= new Set();
    for (let place = path; place !== undefined; place = place.prev) if (this.#nulled.has(place)) return;
    if (this.#nulled.has(undefined)) return;
    this.#nulled.add(path);
    this.errors.push(error);
  }
}

/** Marks a value that graphql-js has to coerce: it is invalid, or its type has its own parsing. */
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

/** Arguments of a field, or variables of an operation, by their names. */
export type VariableValues = Readonly<Record<string, unknown>>;

/** An argument: a variable, a constant, or absent. */
interface ArgumentReader {
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
export function argumentReader(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: VariableValues) => VariableValues {
  const unusual = (variables: VariableValues): VariableValues => getArgumentValues(definition, node, variables);
  const nodes = new Map((node.arguments ?? []).map(({ name, value }) => [name.value, value]));
  const readers = definition.args.map((argument) => givenBy(argument, nodes.get(argument.name)));
  const simple = readers.filter((each) => each !== undefined);
  if (simple.length < readers.length) return unusual;
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
function givenBy({ name, type, defaultValue }: GraphQLArgument, node: ValueNode | undefined): ArgumentReader | undefined {
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

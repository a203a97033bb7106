import {
  defaultFieldResolver,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isEnumType,
  isNonNullType,
  type OperationDefinitionNode,
  type ResponsePath,
} from "graphql";
import { argumentReader, type Path, type Run } from "./run.js";
import {
  abandoned,
  completed,
  DeferredText,
  type FieldPlace,
  failed,
  quoted,
  serialiser,
  type Text,
  type WriteValue,
} from "./values.js";

export type ParentRecord = Readonly<Record<string, unknown>>;

/** One field of a selection, ready to be written. */
export interface SelectedField {
  /** Text before the value: the response name, with a comma if it is not the first field. */
  readonly label: string;
  /** Name in the schema, which is also the property of the record. */
  readonly name: string;
  /** Whether the text depends on the record alone. */
  readonly isFixed: boolean;
  /** Writes the value. Throws or rejects if the error has to propagate to the parent. */
  write(run: Run, source: ParentRecord, parent: Path): Text;
}

/** `__typename` of a known type. */
export class TypenameField implements SelectedField {
  readonly name = "__typename";
  readonly isFixed = true;
  readonly #text: string;

  constructor(
    readonly label: string,
    type: GraphQLObjectType,
  ) {
    this.#text = quoted(type.name);
  }

  write(): string {
    return this.#text;
  }
}

/** The operation of a field, as resolvers see it. */
export interface FieldOperation {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly operation: OperationDefinitionNode;
}

/** The general field: with or without a resolver, of any type, synchronous or not. */
export class AnyField implements SelectedField {
  readonly name: string;
  readonly #argumentsOf: ReturnType<typeof argumentReader>;

  constructor(
    readonly label: string,
    private readonly key: string,
    readonly isFixed: boolean,
    private readonly of: FieldOperation,
    private readonly parentType: GraphQLObjectType,
    private readonly definition: GraphQLField<unknown, unknown>,
    private readonly place: FieldPlace,
    private readonly writeValue: WriteValue,
  ) {
    this.name = definition.name;
    this.#argumentsOf = argumentReader(definition, place.nodes[0]);
  }

  write(run: Run, source: ParentRecord, parent: Path): Text {
    const path = this.#pathUnder(parent);
    let value: unknown;
    try {
      value = this.#read(run, source, path);
    } catch (error) {
      return failed(run, error, this.place, path);
    }
    return completed(run, value, this.writeValue, this.place, path);
  }

  /** Records that the value could not be written. */
  failedUnder(parent: Path, run: Run, error: unknown): "null" {
    return failed(run, error, this.place, this.#pathUnder(parent));
  }

  #pathUnder(parent: Path): ResponsePath {
    return { prev: parent, key: this.key, typename: this.parentType.name };
  }

  #read(run: Run, source: ParentRecord, path: ResponsePath): unknown {
    const { name, resolve } = this.definition;
    if (resolve === undefined) {
      const value = source[name];
      if (typeof value !== "function") return value;
    }
    return (resolve ?? defaultFieldResolver)(source, run.argumentsOf(this.#argumentsOf), run.context, this.#info(run, path));
  }

  #info(run: Run, path: ResponsePath): GraphQLResolveInfo {
    return {
      fieldName: this.definition.name,
      fieldNodes: this.place.nodes,
      returnType: this.definition.type,
      parentType: this.parentType,
      path,
      schema: this.of.schema,
      fragments: this.of.fragments,
      rootValue: undefined,
      operation: this.of.operation,
      variableValues: run.variables,
    };
  }
}

/** A scalar or enum that is a property of its record. Most fields are, so the common cases are optimised. */
export class RecordField implements SelectedField {
  readonly isFixed = true;
  readonly name: string;
  /** Whether text is written without escaping. */
  readonly isText: boolean;
  readonly #isNullable: boolean;
  readonly #isAlwaysBare: boolean;
  readonly #serialised: (value: unknown) => string;

  constructor(
    readonly label: string,
    { name, type: declared }: GraphQLField<unknown, unknown>,
    private readonly type: GraphQLLeafType,
    /** The general field, for uncommon cases. */
    private readonly unusual: AnyField,
  ) {
    this.name = name;
    this.isText = type.name === "String" || type.name === "ID" || type.extensions.textAsItIs === true;
    this.#isNullable = !isNonNullType(declared);
    this.#isAlwaysBare = isEnumType(type) || type.extensions.unescaped === true;
    this.#serialised = serialiser(type);
  }

  write(run: Run, source: ParentRecord, parent: Path): Text {
    return this.writeRead(run, source, parent, source[this.name]);
  }

  /** The value without quotes if JSON needs no escaping; otherwise undefined, and `writeRead` writes it. */
  bare(value: unknown): string | undefined {
    if (!this.#isAlwaysBare || value === null || value === undefined) return undefined;
    try {
      const text: unknown = this.type.serialize(value);
      return typeof text === "string" ? text : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes a value that was read from the record already. */
  writeRead(run: Run, source: ParentRecord, parent: Path, value: unknown): Text {
    if (typeof value === "string" && this.isText) return quoted(value);
    if ((value === null || value === undefined) && this.#isNullable) return "null";
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
      return this.unusual.write(run, source, parent);
    try {
      return this.#serialised(value);
    } catch (error) {
      return this.unusual.failedUnder(parent, run, error);
    }
  }
}

/**
 * Writes an object: ExecuteFields of the specification. All fields are started before any is awaited. Continues at field `at`,
 * with the text so far in `before` and the started value of that field in `begun`.
 */
export function writeFields(
  run: Run,
  fields: readonly SelectedField[],
  source: ParentRecord,
  path: Path,
  before = "{",
  at = 0,
  begun?: Promise<string>,
): Text {
  let text = before;
  let deferred: DeferredText | undefined;
  try {
    let waiting = begun;
    for (let next = at; next < fields.length; next++) {
      const field = fields[next];
      if (field === undefined) continue;
      const written = waiting ?? field.write(run, source, path);
      waiting = undefined;
      text += field.label;
      if (typeof written === "string") {
        text += written;
      } else {
        deferred ??= new DeferredText();
        deferred.add(text, written);
        text = "";
      }
    }
  } catch (error) {
    return abandoned(deferred, error);
  }
  text += "}";
  return deferred === undefined ? text : deferred.filled(text);
}

/** Writes the fields of a mutation one after the other. */
export async function writeSerially(run: Run, fields: readonly SelectedField[]): Promise<string> {
  let text = "{";
  for (const field of fields) text += field.label + (await field.write(run, {}, undefined));
  return `${text}}`;
}

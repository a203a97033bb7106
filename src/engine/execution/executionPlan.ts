import {
  type FieldNode,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql";
import { collectFields } from "./collectFields.js";
import type { Path, Run } from "./run.js";
import {
  AnyField,
  type FieldOperation,
  type ParentRecord,
  RecordField,
  type SelectedField,
  TypenameField,
  writeFields,
} from "./selectedFields.js";
import { isLasting, remembered, type SerializedTextCache } from "./serializedTextCache.js";
import { type FieldPlace, isAsItIs, list, nonNull, nullable, serialiser, type Text, type WriteValue } from "./values.js";

/**
 * Number of written objects after which a selection gets a generated function. Most documents of a hostile client do not reach it.
 */
const WORTH_COMPILING = 60;

type WriteObject = (run: Run, source: ParentRecord, path: Path) => Text;

/**
 * Writes the objects of one selection. After many objects it uses a generated function with one line per field, so that V8
 * optimises each property access separately, which it cannot in a loop over all kinds of fields.
 */
function objectWriter(fields: readonly SelectedField[]): WriteObject {
  let compiled: WriteObject | undefined;
  let objects = 0;
  return (run, source, path) => {
    if (compiled !== undefined) return compiled(run, source, path);
    if (++objects === WORTH_COMPILING) compiled = compile(fields);
    return writeFields(run, fields, source, path);
  };
}

/**
 * Generates the function. Its source contains names of the schema only, no aliases of the document. A closing quote is written
 * together with the next label, because fewer concatenations are faster.
 *
 * Values that JSON writes in quotes as they are, with which most objects begin, are written without a decision between two
 * labels. From the first other value on, `rest` writes the object.
 */
function compile(fields: readonly SelectedField[]): WriteObject {
  const bare = (field: RecordField, at: number): string =>
    `const value${at} = source[${JSON.stringify(field.name)}];
      const bare${at} = ${
        field.isText
          ? `typeof value${at} === "string" && isAsItIs(value${at}) ? value${at} : undefined`
          : `field${at}.bare(value${at})`
      };`;
  const cases = fields.map((field, at) => {
    if (!(field instanceof RecordField))
      return `case ${at}: const text${at} = field${at}.write(run, source, path);
      ${written(at)}`;
    return `case ${at}: ${bare(field, at)}
      if (bare${at} !== undefined) {
        text += (isOpen ? openQuoted${at} : quoted${at}) + bare${at};
        isOpen = true;
      } else {
        const text${at} = field${at}.writeRead(run, source, path, value${at});
        ${written(at)}
      }`;
  });
  const firstOther = fields.findIndex((field) => !(field instanceof RecordField));
  const leading = fields.slice(0, firstOther === -1 ? fields.length : firstOther).filter((field) => field instanceof RecordField);
  const lines = leading.map(
    (field, at) => `${bare(field, at)}
      if (bare${at} === undefined) return rest(run, source, path, text, ${at > 0}, ${at});
      text = text + ${at > 0 ? "openQuoted" : "quoted"}${at} + bare${at};`,
  );
  const constants = fields.map(
    (_, at) => `const field${at} = fields[${at}], label${at} = field${at}.label, open${at} = '"' + label${at},
      quoted${at} = label${at} + '"', openQuoted${at} = open${at} + '"';`,
  );
  const make = new Function(
    ...["fields", "isAsItIs", "writeFields"],
    `"use strict";
    ${constants.join("\n")}
    /** \`isOpen\`: the closing quote of the last value is still to be written. */
    const rest = (run, source, path, text, isOpen, at) => {
      switch (at) {
        ${cases.join("\n")}
      }
      return text + (isOpen ? '"}' : "}");
    };
    return (run, source, path) => {
      let text = "{";
      ${lines.join("\n")}
      return rest(run, source, path, text, ${leading.length > 0}, ${leading.length});
    };`,
  );
  return make(fields, isAsItIs, writeFields);
}

/** Code that appends a field's text, or continues asynchronously if it is a promise. */
const written = (at: number): string =>
  `if (typeof text${at} !== "string")
        return writeFields(run, fields, source, path, isOpen ? text + '"' : text, ${at}, text${at});
      text += (isOpen ? open${at} : label${at}) + text${at};
      isOpen = false;`;

/** A plan is made for an operation and its values of `@skip` and `@include`. */
interface Planned extends FieldOperation {
  readonly texts: SerializedTextCache;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The fields of a selection on a type, prepared for execution. */
export function planFields(
  planned: Planned,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): readonly SelectedField[] {
  return [...collectFields(planned, type, selectionSets)].flatMap(([key, nodes], at) => {
    const label = `${at === 0 ? "" : ","}"${key}":`;
    return planField(planned, type, key, label, nodes) ?? [];
  });
}

function planField(
  planned: Planned,
  parentType: GraphQLObjectType,
  key: string,
  label: string,
  nodes: readonly [FieldNode, ...FieldNode[]],
): SelectedField | undefined {
  const name = nodes[0].name.value;
  if (name === "__typename") return new TypenameField(label, parentType);
  const definition = parentType.getFields()[name] ?? metaFieldOf(planned, parentType, name);
  if (definition === undefined) throw new GraphQLError(`${parentType.name} has no field ${name}.`);
  const place = { name: `${parentType.name}.${name}`, type: definition.type, nodes };
  const { write, isFixed } = writerOf(planned, definition.type, place);
  const isRead = definition.resolve === undefined;
  const field = new AnyField(label, key, isRead && isFixed, planned, parentType, definition, place, write);
  const type = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
  return isRead && isLeafType(type) ? new RecordField(label, definition, type, field) : field;
}

/** The introspection fields of the root type. */
function metaFieldOf({ schema }: Planned, parentType: GraphQLObjectType, name: string) {
  if (parentType !== schema.getQueryType()) return undefined;
  return [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name);
}

interface Writer {
  readonly write: WriteValue;
  /** Whether the text depends on the value alone, because no field of it has a resolver. */
  readonly isFixed: boolean;
  readonly fields?: readonly SelectedField[];
}

function writerOf(planned: Planned, type: GraphQLOutputType, place: FieldPlace): Writer {
  if (isNonNullType(type)) {
    const { write, ...of } = writerOf(planned, type.ofType, place);
    return { write: nonNull(write, place), ...of };
  }
  if (isListType(type)) {
    const { write, isFixed, fields } = writerOf(planned, type.ofType, place);
    const read = isFixed && fields !== undefined ? new Set(fields.map(({ name }) => name)) : undefined;
    return { write: nullable(list(write, type.ofType, place, read)), isFixed };
  }
  if (isLeafType(type)) {
    const serialised = serialiser(type);
    return { write: nullable((_run, value) => serialised(value)), isFixed: true };
  }
  if (isAbstractType(type)) return ofAnyType(planned, type, place);
  if (!isObjectType(type)) throw new GraphQLError(`${place.name} returns a type that is not known in advance.`);
  const fields = planFields(
    planned,
    type,
    place.nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
  );
  const isFixed = fields.every((field) => field.isFixed);
  const writeObject = objectWriter(fields);
  const write: WriteValue = (run, value, path) => writeObject(run, isParentRecord(value) ? value : NO_RECORD, path);
  return { write: nullable(isFixed && isLasting(type) ? remembered(planned.texts, write) : write), isFixed, fields };
}

/** A record of an interface, written as the type that it names. */
function ofAnyType(planned: Planned, type: GraphQLAbstractType, place: FieldPlace): Writer {
  const writers = new Map(
    planned.schema.getPossibleTypes(type).map((possible) => [possible.name, writerOf(planned, possible, place).write] as const),
  );
  const write: WriteValue = (run, value, path) => {
    const name = isParentRecord(value) ? value.__typename : undefined;
    const writer = writers.get(String(name));
    if (writer === undefined) throw new GraphQLError(`${place.name} returned an object that is not a ${type.name}.`);
    return writer(run, value, path);
  };
  return { write: nullable(write), isFixed: false };
}

/** Parent record for a value that is not an object. */
const NO_RECORD: ParentRecord = {};
const isParentRecord = (value: unknown): value is ParentRecord =>
  (typeof value === "object" && value !== null) || typeof value === "function";

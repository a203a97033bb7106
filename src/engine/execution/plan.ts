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
import { AnyField, type Field, type Operation, type ParentRecord, RecordField, TypenameField } from "./fields.js";
import { objectWriter } from "./objectWriter.js";
import { isLasting, remembered, type SerializedTextCache } from "./serializedTextCache.js";
import { type FieldPlace, list, nonNull, nullable, serialiser, type WriteValue } from "./values.js";

/** A plan is made for an operation and its values of `@skip` and `@include`. */
interface Planned extends Operation {
  readonly texts: SerializedTextCache;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The fields of a selection on a type, prepared for execution. */
export function planFields(
  planned: Planned,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): readonly Field[] {
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
): Field | undefined {
  const name = nodes[0].name.value;
  if (name === "__typename") return new TypenameField(label, parentType);
  const definition = parentType.getFields()[name] ?? metaFieldOf(planned, parentType, name);
  if (definition === undefined) throw new GraphQLError(`${parentType.name} has no field ${name}.`);
  const place = { name: `${parentType.name}.${name}`, nodes };
  const { write, isFixed } = writerOf(planned, definition.type, place);
  const isRead = definition.resolve === undefined;
  const field = new AnyField(label, key, isRead && isFixed, planned, parentType, definition, nodes, write);
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
  /** The fields of an object type. */
  readonly fields?: readonly Field[];
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

import {
  type FieldNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from "graphql";
import { collectFields } from "./collectFields.js";
import { AnyField, type Field, type Operation, RecordField, type Source, TypenameField, writeFields } from "./fields.js";
import { list, nonNull, nullable, type Place, serialised, type WriteValue } from "./values.js";

/** A plan is made for an operation and for what its variables say of `@skip` and `@include`. */
export interface Planned extends Operation {
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The fields of a selection on a type, each with all that is known of it before anything runs. */
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
  const definition = parentType.getFields()[name];
  if (definition === undefined) throw new GraphQLError(`${parentType.name} has no field ${name}.`);
  const place = { name: `${parentType.name}.${name}`, nodes };
  const field = new AnyField(label, key, planned, parentType, definition, nodes, writerOf(planned, definition.type, place));
  const type = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
  return definition.resolve === undefined && isLeafType(type) ? new RecordField(label, definition, type, field) : field;
}

function writerOf(planned: Planned, type: GraphQLOutputType, place: Place): WriteValue {
  if (isNonNullType(type)) return nonNull(writerOf(planned, type.ofType, place), place);
  if (isListType(type)) return nullable(list(writerOf(planned, type.ofType, place), type.ofType, place));
  if (isLeafType(type)) return nullable((_run, value) => serialised(type, value));
  if (!isObjectType(type)) throw new GraphQLError(`What ${place.name} gives is of a type that nobody knows beforehand.`);
  const fields = planFields(
    planned,
    type,
    place.nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
  );
  return nullable((run, value, path) => writeFields(run, fields, isSource(value) ? value : NO_RECORD, path));
}

/** A value that is no object has no fields to read. */
const NO_RECORD: Source = {};
const isSource = (value: unknown): value is Source =>
  (typeof value === "object" && value !== null) || typeof value === "function";

import { ChangeType, CriticalityLevel, diff } from "@graphql-inspector/core";
import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from "graphql";

/**
 * Breaking and dangerous changes between two schemas, for clients of the first one.
 *
 * @param {string} before SDL of the last release
 * @param {string} now SDL of this tree
 * @returns {Promise<{ readonly breaking: readonly string[], readonly dangerous: readonly string[] }>} Each change with its path
 *   in the schema. `breaking`: a formerly valid document may be refused, or answered in another shape. `dangerous`: the document
 *   remains valid, but its answer may have values that the client does not expect, such as a new enum value.
 */
export async function schemaChanges(before, now) {
  const after = buildSchema(now);
  const changes = await diff(buildSchema(before), after);
  // Text that became a word of a list: documents stay valid, and so does what clients read.
  const isNowAWord = ({ type, meta }) =>
    type === ChangeType.FieldTypeChanged && meta.oldFieldType === "String" && isEnumType(after.getType(meta.newFieldType));
  const levelOf = (change) => (isNowAWord(change) ? CriticalityLevel.Dangerous : change.criticality.level);
  const ofLevel = (level) =>
    changes
      .filter((change) => levelOf(change) === level)
      .map(({ path, message }) => `${path}: ${message}`)
      .sort();
  return { breaking: ofLevel(CriticalityLevel.Breaking), dangerous: ofLevel(CriticalityLevel.Dangerous) };
}

/**
 * What is deprecated in a schema: its coordinate, such as `Type.field`, and the reason.
 *
 * @param {string} sdl
 * @returns {readonly string[]}
 */
export function deprecationsIn(sdl) {
  const found = Object.values(buildSchema(sdl).getTypeMap()).flatMap((type) => {
    if (isEnumType(type))
      return type.getValues().map(({ name, deprecationReason }) => [`${type.name}.${name}`, deprecationReason]);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ name, deprecationReason, args = [] }) => [
      [`${type.name}.${name}`, deprecationReason],
      ...args.map((argument) => [`${type.name}.${name}(${argument.name}:)`, argument.deprecationReason]),
    ]);
  });
  return found.flatMap(([coordinate, reason]) => (reason ? [`${coordinate}: ${reason}`] : [])).sort();
}

/**
 * Whether a version may have breaking changes against the last release: from 1.0 on a major version may, before 1.0 a minor
 * version.
 *
 * @param {string} last version of the last release
 * @param {string} version version of this tree
 */
export function mayBreak(last, version) {
  const [[lastMajor, lastMinor], [major, minor]] = [last, version].map((text) =>
    text.split(".").map((part) => Number.parseInt(part, 10)),
  );
  return major > lastMajor || (major === 0 && lastMajor === 0 && minor > lastMinor);
}

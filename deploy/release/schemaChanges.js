import { CriticalityLevel, diff } from "@graphql-inspector/core";
import { buildSchema } from "graphql";

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
  const changes = await diff(buildSchema(before), buildSchema(now));
  const ofLevel = (level) =>
    changes
      .filter(({ criticality }) => criticality.level === level)
      .map(({ path, message }) => `${path}: ${message}`)
      .sort();
  return { breaking: ofLevel(CriticalityLevel.Breaking), dangerous: ofLevel(CriticalityLevel.Dangerous) };
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

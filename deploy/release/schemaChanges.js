import { CriticalityLevel, diff } from "@graphql-inspector/core";
import { buildSchema } from "graphql";

/**
 * What has changed between two schemas for who uses the first one.
 *
 * @param {string} before SDL of the last release
 * @param {string} now SDL of this tree
 * @returns {Promise<{ readonly breaking: readonly string[], readonly dangerous: readonly string[] }>} Each change with its place.
 *   `breaking`: a document that was valid may be refused, or answered in another shape. `dangerous`: it is valid still and may meet what
 *   it does not know, such as a new enum value.
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
 * May a version break what the last release had? From 1.0 on a major version may; before it, a minor version.
 *
 * @param {string} last version of the last release
 * @param {string} version this tree's
 */
export function mayBreak(last, version) {
  const [[lastMajor, lastMinor], [major, minor]] = [last, version].map((text) =>
    text.split(".").map((part) => Number.parseInt(part, 10)),
  );
  return major > lastMajor || (major === 0 && lastMajor === 0 && minor > lastMinor);
}

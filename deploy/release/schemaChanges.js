import { buildSchema, findBreakingChanges, findDangerousChanges } from "graphql";

/**
 * What has changed between two schemas for who uses the first one.
 *
 * @param {string} before SDL of the last release
 * @param {string} now SDL of this tree
 * @returns {{ readonly breaking: readonly string[], readonly dangerous: readonly string[] }} `breaking`: a document that was valid may
 *   be refused, or answered in another shape. `dangerous`: it is valid still and may meet what it does not know, such as a new enum value.
 */
export function schemaChanges(before, now) {
  const [old, current] = [buildSchema(before), buildSchema(now)];
  const told = (changes) => changes.map(({ description }) => description).sort();
  return { breaking: told(findBreakingChanges(old, current)), dangerous: told(findDangerousChanges(old, current)) };
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

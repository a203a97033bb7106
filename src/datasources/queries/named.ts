import { badInput } from "../fault.js";

/** More names than this in one list is a mistake. */
const MAX_NAMES = 1_000;

export type Names = readonly string[] | null | undefined;

/** Keeps the rows whose name the caller lists; all of them without a list. Letter case does not matter. */
export function named<R>(rows: readonly R[], nameOf: (row: R) => string, argument: string, names: Names): readonly R[] {
  if (names === undefined || names === null) return rows;
  if (names.length > MAX_NAMES) throw badInput([{ argument, rule: `must not have more than ${MAX_NAMES} entries` }]);
  const wanted = new Set(names.map((name) => name.toUpperCase()));
  return rows.filter((row) => wanted.has(nameOf(row).toUpperCase()));
}

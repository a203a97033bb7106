import { inCapitals } from "@exchange-graph/contract/letterCase";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import { badInput } from "../fault.js";
import { oncePerAnswer } from "./oncePerAnswer.js";

/** More names than this in one list is a mistake. */
const MAX_NAMES = 1_000;

/** Names that a list is asked for by; all of it without them. */
export type Names = readonly string[] | null | undefined;

/** Stands for the name of a row whose name is unknown. */
const UNNAMED = "";

/** Where each name stands in a list. */
const placesByName = oncePerAnswer((_rows: readonly unknown[], namesOfRows: () => readonly string[]) => {
  const places = new Map<string, number[]>();
  namesOfRows().forEach((name, at) => {
    const known = places.get(name);
    if (known === undefined) places.set(name, [at]);
    else known.push(at);
  });
  return places;
});

/**
 * Keeps the rows whose name the client lists; all of them without a list. Letter case does not matter. A row that could
 * not be read is kept unless its identifier, which is its name mostly (`isId`), says that it is another.
 */
export function named<R>(
  rows: readonly Row<R>[],
  nameOf: (row: R) => string,
  argument: string,
  names: Names,
  isId = true,
): readonly Row<R>[] {
  if (names === undefined || names === null) return rows;
  if (names.length > MAX_NAMES) throw badInput([{ argument, rule: `must not have more than ${MAX_NAMES} entries` }]);
  const places = placesByName(rows, () =>
    rows.map((row) => inCapitals(isRead(row) ? nameOf(row) : ((isId ? row.rowId : undefined) ?? UNNAMED))),
  );
  const wanted: number[] = [...(places.get(UNNAMED) ?? [])];
  for (const name of names) wanted.push(...(places.get(name) ?? places.get(inCapitals(name)) ?? []));
  return ascending(wanted).flatMap((at) => rows[at] ?? []);
}

/** Each place once, in order: mostly they are asked for so. */
function ascending(places: readonly number[]): readonly number[] {
  const isAscending = places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
  return isAscending ? places : [...new Set(places)].sort((a, b) => a - b);
}

import { inCapitals } from "@exchange-graph/contract/letterCase";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import { badInput } from "../../errors/index.js";

/**
 * Computes something from a whole answer once: requests share an answer while it is cached. `more` must be the same for the same
 * answer, such as the category of a list.
 */
export function oncePerAnswer<A extends object, M extends readonly unknown[], D extends object>(
  work: (answer: A, ...more: M) => D,
): (answer: A, ...more: M) => D {
  const done = new WeakMap<A, D>();
  return (answer, ...more) => {
    const cached = done.get(answer);
    if (cached !== undefined) return cached;
    const result = work(answer, ...more);
    done.set(answer, result);
    return result;
  };
}

/** Maximum number of names in one list. */
const MAX_NAMES = 1_000;

/** Names that select rows of a list; without them all rows. */
export type Names = readonly string[] | null | undefined;

/** Name of a row whose name is unknown. */
const UNNAMED = "";

/** The indexes of each name in a list. */
const placesByName = oncePerAnswer((_rows: readonly unknown[], namesOfRows: () => readonly string[]) => {
  const places = new Map<string, number[]>();
  namesOfRows().forEach((name, at) => {
    const place = places.get(name);
    if (place === undefined) places.set(name, [at]);
    else place.push(at);
  });
  return places;
});

/**
 * Keeps the rows with one of the names; all of them without names. Letter case does not matter. A row that could not be decoded
 * is kept unless its identifier, which usually is its name (`isId`), is another one.
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

/** The distinct indexes in ascending order; they usually are already. */
function ascending(places: readonly number[]): readonly number[] {
  const isAscending = places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
  return isAscending ? places : [...new Set(places)].sort((a, b) => a - b);
}

import { DAY_MS } from "@exchange-graph/contract/clock";
import type { ExportList } from "./exportLists.js";
import { type ExportRow, inOrder } from "./exportRows.js";
import type { PacedRead } from "./pacedReads.js";

/** A range of time including both ends, Unix ms. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The largest page of the queries. */
const PAGE = 500;
/** A slice with more rows is read again in parts; one millisecond is never divided. */
const MOST_ROWS = 1_500;
/** Slices grow while they have fewer rows than this, and shrink when they have more than twice as many. */
const FEW_ROWS = 500;
/** The exchange lists the newest first: that a slice has too many rows is known only once as many were read. So the parts are few. */
const PARTS = 8;
/** The shortest of the exchange's windows is a week: no slice takes two of them. */
const [FIRST_MS, LONGEST_MS] = [DAY_MS, 6 * DAY_MS];

/** Rows, sorted, up to a time (Unix ms). */
interface Slice {
  readonly rows: readonly ExportRow[];
  readonly until: number;
}

/**
 * The rows of several lists in the order of time, while the exchange lists the newest first: slice by slice from the earliest on,
 * each read whole and sorted. Memory holds one slice. Slices adapt to how much happened, and the result does not depend on them: a
 * row belongs to the slice with its time, whose ends are whole milliseconds. Each list is read for a millisecond more at both ends,
 * so that it does not matter which ends the exchange includes, but not from before `oldest`, which the exchange does not keep.
 */
export async function* inSlices(
  lists: readonly ExportList[],
  { from, to }: TimeRange,
  oldest: number,
  ask: PacedRead,
): AsyncGenerator<Slice> {
  let length = FIRST_MS;
  for (let start = from; start <= to; ) {
    const end = Math.min(start + length - 1, to);
    let rows = 0;
    for await (const slice of divided(lists, { from: start, to: end }, oldest, ask)) {
      rows += slice.rows.length;
      yield slice;
    }
    start = end + 1;
    if (rows < FEW_ROWS) length = Math.min(LONGEST_MS, length * 2);
    else if (rows > 2 * FEW_ROWS) length = Math.max(1, Math.floor((length * FEW_ROWS) / rows));
  }
}

/** A slice, or its parts. */
async function* divided(
  lists: readonly ExportList[],
  { from, to }: TimeRange,
  oldest: number,
  ask: PacedRead,
): AsyncGenerator<Slice> {
  const rows = await rowsIn(lists, { from, to }, oldest, ask);
  if (rows !== undefined) {
    yield { rows, until: to };
    return;
  }
  const length = Math.ceil((to - from + 1) / PARTS);
  for (let start = from; start <= to; start += length)
    yield* divided(lists, { from: start, to: Math.min(start + length - 1, to) }, oldest, ask);
}

/** The rows of one slice, sorted; undefined if they are too many for one. */
async function rowsIn(
  lists: readonly ExportList[],
  { from, to }: TimeRange,
  oldest: number,
  ask: PacedRead,
): Promise<readonly ExportRow[] | undefined> {
  const found = new Map<string, ExportRow>();
  const query = { from: Math.max(oldest, from - 1), to: to + 1, first: PAGE };
  for (const read of lists)
    for (let after: string | undefined; ; ) {
      const { rows, next } = await ask((context) => read(context, { ...query, after }));
      // A row may be in two lists: an order that has ended meanwhile.
      for (const row of rows) if (row.time >= from && row.time <= to) found.set(JSON.stringify([row.list, row.id]), row);
      if (found.size > MOST_ROWS && to > from) return undefined;
      if (next === undefined) break;
      after = next;
    }
  return [...found.values()].sort(inOrder);
}

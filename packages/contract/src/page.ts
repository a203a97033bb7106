import { type Codec, mapped, needed, optional, optionalText } from "./codec.js";
import { list, listOf } from "./lists.js";
import { record } from "./record.js";
import { isRead, type Row } from "./rows.js";

/** One page of a list, newest rows first, for any kind of the exchange's paging. */
export interface Page<T> {
  readonly list: readonly Row<T>[];
  /** Cursor of older rows. The last page may have one too: the end is an empty page, or one shorter than its limit. */
  readonly cursor: string | null;
}

/** A page that names its rows and its cursor; `null` in place of either, or of both, is the empty page. */
const pageWithKeys = <T>(item: Codec<T>, rows: readonly string[], cursor: string): Codec<Page<T>> =>
  mapped(
    optional(
      record({
        list: list("Rows, newest first", item, ...rows),
        cursor: needed(optionalText("Leads to older rows", cursor)),
      }),
    ),
    (found) => found ?? { list: [], cursor: null },
  );

/** A page of v3. `alias`: another name for the rows. */
export const page = <T>(item: Codec<T>, ...alias: readonly string[]): Codec<Page<T>> =>
  pageWithKeys(item, ["list", ...alias], "cursor");

/** A page of v2: each endpoint has its own name for the rows, and margin another one for the cursor. */
export const classicPage = <T>(item: Codec<T>, rows: string, cursor = "endId"): Codec<Page<T>> =>
  pageWithKeys(item, [rows], cursor);

/** A bare list with the id of its last row as cursor, or of the last row that has one. */
export const listPagedBy = <T>(item: Codec<T>, idOf: (row: T) => string): Codec<Page<T>> =>
  mapped(listOf(item), (rows) => {
    const ids = rows.map((row) => (isRead(row) ? idOf(row) : row.rowId));
    return { list: rows, cursor: ids.findLast((id) => id !== undefined) ?? null };
  });

export const wholeList = <T>(item: Codec<T>): Codec<Page<T>> => mapped(listOf(item), (rows) => ({ list: rows, cursor: null }));

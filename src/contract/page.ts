import { type Codec, list, listOf, mapped, optional, optionalText, record } from "./codec.js";

/** One page of a list, newest rows first, whatever the exchange calls its paging. */
export interface Page<T> {
  readonly list: readonly T[];
  /** Leads to older rows. The last page may carry one too: the end is an empty page, or one shorter than its limit. */
  readonly cursor: string | null;
}

/** How a paged answer spells its two parts. v3 is the canon; Classic futures and plans have names of their own. */
export interface PageSpelling {
  readonly list: string;
  readonly cursor: string;
}

/** A page that names its rows and its cursor; `null` in place of either, or of both, is the empty page. */
export const page = <T>(item: Codec<T>, spelling: PageSpelling = { list: "list", cursor: "cursor" }): Codec<Page<T>> =>
  mapped(
    optional(
      record({
        list: list("Rows, newest first", item, spelling.list),
        cursor: optionalText("Leads to older rows", spelling.cursor),
      }),
    ),
    (found) => found ?? { list: [], cursor: null },
  );

/** A bare list that pages by the id of its last row. */
export const listPagedBy = <T>(item: Codec<T>, idOf: (row: T) => string): Codec<Page<T>> =>
  mapped(listOf(item), (rows) => {
    const last = rows.at(-1);
    return { list: rows, cursor: last === undefined ? null : idOf(last) };
  });

/** A bare list that comes whole. */
export const wholeList = <T>(item: Codec<T>): Codec<Page<T>> => mapped(listOf(item), (rows) => ({ list: rows, cursor: null }));

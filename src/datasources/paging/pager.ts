import { isRead, type Row } from "@exchange-graph/contract/rows";
import { WireError } from "@exchange-graph/contract/wireError";
import { badInput } from "../fault.js";
import { unreadFault } from "../rows.js";
import { type Bookmark, readCursor, writeCursor } from "./cursor.js";
import type { TimeSpan, TimeWindow } from "./windows.js";

/** The page size when the client names none, and the most that one connection gives at once. */
export const DEFAULT_FIRST = 20;
export const MAX_FIRST = 500;

/** One page as the exchange gives it: newest first; `next` leads to older rows and is missing at the end. */
export interface ExchangePage<R> {
  readonly rows: readonly Row<R>[];
  readonly next: string | undefined;
}

/** A list that the exchange hands out in pages, whatever it calls its paging. */
export interface PagedList<R> {
  /** What the list is about: its endpoint, account and filters. A cursor is good for the same list only. */
  readonly identity: string;
  readonly maxPageSize: number;
  readonly span: TimeSpan;
  /** Identifies a row, so that a place in the list is found again when other rows have come or gone. */
  readonly rowKey: (row: Row<R>) => string | undefined;
  /** The exchange counts its pages: rows that are added to the list move others on to the next one. */
  readonly isNumbered?: boolean;
  readonly page: (window: TimeWindow, pageToken: string | undefined, limit: number) => Promise<ExchangePage<R>>;
}

/** Rows of a list with the cursor behind each, newest first. */
export interface Slice<R> {
  readonly rows: readonly { readonly row: Row<R>; readonly cursor: string }[];
  readonly hasNextPage: boolean;
}

/** What a connection is asked for. */
export interface SliceArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/**
 * How many pages `first` rows can take. Each page is full, or ends its window; but a window may begin with a row that the
 * one before has shown already, rows that come meanwhile move others on to the next page, and a cursor may stand within
 * the first page.
 */
export function pagesAtMost(first: number, pageSize: number, windows: number, hasCursor: boolean): number {
  if (first < 1) return 0;
  const full = Math.ceil((first + windows - 1) / Math.min(first, pageSize));
  return full + (full > 1 || hasCursor ? 1 : 0) + windows - 1;
}

/**
 * Takes `first` rows after a cursor, over as many pages and windows as that needs. A cursor of smaller pages goes on with
 * those, and no further than the usual ones would lead: then there are fewer rows, and a next page.
 *
 * `hasNextPage` is what can be known without asking further: when the exchange has filled the last page and names a
 * next one, it is true.
 */
export async function slice<R>(list: PagedList<R>, asked: SliceArguments): Promise<Slice<R>> {
  const first = asked.first ?? DEFAULT_FIRST;
  if (first < 1 || first > MAX_FIRST)
    throw badInput([{ argument: "first", rule: `must be a whole number from 1 to ${MAX_FIRST}` }]);
  const rows: { row: Row<R>; cursor: string }[] = [];
  let at: Bookmark | undefined = start(list, asked.after, first);
  const pages = pagesAtMost(first, list.maxPageSize, list.span.windows, (asked.after ?? undefined) !== undefined);
  for (let turned = 0; at !== undefined && rows.length < first && turned < pages; turned++) {
    const here: Bookmark = at;
    const page = await list.page({ from: here.from, to: here.to }, here.pageToken, here.limit);
    failAtDeadEnd(list, page, here.limit);
    for (let index = placeIn(list, here, page); index < page.rows.length && rows.length < first; index++) {
      const row = page.rows[index];
      if (row === undefined) break;
      const isLast = index + 1 === page.rows.length;
      const behind = { ...here, offset: index + 1, shown: list.rowKey(row) };
      at = isLast ? after(list, here, page) : behind;
      rows.push({ row, cursor: writeCursor(list.identity, at ?? behind) });
    }
    if (rows.length < first) at = after(list, here, page);
  }
  return { rows, hasNextPage: at !== undefined };
}

/** A full page of rows that cannot be read, and the exchange names none after it: nothing leads further. */
function failAtDeadEnd<R>({ rowKey }: PagedList<R>, { rows, next }: ExchangePage<R>, limit: number): void {
  const [first] = rows;
  if (next !== undefined || rows.length < limit || !(first instanceof WireError)) return;
  if (rows.every((row) => !isRead(row) && rowKey(row) === undefined)) throw unreadFault(first);
}

/**
 * How many rows of this page lie before the place: those up to the row that was shown last. It may stand elsewhere than it
 * did, since rows come and go, and it may be new to this page: two windows share their boundary, and counted pages move on.
 */
function placeIn<R>(
  { rowKey, isNumbered = false }: PagedList<R>,
  { offset, pageToken, shown }: Bookmark,
  { rows }: ExchangePage<R>,
) {
  if (shown === undefined) return offset;
  const last = rows[offset - 1];
  if (last !== undefined && rowKey(last) === shown) return offset;
  const mayHoldIt = offset > 0 || pageToken === undefined || isNumbered;
  const found = mayHoldIt ? rows.findIndex((row) => rowKey(row) === shown) + 1 : 0;
  // It is gone itself: what followed it has taken its place.
  return found > 0 ? found : Math.max(0, offset - 1);
}

function start<R>(list: PagedList<R>, cursor: string | null | undefined, first: number): Bookmark | undefined {
  const { span } = list;
  if (cursor !== undefined && cursor !== null) {
    const at = readCursor(list.identity, cursor);
    // The oldest moment that may be asked for has moved on since the cursor was given.
    const from = Math.max(at.from, span.from);
    return from > at.to ? undefined : { ...at, from };
  }
  return {
    ...span.windowUpTo(span.to),
    oldest: span.from,
    pageToken: undefined,
    limit: Math.min(first, list.maxPageSize),
    offset: 0,
    shown: undefined,
  };
}

/** Where the rows after this page begin; nothing when this was the last page of the last window. */
function after<R>(list: PagedList<R>, here: Bookmark, page: ExchangePage<R>): Bookmark | undefined {
  const last = page.rows.at(-1);
  const shown = last === undefined ? here.shown : list.rowKey(last);
  if (page.next !== undefined && page.rows.length >= here.limit) return { ...here, pageToken: page.next, offset: 0, shown };
  const oldest = Math.max(here.oldest, list.span.from);
  if (here.from <= oldest) return undefined;
  return {
    ...here,
    from: Math.max(list.span.windowUpTo(here.from).from, oldest),
    to: here.from,
    pageToken: undefined,
    offset: 0,
    shown,
  };
}

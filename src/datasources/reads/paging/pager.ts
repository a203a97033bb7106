import { isRead, type Row } from "@exchange-graph/contract/rows";
import { WireError } from "@exchange-graph/contract/wireError";
import { badInput, type UnreadPart, unreadFault, unreadPart } from "../../errors/index.js";
import { type Bookmark, type ListIdentity, readCursor, type TimeSpan, type TimeWindow, writeCursor } from "./cursor.js";

/** Default page size, and the maximum of one connection. */
export const DEFAULT_FIRST = 20;
export const MAX_FIRST = 500;

/** A page of the exchange, newest first; `next` leads to older rows and is missing at the end. */
export interface ExchangePage<R> {
  readonly rows: readonly Row<R>[];
  readonly next: string | undefined;
  /** Parts that could not be read: their rows are missing. */
  readonly unread?: readonly UnreadPart[];
}

/** A list that is read from its newest row on, with pages but without windows of time. */
export interface TokenPagedList<R> {
  /** A cursor is valid for the same list only. */
  readonly identity: ListIdentity;
  readonly maxPageSize: number;
  /** Identifies a row, so that a position is found again after rows were added or removed. */
  rowKey(row: Row<R>): string | undefined;
  readonly page: (pageToken: string | undefined, limit: number, isPartial: boolean) => Promise<ExchangePage<R>>;
}

/** A list that the exchange returns in pages, by any kind of paging. */
export interface PagedList<R> extends Omit<TokenPagedList<R>, "page"> {
  readonly span: TimeSpan;
  /** Whether pages are numbered: added rows move others to the next page. */
  readonly isNumbered?: boolean;
  readonly page: (window: TimeWindow, ...page: Parameters<TokenPagedList<R>["page"]>) => Promise<ExchangePage<R>>;
}

/** Rows of a list with the cursor after each, newest first. */
export interface Slice<R> {
  readonly rows: readonly { readonly row: Row<R>; readonly cursor: string }[];
  readonly hasNextPage: boolean;
  /** Where the next page begins, if rows behind the last one were left out. */
  readonly endCursor?: string | null | undefined;
  /** Number of rows of the whole list, if it was read. */
  readonly total?: number | undefined;
}

/** Filters the rows of lists that the exchange does not filter. The result may have fewer rows than requested. */
export const onlyRows = <R>({ rows, hasNextPage }: Slice<R>, isMeant: (row: R) => boolean): Slice<R> => ({
  rows: rows.filter(({ row }) => !isRead(row) || isMeant(row)),
  hasNextPage,
  endCursor: rows.at(-1)?.cursor,
});

/** The rows of a slice without their cursors. */
export const rowsOf = <R>({ rows }: Slice<R>): readonly Row<R>[] => rows.map(({ row }) => row);

/** The slices of a list one after the other. `read` reads the one after a cursor. */
export async function* slicesOf<R>(read: (after: string | undefined) => Promise<Slice<R>>): AsyncGenerator<Slice<R>, undefined> {
  for (let after: string | undefined; ; ) {
    const slice = await read(after);
    yield slice;
    after = slice.endCursor ?? slice.rows.at(-1)?.cursor;
    if (!slice.hasNextPage || after === undefined) return;
  }
}

export interface SliceArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  /**
   * Whether the rows that can be read are wanted even if others cannot: each part that could not be read is an `UnreadPart` before
   * them, with the cursor of the beginning of this page. Default: the list fails as a whole.
   */
  readonly isPartial?: boolean | undefined;
}

/** The requested number of rows. Throws `BAD_USER_INPUT` unless it is from 1 to `most`. */
export function lengthOf({ first }: SliceArguments, most = MAX_FIRST, usual = DEFAULT_FIRST): number {
  const length = first ?? usual;
  if (length < 1 || length > most) throw badInput([{ argument: "first", rule: `must be a whole number from 1 to ${most}` }]);
  return length;
}

/**
 * Maximum number of pages for `first` rows. Each page is full, or ends its window; but a window may begin with a row that the one
 * before already returned, new rows move others to the next page, and a cursor may be within the first page.
 */
export function pagesAtMost(first: number, pageSize: number, windows: number, hasCursor: boolean): number {
  if (first < 1) return 0;
  const full = Math.ceil((first + windows - 1) / Math.min(first, pageSize));
  return full + (full > 1 || hasCursor ? 1 : 0) + windows - 1;
}

/**
 * Returns `first` rows after a cursor, from as many pages and windows as needed. With a cursor of smaller pages those are
 * continued, but no further than usual pages would reach: then there are fewer rows, and a next page.
 *
 * `hasNextPage` is determined without a further call: it is true if the last page was full and the exchange named a next one.
 */
export async function slice<R>(list: PagedList<R>, args: SliceArguments): Promise<Slice<R>> {
  const first = lengthOf(args);
  const rows: { row: Row<R>; cursor: string }[] = [];
  const unread = new Map<string, UnreadPart>();
  let total: number | undefined;
  let at = start(list, args.after, first);
  const again = at === undefined ? "" : writeCursor(list.identity, at);
  const pages = pagesAtMost(first, list.maxPageSize, list.span.windows, (args.after ?? undefined) !== undefined);
  for (let turned = 0; at !== undefined && rows.length < first && turned < pages; turned++) {
    const here: Bookmark = at;
    const page = await readPage(list, here, args, rows.length, unread);
    if (page === undefined) break;
    failAtDeadEnd(list, page, here.limit);
    if (here.pageToken === undefined && list.span.windows === 1 && after(list, here, page) === undefined)
      total = page.rows.length;
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
  const hasNextPage = at !== undefined;
  if (unread.size === 0) return { rows, hasNextPage, total };
  return { rows: [...[...unread.values()].map((row) => ({ row, cursor: again })), ...rows], hasNextPage };
}

const NO_WINDOW = { from: 0, to: 0 };
const NO_SPAN: TimeSpan = { ...NO_WINDOW, windows: 1, windowUpTo: () => NO_WINDOW };

/** The same for a list without windows of time. */
export const sliceTokenPaged = <R>(list: TokenPagedList<R>, args: SliceArguments): Promise<Slice<R>> =>
  slice({ ...list, span: NO_SPAN, page: (_window, ...page) => list.page(...page) }, args);

/** Reads a page of the exchange and collects its unread parts. Undefined if it cannot be read but rows before it could. */
async function readPage<R>(
  list: PagedList<R>,
  { from, to, pageToken, limit }: Bookmark,
  { isPartial = false }: SliceArguments,
  read: number,
  unread: Map<string, UnreadPart>,
): Promise<ExchangePage<R> | undefined> {
  const collect = (part: UnreadPart) => unread.set(part.part, part);
  try {
    const page = await list.page({ from, to }, pageToken, limit, isPartial);
    page.unread?.forEach(collect);
    return page;
  } catch (error) {
    if (!isPartial || read === 0) throw error;
    collect(unreadPart(`the rows after the first ${read}`, error));
    return undefined;
  }
}

/** A full page of rows that cannot be decoded, without a next page: the list cannot be continued. */
function failAtDeadEnd<R>({ rowKey }: PagedList<R>, { rows, next }: ExchangePage<R>, limit: number): void {
  const [first] = rows;
  if (next !== undefined || rows.length < limit || !(first instanceof WireError)) return;
  if (rows.every((row) => !isRead(row) && rowKey(row) === undefined)) throw unreadFault(first);
}

/**
 * Number of rows of this page before the position: those up to the last returned row. That row may have moved, because rows are
 * added and removed, and it may be new on this page: two windows share their boundary, and numbered pages shift.
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
  // The row itself is gone: the row after it has taken its place.
  return found > 0 ? found : Math.max(0, offset - 1);
}

function start<R>(list: PagedList<R>, cursor: string | null | undefined, first: number): Bookmark | undefined {
  const { span } = list;
  if (cursor !== undefined && cursor !== null) {
    const at = readCursor(list.identity, cursor);
    // The exchange's retention period has moved since the cursor was made.
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

/** Start of the rows after this page; undefined after the last page of the last window. */
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

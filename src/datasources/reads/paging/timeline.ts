import { SECOND_MS } from "@exchange-graph/contract/clock";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import { before, inWords, type TimelineRange as WindowSpan } from "@exchange-graph/contract/window";
import type { WireError } from "@exchange-graph/contract/wireError";
import { badInput, reversedRange, type UnreadPart, unreadPart } from "../../errors/index.js";
import type { Reads } from "../reader/reads.js";
import { type ListIdentity, readCursor, writeCursor } from "./cursor.js";
import { lengthOf, MAX_FIRST, type Slice, type SliceArguments } from "./pager.js";

/** A list of a timeline, newest first. */
export interface TimelineSource<R> {
  /** Its name within the timeline: the order of items of the same time. */
  readonly name: string;
  /** Whether its pages leave rows out. */
  readonly isFiltered: boolean;
  /** Whether the exchange needs many windows of time for it. Then it is read only as far back as the page reaches. */
  readonly isInShortWindows: boolean;
  /** A page of its rows between two times including both, Unix ms. */
  page(args: SliceArguments & { readonly from: number; readonly to: number }): Promise<Slice<R>>;
  /** The time by which the list is read, Unix ms; null if the row has none. */
  timeOf(row: R): number | null;
  /** Identifies a row within the timeline: a row of two lists is one item. */
  keyOf(row: R): string;
}

/** A row with its time; a row that has none, or could not be decoded, has that of the row before it. */
interface TimelineItem<R> {
  readonly source: TimelineSource<R>;
  readonly row: Row<R>;
  readonly time: number;
}

/** Range of a timeline, Unix ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The exchange keeps its lists for 90 days. */
const KEPT: WindowSpan = { days: 90 };
/** The retention period moves while the lists are read. */
const KEPT_MARGIN_MS = 60_000;

/** The start of a timeline, Unix ms. Throws `BAD_USER_INPUT` if it is further back than the exchange keeps its lists. */
export function keptSince(reads: Reads, from: number | null | undefined): number {
  const oldest = before(reads.now(), KEPT);
  if (from !== null && from !== undefined && from < oldest)
    throw badInput([{ argument: "from", rule: `must be within the last ${inWords(KEPT)}` }]);
  return Math.max(from ?? 0, oldest + KEPT_MARGIN_MS);
}

/** The same with the end of the timeline: by default now. Throws `BAD_USER_INPUT` if it is before the start. */
export function keptSpan(
  reads: Reads,
  { from, to }: { readonly from?: number | null | undefined; readonly to?: number | null | undefined },
): Span {
  const span = { from: keptSince(reads, from), to: to ?? reads.now() };
  if (span.from > span.to) throw reversedRange(span.from, to);
  return span;
}

/** A whole list as one page. */
export const wholeSlice = <R>(rows: readonly Row<R>[]): Slice<R> => ({
  rows: rows.map((row) => ({ row, cursor: "" })),
  hasNextPage: false,
});

/** Maximum number of items of one page. */
export const MAX_ITEMS = 200;
/** Pages of a list that one page of a timeline reads at most. */
const MAX_PAGES = 20;
/** Rows of a filtered list that one page of a timeline reads at most, and those of each of its pages. */
const FILTERED = { rows: 500, page: 100 };

interface TimelinePage<R> extends Omit<Slice<R>, "rows"> {
  readonly rows: readonly { readonly row: TimelineItem<R>; readonly cursor: string }[];
  /** Lists that could not be read, with the cursor of the beginning of the page. */
  readonly unread: readonly { readonly row: WireError; readonly cursor: string }[];
}

/**
 * One page of several lists together, newest first. Each list is read from the cursor's time on, as far as the page could need its
 * rows. A cursor has a time and the number of items of that time before it, so it stays valid while rows move between lists. `most`
 * is the longest page. `lists` is called once the arguments are valid.
 */
export async function timeline<R>(
  identity: ListIdentity,
  lists: readonly TimelineSource<R>[] | (() => Promise<readonly TimelineSource<R>[]>),
  span: Span,
  args: SliceArguments,
  most = MAX_ITEMS,
): Promise<TimelinePage<R>> {
  const first = lengthOf(args, most);
  const cursor = args.after === null || args.after === undefined ? undefined : readCursor(identity, args.after);
  const to = cursor?.to ?? span.to;
  const skipped = cursor?.offset ?? 0;
  const sources = typeof lists === "function" ? await lists() : lists;
  // One more shows whether there is a next page.
  const wanted = first + skipped + 1;
  const unread: UnreadPart[] = [];
  const read = async (some: readonly TimelineSource<R>[], from: number): Promise<readonly TimelineItem<R>[]> => {
    const reading = some.map((source) =>
      itemsOf(source, { from, to }, wanted).catch((error: unknown): readonly TimelineItem<R>[] => {
        if (args.isPartial !== true) throw error;
        unread.push(unreadPart(source.name.replaceAll("-", "_").trimEnd(), error));
        return [];
      }),
    );
    return (await Promise.all(reading)).flat();
  };
  const soon = await read(
    sources.filter(({ isInShortWindows }) => !isInShortWindows),
    span.from,
  );
  // What is older than all items of the page cannot be on it.
  const last = distinct(soon.toSorted(newestFirst))[wanted - 1]?.time;
  const reached = last === undefined ? span.from : Math.max(span.from, last - SECOND_MS);
  const rest = await read(
    sources.filter(({ isInShortWindows }) => isInShortWindows),
    reached,
  );
  const [failed] = unread;
  if (failed !== undefined && unread.length === sources.length) throw failed.fault;
  const items = distinct([...soon, ...rest].sort(newestFirst));
  const shown = items.slice(skipped, skipped + first);
  let before = 0;
  let time: number | undefined;
  const places = items.map((item) => {
    before = item.time === time ? before + 1 : 1;
    time = item.time;
    return before;
  });
  const cursorAt = (time: number, offset: number): string =>
    writeCursor(identity, { ...{ from: 0, oldest: 0, pageToken: undefined, limit: 1, shown: undefined }, to: time, offset });
  return {
    rows: shown.map((row, at) => ({ row, cursor: cursorAt(row.time, places[skipped + at] ?? 0) })),
    unread: unread.map((row) => ({ row, cursor: cursorAt(to, skipped) })),
    hasNextPage: items.length > skipped + first,
  };
}

const newestFirst = <R>(one: TimelineItem<R>, other: TimelineItem<R>): number =>
  other.time - one.time || (one.source.name < other.source.name ? -1 : one.source.name > other.source.name ? 1 : 0);

/** The items of one list within the span: at least as many as wanted, if it has them. */
async function itemsOf<R>(source: TimelineSource<R>, { from, to }: Span, wanted: number): Promise<readonly TimelineItem<R>[]> {
  const items: TimelineItem<R>[] = [];
  let time = to;
  let after: string | undefined;
  const first = source.isFiltered ? FILTERED.page : Math.min(wanted, MAX_FIRST);
  const pages = source.isFiltered ? FILTERED.rows / FILTERED.page : MAX_PAGES;
  for (let page = 0; page < pages; page++) {
    const slice = await source.page({ from, to, first, after });
    for (const { row } of slice.rows) {
      time = (isRead(row) ? source.timeOf(row) : null) ?? time;
      if (time >= from && time <= to) items.push({ source, row, time });
    }
    after = slice.endCursor ?? slice.rows.at(-1)?.cursor;
    if (!slice.hasNextPage || after === undefined || items.length >= wanted || time < from) return items;
  }
  throw badInput([{ argument: "from", rule: `must be later: ${source.name} has too many rows that the filter leaves out` }]);
}

/** Each row once, although it may have moved from one list to another meanwhile. */
function distinct<R>(items: readonly TimelineItem<R>[]): readonly TimelineItem<R>[] {
  const keys = new Set<string>();
  return items.filter(({ source, row }) => {
    if (!isRead(row)) return true;
    const key = source.keyOf(row);
    const isNew = !keys.has(key);
    keys.add(key);
    return isNew;
  });
}

import { isRead, type Row } from "@exchange-graph/contract/rows";
import { z } from "zod";
import { notACursor, readJson } from "./cursor.js";
import type { ExchangePage } from "./pager.js";
import type { TokenPagedList } from "./tokenPagedList.js";

/** A list that can be read on from any of its rows, not only from where a page has ended. */
export interface MergeableList<R> extends TokenPagedList<R> {
  /** Also the page token behind which the rows older than this one begin. */
  rowKey(row: Row<R>): string | undefined;
}

/** Position in one of the merged lists: behind a page token, at its start (`null`), or at its end. */
type ListPosition = string | null | typeof END;
const END = false;

const wire = z.array(z.union([z.string(), z.null(), z.literal(END)]));

export interface Timed {
  readonly createdTime: number | null;
}

/** Do two lists show the same row? */
export type IsSame<R> = (one: R, other: R) => boolean;

/** One list's page, and how many of its rows the merged page has taken. */
interface Share<R> {
  readonly list: MergeableList<R>;
  readonly place: ListPosition;
  readonly page: ExchangePage<R>;
  taken: number;
}

/**
 * Several lists as one, newest rows first. Each list is read `limit` rows ahead, since any one of them may fill the
 * whole page; what a page leaves over is read again with the next one. The merged page token has the position in every list,
 * so nothing is lost or shown twice however their rows interleave. A row of two lists comes once, where
 * `isSame` is given.
 */
export function merged<R extends Timed>(lists: readonly MergeableList<R>[], isSame: IsSame<R> = () => false): TokenPagedList<R> {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  return {
    identity: JSON.stringify(lists.map(({ identity }) => identity)),
    rowKey: (row) => only?.rowKey(row),
    maxPageSize: Math.min(...lists.map(({ maxPageSize }) => maxPageSize)),
    async page(pageToken, limit) {
      const places = pageToken === undefined ? lists.map(() => null) : readPlaces(pageToken, lists.length);
      const shares = await Promise.all(lists.map((list, at) => share(list, places[at] ?? null, limit)));
      const rows: Row<R>[] = [];
      for (const row of newestFirst(shares, isSame)) {
        rows.push(row);
        if (rows.length === limit) break;
      }
      const behind = shares.map((one) => placeBehind(one, limit));
      return { rows, next: behind.every((place) => place === END) ? undefined : JSON.stringify(behind) };
    },
  };
}

function readPlaces(pageToken: string, count: number): readonly ListPosition[] {
  const parsed = wire.safeParse(readJson(pageToken));
  if (!parsed.success || parsed.data.length !== count) throw notACursor();
  return parsed.data;
}

async function share<R>(list: MergeableList<R>, place: ListPosition, limit: number): Promise<Share<R>> {
  const page = place === END ? { rows: [], next: undefined } : await list.page(place ?? undefined, limit);
  return { list, place, page, taken: 0 };
}

/**
 * Takes row after row. A list's own order is kept, whatever its times say: a page token stands for all rows before it. One that
 * says no time comes at once: what lies behind it cannot wait for it.
 */
function* newestFirst<R extends Timed>(
  shares: readonly Pick<Share<R>, "page" | "taken">[],
  isSame: IsSame<R>,
): Generator<Row<R>> {
  for (;;) {
    let newest: Row<R> | undefined;
    for (const { page, taken } of shares) {
      const row = page.rows[taken];
      if (row !== undefined && (newest === undefined || timeOf(row) > timeOf(newest))) newest = row;
    }
    if (newest === undefined) return;
    for (const share of shares) {
      const row = share.page.rows[share.taken];
      if (row === newest || (row !== undefined && isRead(row) && isRead(newest) && isSame(row, newest))) share.taken++;
    }
    yield newest;
  }
}

/** Lists that came whole as one, newest rows first; a row that is in several of them comes once. */
export const mergedWhole = <R extends Timed>(lists: readonly (readonly Row<R>[])[], isSame: IsSame<R>): readonly Row<R>[] => [
  ...newestFirst(
    lists.map((rows) => ({ page: { rows, next: undefined }, taken: 0 })),
    isSame,
  ),
];

function placeBehind<R>({ list, place, page, taken }: Share<R>, limit: number): ListPosition {
  if (taken === page.rows.length) return page.next !== undefined && page.rows.length >= limit ? page.next : END;
  const keys = page.rows.slice(0, taken).map((row) => list.rowKey(row));
  // A row without a key is shown again: the next page continues behind the row before it.
  return keys.findLast((key) => key !== undefined) ?? place;
}

const timeOf = (row: Row<Timed>): number => (isRead(row) ? row.createdTime : null) ?? Number.POSITIVE_INFINITY;

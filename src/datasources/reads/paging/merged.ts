import { jsonIn } from "@exchange-graph/contract/json";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import { z } from "zod";
import { everyPart, isUnreadPart, type Part, readableParts, type UnreadPart } from "../../errors/index.js";
import { type ListIdentity, notACursor } from "./cursor.js";
import type { ExchangePage, TokenPagedList } from "./pager.js";

/** A list that can be continued after any of its rows, not only after a page. */
export interface MergeableList<R> extends TokenPagedList<R> {
  /** Names it among the lists that it is merged with. */
  readonly part: string;
  /** The row's key, which is also the page token for the rows after it. */
  rowKey(row: Row<R>): string | undefined;
}

/** Position in one of the merged lists: after a page token, at its start (`null`), or at its end. */
type ListPosition = string | null | typeof END;
const END = false;

const wire = z.array(z.union([z.string(), z.null(), z.literal(END)]));

export interface Timed {
  readonly createdTime: number | null;
}

/** Whether rows of two lists are the same. */
export type IsSame<R> = (one: R, other: R) => boolean;

/** A page of one list, and how many of its rows the merged page has taken. */
interface Share<R> {
  readonly list: MergeableList<R>;
  readonly place: ListPosition;
  readonly page: ExchangePage<R>;
  taken: number;
}

/**
 * Merges several lists, newest rows first. Up to `limit` rows of each list are read, because any one may fill the whole page;
 * rows that a page does not use are read again for the next one. The merged page token has the position in every list, so no row
 * is lost or repeated. With `isSame`, a row that two lists contain is returned once.
 */
export function merged<R extends Timed>(lists: readonly MergeableList<R>[], isSame: IsSame<R> = () => false): TokenPagedList<R> {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  return {
    identity: identityOf(lists),
    rowKey: (row) => only?.rowKey(row),
    maxPageSize: Math.min(...lists.map(({ maxPageSize }) => maxPageSize)),
    async page(pageToken, limit, isPartial) {
      const places = pageToken === undefined ? lists.map(() => null) : readPlaces(pageToken, lists.length);
      const { shares, unread } = await sharesOf(lists, places, limit, isPartial);
      const rows: Row<R>[] = [];
      for (const row of newestFirst(shares, isSame)) {
        rows.push(row);
        if (rows.length === limit) break;
      }
      // A list that could not be read stays where it is: the next page begins with its rows.
      const behind = lists.map((list, at) => {
        const own = shares.find((one) => one.list === list);
        return own === undefined ? (places[at] ?? null) : placeBehind(own, limit);
      });
      return { rows, next: behind.every((place) => place === END) ? undefined : JSON.stringify(behind), unread };
    },
  };
}

/** All of them belong to one account. */
function identityOf(lists: readonly Pick<TokenPagedList<never>, "identity">[]): ListIdentity {
  const under = (at: number) => JSON.stringify(lists.map(({ identity }) => identity[at]));
  const [, ...others] = lists[0]?.identity ?? [];
  return [under(0), ...others.map((_, at) => under(at + 1))];
}

function readPlaces(pageToken: string, count: number): readonly ListPosition[] {
  const parsed = wire.safeParse(jsonIn(pageToken));
  if (!parsed.success || parsed.data.length !== count) throw notACursor();
  return parsed.data;
}

/** The shares of the lists that are not at their end, and those of them that could not be read. */
async function sharesOf<R>(
  lists: readonly MergeableList<R>[],
  places: readonly ListPosition[],
  limit: number,
  isPartial: boolean,
): Promise<{ readonly shares: readonly Share<R>[]; readonly unread: readonly UnreadPart[] }> {
  const parts = lists.flatMap((list, at): readonly Part<Share<R>>[] => {
    const place = places[at] ?? null;
    if (place === END) return [];
    const reading = list.page(place ?? undefined, limit, false);
    return [[list.part, reading.then((page) => ({ list, place, page, taken: 0 }))]];
  });
  const found = await (isPartial ? readableParts(parts) : everyPart(parts));
  return { shares: found.filter((one): one is Share<R> => !isUnreadPart(one)), unread: found.filter(isUnreadPart) };
}

/**
 * Takes the rows one by one. Each list keeps its own order regardless of its times, because a page token covers all rows before it. A
 * row without a time is taken at once, so that rows after it do not wait.
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

/** Merges whole lists, newest rows first; a row that several of them contain is returned once. */
export const mergedWhole = <R extends Timed>(lists: readonly (readonly Row<R>[])[], isSame: IsSame<R>): readonly Row<R>[] => [
  ...newestFirst(
    lists.map((rows) => ({ page: { rows, next: undefined }, taken: 0 })),
    isSame,
  ),
];

function placeBehind<R>({ list, place, page, taken }: Share<R>, limit: number): ListPosition {
  if (taken === page.rows.length) return page.next !== undefined && page.rows.length >= limit ? page.next : END;
  const keys = page.rows.slice(0, taken).map((row) => list.rowKey(row));
  // The next page continues after the last row with a key, so rows without one after it are returned again.
  return keys.findLast((key) => key !== undefined) ?? place;
}

const timeOf = (row: Row<Timed>): number => (isRead(row) ? row.createdTime : null) ?? Number.POSITIVE_INFINITY;

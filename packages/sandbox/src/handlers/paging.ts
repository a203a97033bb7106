import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../refused.js";
import { byId } from "../world/ids.js";

/** Pages of lists that are sorted newest first. Default page sizes are filled in from the contract before a handler runs. */

/** Query parameters that the lists of an account have in common. */
export interface HistoryQuery {
  readonly symbol?: string | undefined;
  readonly coin?: string | undefined;
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
  /** Unix ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit?: number | undefined;
}

/** A page that continues below an id: `lastId` is the start of the next one, undefined on an empty page. */
export interface IdPage<T> {
  readonly rows: readonly T[];
  readonly lastId: string | undefined;
}

/** The matching rows older than the row `before`, at most `limit` of them. Refuses an invalid id. */
export function pageBelow<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  before: string | undefined,
  limit: number = rows.length,
  isWanted: (row: T) => boolean = () => true,
): IdPage<T> {
  if (before !== undefined && !/^\d{1,19}$/.test(before)) throw new Refused(REFUSAL.badCursor);
  const bound = before?.padStart(ID_DIGITS, "0");
  const page: T[] = [];
  // A history is long and a page is short: rows after the page are not read.
  for (const row of rows) {
    if (page.length >= limit) break;
    if ((bound === undefined || byId(idOf(row).padStart(ID_DIGITS, "0"), bound) < 0) && isWanted(row)) page.push(row);
  }
  const last = page.at(-1);
  return { rows: page, lastId: last === undefined ? undefined : idOf(last) };
}

const ID_DIGITS = 19;

/** The page of a number, counted from 1. */
export function numberedPage<T>(
  rows: readonly T[],
  { pageNo = 1, pageSize = rows.length }: { readonly pageNo?: number | undefined; readonly pageSize?: number | undefined },
): readonly T[] {
  return rows.slice((pageNo - 1) * pageSize, pageNo * pageSize);
}

/** The rows whose time is between two bounds (Unix ms), both included. */
export const within = <T>(
  rows: readonly T[],
  { startTime = 0, endTime = Number.MAX_SAFE_INTEGER }: Pick<HistoryQuery, "startTime" | "endTime">,
  timeOf: (row: T) => number,
): readonly T[] => rows.filter((row) => timeOf(row) >= startTime && timeOf(row) <= endTime);

export const createdWithin = <T extends { readonly createdTime: number }>(
  rows: readonly T[],
  times: Pick<HistoryQuery, "startTime" | "endTime">,
): readonly T[] => within(rows, times, ({ createdTime }) => createdTime);

/** A page as most lists of v3 send it. */
export const cursorPage = <T>({ rows, lastId }: IdPage<T>, render: (row: T) => unknown) => ({
  list: rows.map(render),
  cursor: lastId ?? null,
});

/** A page of orders or trigger orders of Classic futures. An empty list is null, and so is its cursor. */
export const entrustedPage = <T>({ rows, lastId }: IdPage<T>, render: (row: T) => unknown) => ({
  entrustedList: rows.length === 0 ? null : rows.map(render),
  endId: lastId ?? null,
});

/** The page below `idLessThan`, as most lists send it. `id`: the field with a row's id. */
export function resultList<K extends string, T extends Readonly<Record<K, string>>>(
  rows: readonly T[],
  id: K,
  { idLessThan, limit }: HistoryQuery & { readonly idLessThan?: string | undefined },
  render: (row: T) => unknown,
): unknown {
  const page = pageBelow(rows, (row) => row[id], idLessThan, limit);
  return { resultList: page.rows.map(render), endId: page.lastId ?? "" };
}

/** Time and receive window of a Classic spot call, both in ms. */
interface Guarded {
  readonly requestTime?: number | undefined;
  readonly receiveWindow?: number | undefined;
}

/** Refuses a call that arrived after its receive window. */
export function checkInTime(now: number, { requestTime, receiveWindow }: Guarded): void {
  if (requestTime !== undefined && receiveWindow !== undefined && now - requestTime > receiveWindow)
    throw new Refused(REFUSAL.outsideReceiveWindow);
}

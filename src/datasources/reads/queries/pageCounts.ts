import { MINUTE_MS } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { PLAN_TYPES, SPOT_ORDER_KINDS } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import { MAX_WINDOWS, spanFor } from "../paging/cursor.js";
import { DEFAULT_FIRST, MAX_FIRST, pagesAtMost } from "../paging/pager.js";
import { maxPageSizeOf } from "./pagedQuery.js";

/** Maximum number of calls for a page of a query. Each query declares the lists that it reads, as `Pages`. */

/** The arguments of a page. A time that cannot be parsed is `NaN`: it may be any. */
export interface PageCountArguments {
  readonly first?: number | undefined;
  readonly hasCursor: boolean;
  /** Unix ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly category?: string | undefined;
  readonly symbol?: string | undefined;
  readonly orderId?: string | undefined;
  readonly coin?: string | undefined;
  /** The kind of spot orders; those that wait for a trigger are a list of Classic spot only. */
  readonly tpslType?: (typeof SPOT_ORDER_KINDS)[number] | undefined;
  readonly planKinds?: readonly (typeof PLAN_TYPES)[number][] | undefined;
}

/** What the number of calls for a list depends on. */
export type CountedList = Pick<Endpoint, "parameters" | "window">;

/** Lists that are read page by page as one, each in windows of time or from its newest row on. */
export interface Walk {
  readonly lists: readonly CountedList[];
  readonly isOverTime: boolean;
}

/** In the windows of time that the exchange allows. */
export const overTime = (...lists: readonly CountedList[]): Walk => ({ lists, isOverTime: true });
export const newestFirst = (...lists: readonly CountedList[]): Walk => ({ lists, isOverTime: false });
/** For a page that is refused before anything is sent. */
export const NOTHING: Walk = newestFirst();

/** The lists of a paged query: constant, or by account mode and arguments. */
export type Pages = Walk | ((mode: AccountMode, args: PageCountArguments) => Walk);

const MODES: readonly AccountMode[] = ["CLASSIC", "UNIFIED"];

/** Maximum number of calls for a page, at this time (Unix ms) or within a minute of it. Without a mode it may be either. */
export function callsAtMost(pages: Pages, args: PageCountArguments, mode: AccountMode | undefined, now: number): number {
  const walks = (mode === undefined ? MODES : [mode]).map((one) => (typeof pages === "function" ? pages(one, args) : pages));
  return Math.max(...walks.map((walk) => callsOf(walk, args, now)));
}

/** Maximum number of windows of time in which the lists of a query are walked; 1 for lists without windows. */
export function windowsAtMost(pages: Pages, args: PageCountArguments, mode: AccountMode, now: number): number {
  return windowsIn(typeof pages === "function" ? pages(mode, args) : pages, args, now);
}

const windowsIn = ({ lists, isOverTime }: Walk, args: PageCountArguments, now: number): number =>
  isOverTime ? Math.max(...lists.map((list) => Math.max(...[now, now + MINUTE_MS].map((at) => windowsOf(list, args, at))))) : 1;

function callsOf(walk: Walk, args: PageCountArguments, now: number): number {
  const { lists } = walk;
  const first = args.first ?? DEFAULT_FIRST;
  if (lists.length === 0 || first < 1 || first > MAX_FIRST) return 0;
  const pageSize = Math.min(...lists.map((list) => maxPageSizeOf(list)));
  const windows = windowsIn(walk, args, now);
  return windows === 0 ? 0 : lists.length * pagesAtMost(first, pageSize, windows, args.hasCursor);
}

/** Number of windows of time; 0 if the times are refused. */
function windowsOf({ window }: CountedList, { from, to }: PageCountArguments, now: number): number {
  if (window === undefined) throw new Error("a list without times is not walked over time");
  if (Number.isNaN(from) || Number.isNaN(to)) return MAX_WINDOWS;
  try {
    return spanFor(window, { from, to }, now).windows;
  } catch (error) {
    if (error instanceof Fault && error.code === "BAD_USER_INPUT") return 0;
    throw error;
  }
}

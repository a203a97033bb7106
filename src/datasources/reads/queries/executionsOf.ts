import { classicFuturesFillHistory, classicSpotFills, type Fill, fills } from "@exchange-graph/contract/fill";
import { isNamed } from "@exchange-graph/contract/letterCase";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { before, type TimelineRange } from "@exchange-graph/contract/window";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { faultIn } from "../../errors/index.js";
import { identityUnder, type ListIdentity, readCursor, writeCursor } from "../paging/cursor.js";
import { lengthOf, rowsOf, type SliceArguments, slicesOf } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./categories.js";
import { readFills } from "./fills.js";

/**
 * Executions of an order or a position. The exchange lists those of an order, and those of a whole category. Executions of several
 * orders and positions come from the list of their category if that takes fewer calls than a list for each.
 */

/** The order or position whose executions are read. */
export interface ExecutedRecord {
  readonly category: ProductCategory;
  readonly symbol: string;
  /** The order; null for a position. */
  readonly orderId: string | null;
  /** The side of a position; null for an order, and in one-way mode, where executions have none. */
  readonly posSide: string | null;
  /** Its lifetime, Unix ms; null: it is not known, or has not ended. */
  readonly from: number | null;
  readonly to: number | null;
}

/** An order or position with the requested page of its executions. */
export interface ExecutionsRequest extends ExecutedRecord {
  readonly first: number;
  /** Only executions after this one in the list, so older ones. */
  readonly after: Place | null;
}

/** An execution's place in the list: its time, Unix ms, and its identifier. */
interface Place {
  readonly time: number;
  readonly execId: string;
}

/** A page of executions, newest first. */
export interface ExecutionsPage {
  readonly rows: readonly Row<Fill>[];
  /** The last execution that was examined; null if there are certainly none after it. */
  readonly unread: Place | null;
}

/** Rows of a page of the exchange. */
const PAGE = 100;
/** Maximum number of pages that are read for one order or position, or for several together. */
const MAX_PAGES = 5;

/** The exchange keeps executions for 90 days. */
const KEPT: TimelineRange = { days: 90 };
/** The retention period moves during the calls. */
const KEPT_MARGIN_MS = 60_000;
/** Queries within one second share their end, and thereby their cached answer. */
const END_STEP_MS = 1_000;

/** The longest period of a call. */
function rangeOf(mode: AccountMode, category: ProductCategory): TimelineRange {
  const list = mode === "UNIFIED" ? fills : isFuturesCategory(category) ? classicFuturesFillHistory : classicSpotFills;
  return list.window?.range ?? KEPT;
}

const isOf = ({ symbol, orderId, posSide, from, to }: ExecutedRecord, fill: Fill): boolean =>
  (orderId === null ? isNamed(fill.symbol, symbol) : fill.orderId === orderId) &&
  (posSide === null || fill.posSide === null || fill.posSide === posSide) &&
  (fill.createdTime === null || (fill.createdTime >= (from ?? 0) && fill.createdTime <= (to ?? Number.POSITIVE_INFINITY)));

/** A list of executions, of a category or of an order. */
interface List {
  readonly reads: Reads;
  readonly account: ExchangeAccount;
  readonly filter: { readonly category: ProductCategory; readonly orderId?: string | null };
  /** Called before each call; it may throw. */
  readonly spend: () => void;
}

/** The pages of a list, back in time. */
async function* pagesOf(
  { reads, account, filter, spend }: List,
  { from, to, after }: Pick<ExecutionsRequest, "from" | "to" | "after">,
): AsyncGenerator<readonly Row<Fill>[], undefined> {
  const longest = rangeOf(await reads.modeOf(account), filter.category);
  // The exchange's time is certain once it has answered.
  const now = Math.ceil(reads.now() / END_STEP_MS) * END_STEP_MS;
  const oldest = Math.max(from ?? 0, before(now, KEPT) + KEPT_MARGIN_MS);
  const shown = new Set<string>();
  // It is not documented whether the exchange includes the end of a range.
  for (let end = Math.min(now, (after?.time ?? to ?? now) + 1); end > oldest; ) {
    const start = Math.max(oldest, before(end, longest));
    const range = { from: start, to: end, first: PAGE };
    const read = (cursor: string | undefined) => {
      spend();
      return readFills(reads, account, filter, { ...range, after: cursor });
    };
    for await (const slice of slicesOf(read)) {
      const rows = rowsOf(slice);
      yield behind(rows, after).filter((row) => !isRead(row) || !shown.has(row.execId));
      for (const row of rows) if (isRead(row)) shown.add(row.execId);
    }
    end = start;
  }
}

/** The rows after a place. Its own row may be gone. */
function behind(rows: readonly Row<Fill>[], place: Place | null): readonly Row<Fill>[] {
  if (place === null) return rows;
  const at = rows.findIndex((row) => isRead(row) && row.execId === place.execId);
  return at >= 0 ? rows.slice(at + 1) : rows.filter((row) => !isRead(row) || (row.createdTime ?? 0) <= place.time);
}

const placeOf = (row: Row<Fill> | undefined): Place | null =>
  row === undefined || !isRead(row) || row.createdTime === null ? null : { time: row.createdTime, execId: row.execId };

/** Collects the pages of several orders and positions from one list. */
class Collection {
  readonly rows: Row<Fill>[] = [];
  /** Whether there is a row beyond the page. */
  #hasMore = false;

  constructor(private readonly wanted: ExecutionsRequest) {}

  add(row: Row<Fill>): void {
    if (isRead(row) && !isOf(this.wanted, row)) return;
    if (this.rows.length < this.wanted.first) this.rows.push(row);
    else this.#hasMore = true;
  }

  /** Whether all pages are complete once the list has been read back to this place. */
  isDone(last: Place | null): boolean {
    return this.#hasMore || (last !== null && last.time < (this.wanted.from ?? 0));
  }

  pageAt(last: Place | null): ExecutionsPage {
    const unread = this.#hasMore ? placeOf(this.rows.at(-1)) : this.isDone(last) ? null : last;
    return { rows: this.rows, unread };
  }
}

/** Reads at most `maxPages` pages of a list for these orders and positions. */
async function collect(
  list: List,
  period: Pick<ExecutionsRequest, "from" | "to" | "after">,
  wanted: readonly ExecutionsRequest[],
  maxPages: number,
): Promise<readonly ExecutionsPage[]> {
  const found = wanted.map((one) => new Collection(one));
  let last: Place | null = period.after;
  let pages = 0;
  for await (const rows of pagesOf(list, period)) {
    for (const row of rows) {
      last = placeOf(row) ?? last;
      for (const one of found) one.add(row);
    }
    pages++;
    if (found.every((one) => one.isDone(last)) || pages >= maxPages) return found.map((one) => one.pageAt(last));
  }
  return found.map((one) => one.pageAt(null));
}

/**
 * Reads the executions of orders and positions of one category: of several from one list while that takes fewer calls than a list
 * for each, and the rest one by one. `spend` is called before each call. If it throws, what needs that call fails.
 */
export async function readExecutions(
  reads: Reads,
  account: ExchangeAccount,
  wanted: readonly ExecutionsRequest[],
  spend: () => void,
): Promise<readonly (ExecutionsPage | Error)[]> {
  const shared = await readShared(reads, account, wanted, spend);
  return Promise.all(
    wanted.map(async (one, at): Promise<ExecutionsPage | Error> => {
      const page = shared[at];
      if (page !== undefined && (page.unread === null || page.rows.length >= one.first)) return page;
      const { category, orderId } = one;
      try {
        const [own] = await collect({ reads, account, filter: { category, orderId }, spend }, one, [one], MAX_PAGES);
        return own ?? { rows: [], unread: null };
      } catch (error) {
        return faultIn(error);
      }
    }),
  );
}

async function readShared(
  reads: Reads,
  account: ExchangeAccount,
  wanted: readonly ExecutionsRequest[],
  spend: () => void,
): Promise<readonly ExecutionsPage[]> {
  const [one] = wanted;
  const pages = Math.min(MAX_PAGES, Math.floor(wanted.length / 2));
  if (one === undefined || pages === 0 || wanted.some(({ after }) => after !== null)) return [];
  const from = Math.min(...wanted.map((thing) => thing.from ?? 0));
  const to = Math.max(...wanted.map((thing) => thing.to ?? Number.POSITIVE_INFINITY));
  const period = { from, to: Number.isFinite(to) ? to : null, after: null };
  return collect({ reads, account, filter: { category: one.category }, spend }, period, wanted, pages);
}

const identityOf = (owners: ListIdentity, { category, symbol, orderId, posSide, from }: ExecutedRecord): ListIdentity =>
  identityUnder(owners, (owner) => JSON.stringify(["executions", owner, category, symbol, orderId, posSide, from]));

/** The page for these arguments. Throws `BAD_USER_INPUT`. */
export function wantedExecutions(owners: ListIdentity, thing: ExecutedRecord, args: SliceArguments): ExecutionsRequest {
  const first = lengthOf(args);
  if (args.after === null || args.after === undefined) return { ...thing, first, after: null };
  const { to: time, shown = "" } = readCursor(identityOf(owners, thing), args.after);
  return { ...thing, first, after: { time, execId: shown } };
}

/** Executions with the cursor after each. An execution without a time cannot be continued after: it has the cursor before it. */
export function sliceOf(owners: ListIdentity, thing: ExecutedRecord, { rows, unread }: ExecutionsPage) {
  const identity = identityOf(owners, thing);
  const cursorOf = ({ time, execId }: Place) =>
    writeCursor(identity, { from: 0, to: time, oldest: 0, pageToken: undefined, limit: PAGE, offset: 0, shown: execId });
  let place: Place = { time: thing.to ?? 0, execId: "" };
  return {
    rows: rows.map((row) => {
      place = placeOf(row) ?? place;
      return { row, cursor: cursorOf(place) };
    }),
    hasNextPage: unread !== null,
    /** Continues the list also if no row of the last pages was of this order or position. */
    endCursor: unread === null ? null : cursorOf(unread),
  };
}

import type { Fill } from "@exchange-graph/contract/fill";
import type { Order } from "@exchange-graph/contract/order";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import {
  FUTURES_CATEGORIES,
  MARKET_CATEGORIES,
  PRODUCT_CATEGORIES,
  type ProductCategory,
} from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { MAX_FIRST, type Slice } from "../paging/pager.js";
import { readFills } from "../queries/fills.js";
import { readOpenOrders } from "../queries/openOrders.js";
import { readOrder } from "../queries/order.js";
import { readOrderHistory } from "../queries/orderHistory.js";
import { readOpenPlanOrders, readPlanOrderHistory } from "../queries/planOrders.js";
import type { RequestReads } from "../requestReads.js";

/**
 * What is read over REST when a private stream comes up, for the first time or after a gap. A push can be lost; the
 * account's own lists are the truth.
 */

/** Slices that one list is read in at most: far more rows than the exchange lets an account have open. */
const MAX_SLICES = 20;

/** What a reading has found. */
interface ReadRows<R> {
  readonly rows: readonly R[];
  /** Could every row be read? If not, what is not found may be there all the same. */
  readonly isWhole: boolean;
}

/** Nothing had to be read. */
export const NO_ROWS: ReadRows<never> = { rows: [], isWhole: true };

/** Those of a list that could be read. */
export const readRows = <R>(list: readonly Row<R>[]): ReadRows<R> => ({ rows: rowsRead(list), isWhole: list.every(isRead) });

async function whole<R>(slice: (after: string | undefined) => Promise<Slice<R>>): Promise<readonly Row<R>[]> {
  const rows: Row<R>[] = [];
  let after: string | undefined;
  for (let count = 0; count < MAX_SLICES; count++) {
    const page = await slice(after);
    for (const { row } of page.rows) rows.push(row);
    after = page.rows.at(-1)?.cursor;
    if (!page.hasNextPage || after === undefined) break;
  }
  return rows;
}

async function categoriesOf(reads: RequestReads, account: ExchangeAccount): Promise<readonly ProductCategory[]> {
  return (await reads.modeOf(account)) === "UNIFIED" ? PRODUCT_CATEGORIES : MARKET_CATEGORIES;
}

async function inEveryCategory<R>(
  reads: RequestReads,
  account: ExchangeAccount,
  read: (category: ProductCategory, after: string | undefined) => Promise<Slice<R>>,
): Promise<ReadRows<R>> {
  const categories = await categoriesOf(reads, account);
  const lists = await Promise.all(categories.map((category) => whole((after) => read(category, after))));
  return readRows(lists.flat());
}

/** Every order that is open. */
export const allOpenOrders = async (reads: RequestReads, account: ExchangeAccount): Promise<ReadRows<Order>> =>
  readRows(await whole((after) => readOpenOrders(reads, account, {}, { first: MAX_FIRST, after })));

/** Orders that are no longer open, of those that were placed after a moment. */
export const ordersFinishedSince = (reads: RequestReads, account: ExchangeAccount, from: number): Promise<ReadRows<Order>> =>
  inEveryCategory(reads, account, (category, after) =>
    readOrderHistory(reads, account, { category }, { from, first: MAX_FIRST, after }),
  );

/** Executions after a moment. A unified account has one list of all categories. */
export async function fillsSince(reads: RequestReads, account: ExchangeAccount, from: number): Promise<ReadRows<Fill>> {
  const read = (filter: Parameters<typeof readFills>[2], after: string | undefined) =>
    readFills(reads, account, filter, { from, first: MAX_FIRST, after });
  if ((await reads.modeOf(account)) === "UNIFIED") return readRows(await whole((after) => read({}, after)));
  return inEveryCategory(reads, account, (category, after) => read({ category }, after));
}

const inEveryFutures = async <R>(
  read: (category: (typeof FUTURES_CATEGORIES)[number], after: string | undefined) => Promise<Slice<R>>,
): Promise<ReadRows<R>> =>
  readRows((await Promise.all(FUTURES_CATEGORIES.map((category) => whole((after) => read(category, after))))).flat());

/** Every trigger order that waits. */
export const allOpenPlans = (reads: RequestReads, account: ExchangeAccount): Promise<ReadRows<PlanOrder>> =>
  inEveryFutures((category, after) => readOpenPlanOrders(reads, account, { category }, { first: MAX_FIRST, after }));

/** Trigger orders that no longer wait, the latest ones, or those after a moment. */
export const plansEnded = (
  reads: RequestReads,
  account: ExchangeAccount,
  from: number | undefined,
): Promise<ReadRows<PlanOrder>> =>
  inEveryFutures((category, after) => readPlanOrderHistory(reads, account, { category }, { from, first: MAX_FIRST, after }));

/** How many orders are looked up at a time: a list that has grown long must not take the whole rate budget at once. */
const LOOK_UPS = 10;

/** What became of orders that are gone from the list of open ones; `undefined` for one that the exchange no longer knows. */
export async function whatBecameOf(
  reads: RequestReads,
  account: ExchangeAccount,
  gone: readonly Order[],
): Promise<readonly (Order | undefined)[]> {
  const found: (Order | undefined)[] = [];
  for (let at = 0; at < gone.length; at += LOOK_UPS)
    found.push(...(await Promise.all(gone.slice(at, at + LOOK_UPS).map((order) => lookUp(reads, account, order)))));
  return found;
}

async function lookUp(reads: RequestReads, account: ExchangeAccount, order: Order): Promise<Order | undefined> {
  const { orderId, symbol, category, tpslType } = order;
  const known = category === "UNKNOWN" ? undefined : category;
  return (
    (await readOrder(reads, account, { orderId, symbol, category: known, waits: tpslType === "tpsl" || undefined })) ?? undefined
  );
}

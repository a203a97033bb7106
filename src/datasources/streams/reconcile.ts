import { SECOND_MS } from "@exchange-graph/contract/clock";
import type { Fill } from "@exchange-graph/contract/fill";
import type { Order } from "@exchange-graph/contract/order";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import { TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import { MARKET_CATEGORIES, PRODUCT_CATEGORIES, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../calls/index.js";
import {
  MAX_FIRST,
  type RequestReads,
  readFills,
  readOpenOrders,
  readOpenPlanOrders,
  readOrder,
  readOrderHistory,
  readPlanOrderHistory,
  type Slice,
} from "../reads/index.js";

/** Reads over REST when a private stream starts, or after a gap. A push can be lost; the account's lists are authoritative. */

/** Maximum number of slices of one list: far more rows than the exchange's maximum of open orders. */
const MAX_SLICES = 20;

interface ReadRows<R> {
  readonly rows: readonly R[];
  /** Whether every row could be decoded. If not, a missing row may exist nevertheless. */
  readonly isWhole: boolean;
}

/** For a reading that was not needed. */
export const NO_ROWS: ReadRows<never> = { rows: [], isWhole: true };

/** The rows of a list that could be decoded. */
export const readRows = <R>(list: readonly Row<R>[]): ReadRows<R> => ({ rows: rowsRead(list), isWhole: list.every(isRead) });

interface ListPage {
  /** Undefined for a list of all categories. */
  readonly category: ProductCategory | undefined;
  readonly kind: string | undefined;
  readonly page: { readonly first: number; readonly after: string | undefined };
}

/** Reads these parts to their ends: each is a list of a category, or of a kind in it, by its name. */
async function inEveryPart<R>(parts: readonly string[], read: (list: ListPage) => Promise<Slice<R>>): Promise<ReadRows<R>> {
  const lists = parts.map(async (part) => {
    const [name, kind] = part.split(" ");
    const category = PRODUCT_CATEGORIES.find((one) => one === name);
    const rows: Row<R>[] = [];
    let after: string | undefined;
    for (let count = 0; count < MAX_SLICES; count++) {
      const slice = await read({ category, kind, page: { first: MAX_FIRST, after } });
      for (const { row } of slice.rows) rows.push(row);
      after = slice.rows.at(-1)?.cursor;
      if (!slice.hasNextPage || after === undefined) break;
    }
    return rows;
  });
  return readRows((await Promise.all(lists)).flat());
}

function ofCategory({ category, kind }: ListPage) {
  if (category === undefined) throw new Error(`there is no list of all categories (${kind ?? "of any kind"})`);
  return { category, kind };
}

/** The open orders of these lists. */
export const openOrdersIn = (reads: RequestReads, account: ExchangeAccount, parts: readonly string[]): Promise<ReadRows<Order>> =>
  inEveryPart(parts, ({ category, kind, page }) => {
    const tpslType = category === "SPOT" ? (kind === "tpsl" ? "tpsl" : "normal") : undefined;
    return readOpenOrders(reads, account, { category, tpslType }, page);
  });

/**
 * The end of a list of what has happened until now, Unix ms. After the exchange's clock was set back, rows may be dated in the
 * future. The exchange may also date a row later than the gateway's estimate of its time, by at most the tolerance for signatures.
 */
const untilNow = (reads: RequestReads): number => Math.ceil((reads.latest() + TIMESTAMP_WINDOW_MS) / SECOND_MS) * SECOND_MS;

/** Orders that are no longer open, among those placed after a time. */
export async function ordersFinishedSince(reads: RequestReads, account: ExchangeAccount, from: number): Promise<ReadRows<Order>> {
  const to = untilNow(reads);
  const categories = (await reads.modeOf(account)) === "UNIFIED" ? PRODUCT_CATEGORIES : MARKET_CATEGORIES;
  return inEveryPart(categories, (list) =>
    readOrderHistory(reads, account, { category: ofCategory(list).category }, { from, to, ...list.page }),
  );
}

/**
 * Executions after a time, in these lists. A unified account has one list for all categories. An earlier process may have known
 * that executions are dated in the future: `latest` is the time of the latest known one.
 */
export const fillsSince = (
  reads: RequestReads,
  account: ExchangeAccount,
  { since: from, latest }: { readonly since: number; readonly latest: number },
  parts: readonly string[],
): Promise<ReadRows<Fill>> => {
  const to = Math.max(untilNow(reads), latest + TIMESTAMP_WINDOW_MS);
  return inEveryPart(parts, ({ category, page }) =>
    readFills(reads, account, category === undefined ? {} : { category }, { from, to, ...page }),
  );
};

/** The open trigger orders of these lists. */
export const openPlansIn = (
  reads: RequestReads,
  account: ExchangeAccount,
  parts: readonly string[],
): Promise<ReadRows<PlanOrder>> => inEveryPart(parts, (list) => readOpenPlanOrders(reads, account, ofCategory(list), list.page));

/** Trigger orders of these lists that have ended: the latest ones, or those after a time. */
export const plansEnded = (
  reads: RequestReads,
  account: ExchangeAccount,
  parts: readonly string[],
  from: number | undefined,
): Promise<ReadRows<PlanOrder>> =>
  inEveryPart(parts, (list) => readPlanOrderHistory(reads, account, ofCategory(list), { from, ...list.page }));

/** Maximum number of concurrent look-ups: a long list must not use the whole rate budget at once. */
const LOOK_UPS = 10;

/** Outcomes of orders that are gone from the list of open ones; `undefined` for one that the exchange no longer has. */
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
  const listed = category === "UNKNOWN" ? undefined : category;
  return (
    (await readOrder(reads, account, { orderId, symbol, category: listed, waits: tpslType === "tpsl" || undefined })) ?? undefined
  );
}

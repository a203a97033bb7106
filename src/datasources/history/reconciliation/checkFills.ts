import { DAY_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { Fill } from "@exchange-graph/contract/fill";
import type { Order } from "@exchange-graph/contract/order";
import { rowsRead } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/index.js";
import {
  CATEGORIES_OF,
  MAX_FIRST,
  type RequestReads,
  readFills,
  readOrder,
  readOrderHistory,
  rowsOf,
  type Slice,
  slicesOf,
} from "../../reads/index.js";
import { type DaySpan, type Difference, differing, type Findings } from "./day.js";

/** Maximum number of rows of a list of one day, and of orders that are looked up one by one. */
const MAX_ROWS = 50_000;
export const MAX_LOOKED_UP = 500;
/** An order that was filled on a day was mostly placed on it, or on the day before. */
const PLACED_BEFORE_MS = DAY_MS;

/** A list or a look-up has too much for one day. */
export class TooMany extends Error {}

/** The rows of a list, whole. Throws `TooMany`. */
async function whole<R extends object>(page: (after: string | undefined) => Promise<Slice<R>>): Promise<readonly R[]> {
  const found: R[] = [];
  for await (const slice of slicesOf(page)) {
    found.push(...rowsRead(rowsOf(slice)));
    if (slice.hasNextPage && found.length > MAX_ROWS) throw new TooMany();
  }
  return found;
}

/** The orders and executions of an account on a day, as the exchange lists them. */
export interface DayOrders {
  /** Orders of the day and of the day before, by their identifiers, and those of the executions. */
  readonly orders: ReadonlyMap<string, Order>;
  readonly fills: readonly Fill[];
}

/** Reads what an account has traded. `newReads`: reads without earlier answers, so that nothing is kept longer than a page. */
export async function readDayOrders(
  newReads: () => RequestReads,
  account: ExchangeAccount,
  { from, to }: DaySpan,
): Promise<DayOrders> {
  const categories = CATEGORIES_OF[await newReads().modeOf(account)];
  const orders = new Map<string, Order>();
  const placedFrom = from - PLACED_BEFORE_MS;
  const listed = await whole((after) =>
    readOrderHistory(newReads(), account, { category: categories }, { from: placedFrom, to, first: MAX_FIRST, after }),
  );
  for (const order of listed) orders.set(order.orderId, order);
  const fills = (
    await whole((after) => readFills(newReads(), account, { category: categories }, { from, to, first: MAX_FIRST, after }))
  ).filter(({ createdTime }) => createdTime !== null && createdTime >= from && createdTime < to);
  let lookedUp = 0;
  for (const { category, symbol, orderId } of fills) {
    if (orderId === null || category === "UNKNOWN" || orders.has(orderId)) continue;
    if (++lookedUp > MAX_LOOKED_UP) throw new TooMany();
    const order = await readOrder(newReads(), account, { category, symbol, orderId });
    if (order !== null) orders.set(orderId, order);
  }
  return { orders, fills };
}

const sumOf = (fills: readonly Fill[]): Exact => fills.reduce((sum, { qty }) => sum.plus(qty ?? "0"), exact("0"));

/** Compares how much of each order was filled with the executions that the exchange lists. */
export async function checkFills(
  newReads: () => RequestReads,
  account: ExchangeAccount,
  { orders, fills }: DayOrders,
  { from }: DaySpan,
): Promise<Findings> {
  const byOrder = new Map<string, Fill[]>();
  for (const fill of fills) {
    const own = byOrder.get(fill.orderId ?? "");
    if (own === undefined) byOrder.set(fill.orderId ?? "", [fill]);
    else own.push(fill);
  }
  const differences: Difference[] = [];
  let lookedUp = 0;
  for (const order of orders.values()) {
    const { orderId, category, symbol, clientOid, cumExecQty, updatedTime } = order;
    const isOfDay = byOrder.has(orderId) || (updatedTime ?? 0) >= from;
    if (!isOfDay || cumExecQty === null || category === "UNKNOWN") continue;
    const filled = exact(cumExecQty);
    if (sumOf(byOrder.get(orderId) ?? []).eq(filled)) continue;
    // It was filled on other days too, or since.
    if (++lookedUp > MAX_LOOKED_UP) throw new TooMany();
    const own = await whole((after) => readFills(newReads(), account, { category, orderId }, { first: MAX_FIRST, after }));
    const sum = sumOf(own.filter((fill) => fill.orderId === orderId));
    if (sum.eq(filled) || (sum.gt(filled) && isOpen(order))) continue;
    const facts = { category, symbol, orderId, clientOid, expected: plain(filled), found: plain(sum) };
    differences.push(differing("FILLS_INCOMPLETE", { ...facts, time: updatedTime }));
  }
  return { checked: fills.length, reason: null, differences };
}

/** It may have been filled further since it was read. */
const isOpen = ({ status }: Order): boolean => status === "new" || status === "partially_filled";

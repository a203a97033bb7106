import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { Order } from "@exchange-graph/contract/order";
import {
  classicFuturesOrderDetail,
  classicSpotOpenOrders,
  classicSpotOrderHistory,
  classicSpotOrderInfo,
  orderInfo,
} from "@exchange-graph/contract/orderReads";
import { rowsRead } from "@exchange-graph/contract/rows";
import { withCategory } from "@exchange-graph/contract/trading";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { badInput, Fault, rowWhere } from "../../errors/index.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./categories.js";

/**
 * Maximum number of calls for the look-up of an order: on Classic spot it may be in the book, wait for a trigger, or have been
 * triggered.
 */
export const orderCalls = (mode: AccountMode | undefined, category: string | undefined): number =>
  mode === "UNIFIED" || isFuturesCategory(category ?? "") ? 1 : 3;

/** Identifies an order: one of its two identifiers, and on a Classic account its category and symbol. */
export interface OrderKey {
  readonly orderId?: string | null | undefined;
  readonly clientOid?: string | null | undefined;
  readonly category?: ProductCategory | null | undefined;
  readonly symbol?: string | null | undefined;
  /** Whether it is a Classic spot order with a trigger. Default: unknown. */
  readonly waits?: boolean | undefined;
}

/** Whether an order is in this category and symbol, where they are given. A unified account finds it by its identifier alone. */
export const isInMarket = (order: Pick<Order, "category" | "symbol">, { category, symbol }: Partial<OrderKey>): boolean =>
  (category ?? order.category) === order.category && inCapitals(symbol ?? order.symbol) === inCapitals(order.symbol);

/**
 * One order, open or finished, or `null` if the exchange does not have it. A Classic account requires the category, and for
 * futures the symbol; a unified account finds the order by its identifier.
 */
export async function readOrder(reads: Reads, account: ExchangeAccount, key: OrderKey): Promise<Order | null> {
  return foundOrNull(
    (await reads.modeOf(account)) === "UNIFIED" ? findUnified(reads, account, key) : findClassic(reads, account, key),
  );
}

/** Converts a refusal that means "no such order" to `null`. */
export async function foundOrNull<T>(finding: Promise<T | null>): Promise<T | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof Fault && error.code === "ORDER_NOT_FOUND") return null;
    throw error;
  }
}

const idsOf = ({ orderId, clientOid }: OrderKey) => ({ orderId: orderId ?? undefined, clientOid: clientOid ?? undefined });

const findUnified = (reads: Reads, account: ExchangeAccount, key: OrderKey): Promise<Order> =>
  reads.read(orderInfo, idsOf(key), account);

async function findClassic(reads: Reads, account: ExchangeAccount, key: OrderKey): Promise<Order | null> {
  const { category, symbol } = key;
  if (category === undefined || category === null)
    throw badInput([{ argument: "category", rule: "must be given on a Classic account" }]);
  if (category === "MARGIN") await reads.demand(account, "UNIFIED", "A margin order");
  if (category === "SPOT" || category === "MARGIN") return findSpot(reads, account, key);
  if (symbol === undefined || symbol === null)
    throw badInput([{ argument: "symbol", rule: "must be given for a futures order of a Classic account" }]);
  const found = await reads.read(classicFuturesOrderDetail, { symbol, productType: category, ...idsOf(key) }, account);
  return withCategory(category, found);
}

/**
 * An order in the book, or one with a trigger: the exchange's look-up finds orders in the book only. The lists of the others take
 * the exchange's identifier. Orders with a trigger do not have the client's own identifier; by the one that the exchange has
 * assigned they are found among the latest.
 */
async function findSpot(reads: Reads, account: ExchangeAccount, key: OrderKey): Promise<Order | null> {
  const inBook = key.waits === true ? null : await foundOrNull(reads.read(classicSpotOrderInfo, idsOf(key), account));
  if (inBook !== null || key.waits === false) return inBook;
  const { orderId, clientOid } = idsOf(key);
  const isIt = (order: Order): boolean => (orderId === undefined ? order.clientOid === clientOid : order.orderId === orderId);
  const within = orderId === undefined ? { symbol: key.symbol ?? undefined } : { orderId };
  const filter = { tpslType: "tpsl", ...within } as const;
  const { list: waiting } = await reads.read(classicSpotOpenOrders, filter, account);
  const found = rowsRead(waiting).find(isIt);
  return found ?? rowWhere([...(await reads.read(classicSpotOrderHistory, filter, account)).list, ...waiting], isIt);
}

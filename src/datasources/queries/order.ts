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
import type { AccountMode, ExchangeAccount } from "../accounts/exchangeAccount.js";
import { badInput, Fault } from "../fault.js";
import type { Reads } from "../reads/reads.js";
import { rowWhere } from "../rows.js";
import { isFuturesCategory } from "./category.js";

/** Calls that the look-up of one order takes at most: on Classic spot it may be in the book, wait for a trigger, or have waited. */
export const orderCalls = (mode: AccountMode | undefined, category: string | undefined): number =>
  mode === "UNIFIED" || isFuturesCategory(category ?? "") ? 1 : 3;

/** What finds an order: one of its two identifiers, and on a Classic account where to look. */
export interface OrderKey {
  readonly orderId?: string | null | undefined;
  readonly clientOid?: string | null | undefined;
  readonly category?: ProductCategory | null | undefined;
  readonly symbol?: string | null | undefined;
  /** Is it a Classic spot order that waits for its trigger, or did? Default: not known. */
  readonly waits?: boolean | undefined;
}

/**
 * One order, open or finished, or `null` when the exchange knows none. A Classic account keeps its categories apart and
 * needs the category, for futures the symbol too; a unified account finds the order by its identifier alone.
 */
export async function readOrder(reads: Reads, account: ExchangeAccount, key: OrderKey): Promise<Order | null> {
  return foundOrNull(
    (await reads.modeOf(account)) === "UNIFIED" ? findUnified(reads, account, key) : findClassic(reads, account, key),
  );
}

async function foundOrNull(finding: Promise<Order | null>): Promise<Order | null> {
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
 * An order in the book, or else one that waits for its trigger or did: the exchange's look-up knows orders in the book
 * alone. The lists take the exchange's identifier. Those that wait carry no name of the client's: by the one that the
 * exchange has given them they are found among the latest.
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

import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOrderDetail, classicSpotOrderInfo, orderInfo } from "@exchange-graph/contract/orderReads";
import { withCategory } from "@exchange-graph/contract/trading";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { badInput, Fault } from "../fault.js";
import type { Reads } from "../reads/reads.js";

/** What finds an order: one of its two identifiers, and on a Classic account where to look. */
export interface OrderKey {
  readonly orderId?: string | null | undefined;
  readonly clientOid?: string | null | undefined;
  readonly category?: ProductCategory | null | undefined;
  readonly symbol?: string | null | undefined;
}

/**
 * One order, open or finished, or `null` when the exchange knows none. A Classic account keeps its categories apart and
 * must be told the category, for futures the symbol too; a unified account finds the order by its identifier alone.
 */
export async function readOrder(reads: Reads, account: ExchangeAccount, key: OrderKey): Promise<Order | null> {
  try {
    return (await reads.modeOf(account)) === "UNIFIED"
      ? await findUnified(reads, account, key)
      : await findClassic(reads, account, key);
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
  if (category === "SPOT" || category === "MARGIN") return reads.read(classicSpotOrderInfo, idsOf(key), account);
  if (symbol === undefined || symbol === null)
    throw badInput([{ argument: "symbol", rule: "must be given for a futures order of a Classic account" }]);
  const found = await reads.read(classicFuturesOrderDetail, { symbol, productType: category, ...idsOf(key) }, account);
  return withCategory(category, found);
}

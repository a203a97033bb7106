import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOpenOrders, classicSpotOpenOrders, openOrders } from "@exchange-graph/contract/orderReads";
import type { Row } from "@exchange-graph/contract/rows";
import { type MarketCategory, type ProductCategory, SPOT_ORDER_KINDS } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { badInput } from "../../errors/index.js";
import { MAX_FIRST, rowsOf, type Slice, slicesOf } from "../paging/pager.js";
import { among, CATEGORIES_OF, listing, type SymbolReads } from "./categories.js";
import { NOTHING, newestFirst, type PageCountArguments, type Pages } from "./pageCounts.js";
import { endpointsOf, type HistoryArguments, type ListQuery, latestLists, listQuery } from "./pagedQuery.js";

export type SpotOrderKind = (typeof SPOT_ORDER_KINDS)[number];

interface OpenOrderFilter {
  readonly category?: ProductCategory | null | undefined;
  readonly symbol?: string | null | undefined;
  /** Classic spot orders of one kind only: `tpsl` are those that wait for their trigger. */
  readonly tpslType?: SpotOrderKind | null | undefined;
}

/**
 * Open orders, newest first. A unified account has one list. A Classic account has two lists for spot, orders in the book and
 * orders that wait for their trigger, and one for each futures category: without a category they are merged, except those that do
 * not list the symbol.
 */
export async function readOpenOrders(
  reads: SymbolReads,
  account: ExchangeAccount,
  filter: OpenOrderFilter,
  args: HistoryArguments,
): Promise<Slice<Order>> {
  if (filter.category === "MARGIN") await reads.demand(account, "UNIFIED", "A list of margin orders");
  if (filter.tpslType === "tpsl") await reads.demand(account, "CLASSIC", "A list of spot orders that wait for a trigger");
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const lists = isUnified ? unifiedLists(filter) : classicLists(await classicCategories(reads, filter), filter);
  return latestLists(reads, account, lists, args, isSameOrder);
}

/** Whether a list exists in the other account mode only, so that it is refused before anything is sent. */
export const isRefused = (mode: AccountMode, { category, tpslType }: PageCountArguments): boolean =>
  mode === "UNIFIED" ? tpslType === "tpsl" : category === "MARGIN" || (tpslType === "tpsl" && (category ?? "SPOT") !== "SPOT");

export const openOrderPages: Pages = (mode, args) => {
  if (isRefused(mode, args)) return NOTHING;
  const { category, symbol, tpslType } = args;
  const categories = among(CATEGORIES_OF.CLASSIC, tpslType === "tpsl" ? "SPOT" : category);
  const lists = mode === "UNIFIED" ? unifiedLists({}) : classicLists(categories, { symbol, tpslType });
  return newestFirst(...endpointsOf(lists));
};

/** All open orders, including Classic spot orders that wait for their trigger. */
export async function readEveryOpenOrder(reads: SymbolReads, account: ExchangeAccount): Promise<readonly Row<Order>[]> {
  const orders: Row<Order>[] = [];
  const read = (after: string | undefined) => readOpenOrders(reads, account, {}, { first: MAX_FIRST, after });
  for await (const slice of slicesOf(read)) orders.push(...rowsOf(slice));
  return orders;
}

const rowKey = ({ orderId }: Pick<Order, "orderId">) => orderId;
/** An order that two lists contain is shown once. */
export const isSameOrder = (one: Order, other: Order) => one.orderId === other.orderId && one.category === other.category;

type Lists = readonly ListQuery<Order>[];

const unifiedLists = ({ category, symbol }: Pick<OpenOrderFilter, "category" | "symbol">): Lists => [
  listQuery({ endpoint: openOrders, values: { category, symbol }, rowKey }),
];

const classicLists = (categories: readonly MarketCategory[], { symbol, tpslType }: Omit<OpenOrderFilter, "category">): Lists =>
  categories.flatMap((category) => {
    if (category === "SPOT")
      return kindsOf(tpslType).map((kind) =>
        listQuery({ endpoint: classicSpotOpenOrders, values: { symbol, tpslType: kind }, rowKey }),
      );
    const values = { productType: category, symbol };
    return [listQuery({ endpoint: classicFuturesOpenOrders, values, under: category, rowKey })];
  });

/** The requested kinds of spot orders; each has its own list. */
export const kindsOf = (tpslType: SpotOrderKind | null | undefined): readonly SpotOrderKind[] =>
  among(SPOT_ORDER_KINDS, tpslType);

async function classicCategories(
  reads: SymbolReads,
  { category, symbol, tpslType }: OpenOrderFilter,
): Promise<readonly MarketCategory[]> {
  const categories = among(CATEGORIES_OF.CLASSIC, category);
  if (tpslType === "tpsl") {
    if (!categories.includes("SPOT")) throw badInput([{ argument: "tpslType", rule: "must be normal outside SPOT" }]);
    return ["SPOT"];
  }
  if (categories.length === 1 || symbol === undefined || symbol === null) return categories;
  return listing(reads, categories, symbol);
}

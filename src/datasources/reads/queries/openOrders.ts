import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOpenOrders, classicSpotOpenOrders, openOrders } from "@exchange-graph/contract/orderReads";
import type { Row } from "@exchange-graph/contract/rows";
import {
  FUTURES_CATEGORIES,
  type FuturesCategory,
  type MarketCategory,
  type ProductCategory,
  SPOT_ORDER_KINDS,
} from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { badInput } from "../../errors/index.js";
import { type MergeableList, merged } from "../paging/merged.js";
import { MAX_FIRST, rowsOf, type Slice, slicesOf } from "../paging/pager.js";
import { sliceTokenPaged, type TokenPagedList } from "../paging/tokenPagedList.js";
import type { Reads } from "../reader/reads.js";
import { CATEGORIES_OF, listing, type SymbolReads } from "./categories.js";
import { NOTHING, newestFirst, type PageCountArguments, type Pages } from "./pageCounts.js";
import { type HistoryArguments, tokenPagedQuery } from "./pagedQuery.js";

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
  const { from, to } = args;
  const wanted = { ...filter, from, to };
  return sliceTokenPaged(isUnified ? unifiedList(reads, account, wanted) : await classicList(reads, account, wanted), args);
}

/** Whether a list exists in the other account mode only, so that it is refused before anything is sent. */
export const isRefused = (mode: AccountMode, { category, tpslType }: PageCountArguments): boolean =>
  mode === "UNIFIED" ? tpslType === "tpsl" : category === "MARGIN" || (tpslType === "tpsl" && (category ?? "SPOT") !== "SPOT");

export const openOrderPages: Pages = (mode, args) => {
  if (isRefused(mode, args)) return NOTHING;
  if (mode === "UNIFIED") return newestFirst(openOrders);
  const { category, tpslType } = args;
  const spot = kindsOf(tpslType).map(() => classicSpotOpenOrders);
  if (category === "SPOT" || tpslType === "tpsl") return newestFirst(...spot);
  if (category !== undefined) return newestFirst(classicFuturesOpenOrders);
  return newestFirst(...spot, ...FUTURES_CATEGORIES.map(() => classicFuturesOpenOrders));
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

/** A filter with a range of creation times. */
type Wanted = OpenOrderFilter & Pick<HistoryArguments, "from" | "to">;

const unifiedList = (reads: Reads, account: ExchangeAccount, { category, symbol, ...range }: Wanted): TokenPagedList<Order> =>
  tokenPagedQuery(reads, { endpoint: openOrders, account, values: { category, symbol }, rowKey }, range);

async function classicList(reads: SymbolReads, account: ExchangeAccount, filter: Wanted): Promise<TokenPagedList<Order>> {
  const categories = await classicCategories(reads, filter);
  return merged(
    categories.flatMap((category) =>
      category === "SPOT"
        ? kindsOf(filter.tpslType).map((kind) => spotList(reads, account, filter, kind))
        : [futuresList(reads, account, category, filter)],
    ),
    isSameOrder,
  );
}

/** The requested kinds of spot orders; each has its own list. */
export const kindsOf = (tpslType: SpotOrderKind | null | undefined): readonly SpotOrderKind[] =>
  SPOT_ORDER_KINDS.filter((kind) => (tpslType ?? kind) === kind);

async function classicCategories(
  reads: SymbolReads,
  { category, symbol, tpslType }: OpenOrderFilter,
): Promise<readonly MarketCategory[]> {
  const categories = CATEGORIES_OF.CLASSIC.filter((one) => (category ?? one) === one);
  if (tpslType === "tpsl") {
    if (!categories.includes("SPOT")) throw badInput([{ argument: "tpslType", rule: "must be normal outside SPOT" }]);
    return ["SPOT"];
  }
  if (categories.length === 1 || symbol === undefined || symbol === null) return categories;
  return listing(reads, categories, symbol);
}

const spotList = (
  reads: Reads,
  account: ExchangeAccount,
  { symbol, ...filter }: Wanted,
  tpslType: SpotOrderKind,
): MergeableList<Order> =>
  tokenPagedQuery(reads, { endpoint: classicSpotOpenOrders, account, values: { symbol, tpslType }, rowKey }, filter);

function futuresList(
  reads: Reads,
  account: ExchangeAccount,
  category: FuturesCategory,
  { symbol, ...filter }: Wanted,
): MergeableList<Order> {
  const values = { productType: category, symbol };
  return tokenPagedQuery(reads, { endpoint: classicFuturesOpenOrders, account, values, under: category, rowKey }, filter);
}

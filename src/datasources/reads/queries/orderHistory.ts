import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOrderHistory, classicSpotOrderHistory, orderHistory } from "@exchange-graph/contract/orderReads";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { badInput } from "../../errors/index.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { CATEGORIES_OF, each, isFuturesCategory, type OneOrMore } from "./categories.js";
import { isRefused, isSameOrder, kindsOf, type SpotOrderKind } from "./openOrders.js";
import { type CountedList, NOTHING, overTime, type Pages } from "./pageCounts.js";
import { type HistoryArguments, type ListRange, listWithin, mergedLists } from "./pagedQuery.js";

interface OrderHistoryFilter {
  readonly category: OneOrMore<ProductCategory>;
  readonly symbol?: string | null | undefined;
  /** Classic spot orders of one kind only: `tpsl` are those that waited for their trigger. */
  readonly tpslType?: SpotOrderKind | null | undefined;
}

export const orderHistoryPages: Pages = (mode, args) => {
  if (isRefused(mode, args)) return NOTHING;
  const { category, tpslType } = args;
  const categories = CATEGORIES_OF[mode].filter((one) => (category ?? (tpslType === "tpsl" ? "SPOT" : one)) === one);
  if (mode === "UNIFIED") return overTime(...categories.map(() => orderHistory));
  return overTime(
    ...categories.flatMap((one): readonly CountedList[] =>
      isFuturesCategory(one) ? [classicFuturesOrderHistory] : kindsOf(tpslType).map(() => classicSpotOrderHistory),
    ),
  );
};

const rowKey = ({ orderId }: Pick<Order, "orderId">): string => orderId;

/** Finished orders from the last 90 days, newest first. */
export async function readOrderHistory(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol, tpslType }: OrderHistoryFilter,
  args: HistoryArguments,
): Promise<Slice<Order>> {
  const categories = each(category);
  if (category === "MARGIN") await reads.demand(account, "UNIFIED", "A list of margin orders");
  if (tpslType === "tpsl") {
    await reads.demand(account, "CLASSIC", "A list of spot orders that waited for a trigger");
    if (!categories.includes("SPOT")) throw badInput([{ argument: "tpslType", rule: "must be normal outside SPOT" }]);
  }
  const common = { account, rowKey };
  const spot = (window: ListRange) =>
    kindsOf(tpslType).map((kind) =>
      listWithin(reads, { ...common, endpoint: classicSpotOrderHistory, values: { symbol, tpslType: kind } }, window),
    );
  const futures = (productType: FuturesCategory, window: ListRange) =>
    listWithin(
      reads,
      { ...common, endpoint: classicFuturesOrderHistory, values: { productType, symbol }, under: productType },
      window,
    );
  if ((await reads.modeOf(account)) === "UNIFIED") {
    const lists = (window: ListRange) =>
      categories.map((one) =>
        listWithin(reads, { ...common, endpoint: orderHistory, values: { category: one, symbol } }, window),
      );
    return mergedLists(reads, orderHistory, lists, args, isSameOrder);
  }
  const meant = tpslType === "tpsl" ? (["SPOT"] as const) : categories;
  const lists = (window: ListRange) => meant.flatMap((one) => (isFuturesCategory(one) ? [futures(one, window)] : spot(window)));
  const rule = meant.some(isFuturesCategory) ? classicFuturesOrderHistory : classicSpotOrderHistory;
  return mergedLists(reads, rule, lists, args, isSameOrder);
}

import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOrderHistory, classicSpotOrderHistory, orderHistory } from "@exchange-graph/contract/orderReads";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { badInput } from "../../errors/index.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { among, CATEGORIES_OF, each, isFuturesCategory, type OneOrMore } from "./categories.js";
import { isRefused, isSameOrder, kindsOf, type SpotOrderKind } from "./openOrders.js";
import { NOTHING, overTime, type Pages } from "./pageCounts.js";
import { endpointsOf, type HistoryArguments, type ListQuery, listQuery, mergedLists } from "./pagedQuery.js";

interface OrderHistoryFilter {
  readonly category: OneOrMore<ProductCategory>;
  readonly symbol?: string | null | undefined;
  /** Classic spot orders of one kind only: `tpsl` are those that waited for their trigger. */
  readonly tpslType?: SpotOrderKind | null | undefined;
}

const rowKey = ({ orderId }: Pick<Order, "orderId">): string => orderId;

function listsOf(
  mode: AccountMode,
  categories: readonly ProductCategory[],
  { symbol, tpslType }: Omit<OrderHistoryFilter, "category">,
): readonly ListQuery<Order>[] {
  if (mode === "UNIFIED")
    return categories.map((category) => listQuery({ endpoint: orderHistory, values: { category, symbol }, rowKey }));
  return (tpslType === "tpsl" ? ["SPOT"] : categories).flatMap((category): readonly ListQuery<Order>[] => {
    if (isFuturesCategory(category)) {
      const values = { productType: category, symbol };
      return [listQuery({ endpoint: classicFuturesOrderHistory, values, rowKey, under: category })];
    }
    return kindsOf(tpslType).map((kind) =>
      listQuery({ endpoint: classicSpotOrderHistory, values: { symbol, tpslType: kind }, rowKey }),
    );
  });
}

export const orderHistoryPages: Pages = (mode, args) =>
  isRefused(mode, args) ? NOTHING : overTime(...endpointsOf(listsOf(mode, among(CATEGORIES_OF[mode], args.category), args)));

/** Finished orders from the last 90 days, newest first. */
export async function readOrderHistory(
  reads: Reads,
  account: ExchangeAccount,
  { category, ...filter }: OrderHistoryFilter,
  args: HistoryArguments,
): Promise<Slice<Order>> {
  const categories = each(category);
  if (category === "MARGIN") await reads.demand(account, "UNIFIED", "A list of margin orders");
  if (filter.tpslType === "tpsl") {
    await reads.demand(account, "CLASSIC", "A list of spot orders that waited for a trigger");
    if (!categories.includes("SPOT")) throw badInput([{ argument: "tpslType", rule: "must be normal outside SPOT" }]);
  }
  return mergedLists(reads, account, listsOf(await reads.modeOf(account), categories, filter), args, isSameOrder);
}

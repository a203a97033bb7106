import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOrderHistory, classicSpotOrderHistory, orderHistory } from "@exchange-graph/contract/orderReads";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { badInput } from "../../errors/index.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./category.js";
import { isRefused, isSameOrder, kindsOf, type SpotOrderKind } from "./openOrders.js";
import { NOTHING, overTime, type Pages } from "./pageCounts.js";
import { type HistoryArguments, mergedQuery, pagedQuery } from "./pagedQuery.js";

interface OrderHistoryFilter {
  readonly category: ProductCategory;
  readonly symbol?: string | null | undefined;
  /** Classic spot orders of one kind only: `tpsl` are those that waited for their trigger. */
  readonly tpslType?: SpotOrderKind | null | undefined;
}

export const orderHistoryPages: Pages = (mode, asked) => {
  if (isRefused(mode, asked)) return NOTHING;
  if (mode === "UNIFIED") return overTime(orderHistory);
  if (isFuturesCategory(asked.category ?? "")) return overTime(classicFuturesOrderHistory);
  return overTime(...kindsOf(asked.tpslType).map(() => classicSpotOrderHistory));
};

/** Finished orders of one category from the last 90 days, newest first. */
export async function readOrderHistory(
  reads: Reads,
  account: ExchangeAccount,
  filter: OrderHistoryFilter,
  asked: HistoryArguments,
): Promise<Slice<Order>> {
  const { category, tpslType } = filter;
  if (category === "MARGIN") await reads.demand(account, "UNIFIED", "A list of margin orders");
  if (tpslType === "tpsl") {
    await reads.demand(account, "CLASSIC", "A list of spot orders that waited for a trigger");
    if (category !== "SPOT") throw badInput([{ argument: "tpslType", rule: "must be normal outside SPOT" }]);
  }
  const common = { account, rowKey: ({ orderId }: Pick<Order, "orderId">) => orderId };
  const { symbol } = filter;
  if ((await reads.modeOf(account)) === "UNIFIED")
    return pagedQuery(reads, { ...common, endpoint: orderHistory, values: { category, symbol } }, asked);
  if (isFuturesCategory(category)) {
    const values = { productType: category, symbol };
    return pagedQuery(reads, { ...common, endpoint: classicFuturesOrderHistory, values, under: category }, asked);
  }
  const kinds = kindsOf(tpslType).map((kind) => ({ ...common, values: { symbol, tpslType: kind } }));
  return mergedQuery(reads, classicSpotOrderHistory, kinds, asked, isSameOrder);
}

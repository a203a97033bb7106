import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOrderHistory, classicSpotOrderHistory, orderHistory } from "@exchange-graph/contract/orderReads";
import type { Page } from "@exchange-graph/contract/page";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { badInput } from "../fault.js";
import type { Slice } from "../paging/pager.js";
import type { TimeWindow } from "../paging/windows.js";
import type { Reads } from "../reads/reads.js";
import { isFuturesCategory, pageUnder } from "./category.js";
import { isSameOrder, kindsOf, type SpotOrderKind } from "./openOrders.js";
import { type HistoryArguments, mergedQuery, pagedQuery } from "./pagedQuery.js";

interface OrderHistoryFilter {
  readonly category: ProductCategory;
  readonly symbol?: string | null | undefined;
  /** Of Classic spot orders those of one kind alone: `tpsl` are those that waited for their trigger. */
  readonly tpslType?: SpotOrderKind | null | undefined;
}

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
  const symbol = filter.symbol ?? undefined;
  const common = {
    account,
    filter: { category, symbol },
    rowKey: ({ orderId }: Order) => orderId,
  };
  if ((await reads.modeOf(account)) === "UNIFIED")
    return pagedQuery(
      reads,
      {
        ...common,
        endpoint: orderHistory,
        values: ({ from, to }, cursor, limit) => ({ category, symbol, startTime: from, endTime: to, limit, cursor }),
        page: (page) => page,
      },
      asked,
    );
  if (isFuturesCategory(category))
    return pagedQuery(
      reads,
      {
        ...common,
        endpoint: classicFuturesOrderHistory,
        values: ({ from, to }, idLessThan, limit) => ({
          productType: category,
          symbol,
          startTime: from,
          endTime: to,
          limit,
          idLessThan,
        }),
        page: pageUnder(category),
      },
      asked,
    );
  const kinds = kindsOf(tpslType).map((kind) => ({
    ...common,
    filter: { ...common.filter, tpslType: kind },
    values: ({ from, to }: TimeWindow, idLessThan: string | undefined, limit: number) => ({
      symbol,
      tpslType: kind,
      startTime: from,
      endTime: to,
      limit,
      idLessThan,
    }),
    page: (page: Page<Order>) => page,
  }));
  return mergedQuery(reads, classicSpotOrderHistory, kinds, asked, isSameOrder);
}

import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOrderHistory, classicSpotOrderHistory, orderHistory } from "@exchange-graph/contract/orderReads";
import type { ProductCategory, SPOT_ORDER_KINDS } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { badInput } from "../fault.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { isFuturesCategory, pageUnder } from "./category.js";
import { type HistoryArguments, pagedQuery } from "./pagedQuery.js";

interface OrderHistoryFilter {
  readonly category: ProductCategory;
  readonly symbol?: string | null | undefined;
  /** `tpsl`: Classic spot orders that waited for a trigger, which are a list of their own. */
  readonly tpslType?: (typeof SPOT_ORDER_KINDS)[number] | null | undefined;
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
    filter: { category, symbol, tpslType },
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
  return pagedQuery(
    reads,
    {
      ...common,
      endpoint: classicSpotOrderHistory,
      values: ({ from, to }, idLessThan, limit) => ({
        symbol,
        tpslType: tpslType ?? undefined,
        startTime: from,
        endTime: to,
        limit,
        idLessThan,
      }),
      page: (page) => page,
    },
    asked,
  );
}

import type { Decoded } from "@exchange-graph/contract/codec";
import { strategySubOrders } from "@exchange-graph/contract/planReads";
import type { subOrder } from "@exchange-graph/contract/subOrder";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Slice } from "../paging/pager.js";
import { sliceTokenPaged } from "../paging/tokenPagedList.js";
import type { Reads } from "../reader/reads.js";
import { newestFirst, type Pages } from "./pageCounts.js";
import { type HistoryArguments, tokenPagedQuery } from "./pagedQuery.js";

export type SubOrder = Decoded<typeof subOrder>;

export const subOrderPages: Pages = newestFirst(strategySubOrders);

const rowKey = ({ subOrderId }: SubOrder): string => subOrderId;

/** The orders that a strategy order has placed, newest first. Unified accounts only. */
export async function readSubOrders(
  reads: Reads,
  account: ExchangeAccount,
  orderId: string,
  asked: HistoryArguments,
): Promise<Slice<SubOrder>> {
  await reads.demand(account, "UNIFIED", "A list of the orders of a trigger order");
  const query = { endpoint: strategySubOrders, account, values: { orderId }, rowKey };
  return sliceTokenPaged(tokenPagedQuery(reads, query, asked), asked);
}

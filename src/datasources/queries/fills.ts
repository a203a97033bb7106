import {
  classicFuturesFillHistory,
  classicFuturesFills,
  classicSpotFills,
  type Fill,
  fills,
} from "@exchange-graph/contract/fill";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { isFuturesCategory } from "./category.js";
import { isRefused } from "./openOrders.js";
import { NOTHING, newestFirst, overTime, type Pages } from "./pageCounts.js";
import { type HistoryArguments, latestQuery, pagedQuery } from "./pagedQuery.js";

interface FillFilter {
  readonly category: ProductCategory;
  /** Only executions of this order. */
  readonly orderId?: string | null | undefined;
}

export const fillPages: Pages = (mode, asked) => {
  if (isRefused(mode, asked)) return NOTHING;
  const hasTimes = asked.from !== undefined || asked.to !== undefined;
  const walk = asked.orderId !== undefined && !hasTimes ? newestFirst : overTime;
  if (mode === "UNIFIED") return walk(fills);
  if (!isFuturesCategory(asked.category ?? "")) return walk(classicSpotFills);
  return hasTimes ? overTime(classicFuturesFillHistory) : newestFirst(classicFuturesFills);
};

/**
 * Executions in one category, newest first: those of the last 90 days on a unified account and on Classic spot.
 *
 * Classic futures have two lists: the latest executions, and a history that is read a week at a time. Without `from`
 * and `to` it is the former, with them the latter, of which a lone `to` means the week before it. An order's executions
 * are found without walking through time.
 */
export async function readFills(
  reads: Reads,
  account: ExchangeAccount,
  filter: FillFilter,
  asked: HistoryArguments,
): Promise<Slice<Fill>> {
  const { category } = filter;
  if (category === "MARGIN") await reads.demand(account, "UNIFIED", "A list of margin executions");
  const { orderId = null } = filter;
  const common = { account, rowKey: ({ execId }: Pick<Fill, "execId">) => execId };
  const hasTime = (asked.from ?? asked.to ?? undefined) !== undefined;
  const byTime = hasTime || orderId === null ? pagedQuery : latestQuery;
  if ((await reads.modeOf(account)) === "UNIFIED")
    return byTime(reads, { ...common, endpoint: fills, values: { category, orderId } }, asked);
  if (!isFuturesCategory(category)) return byTime(reads, { ...common, endpoint: classicSpotFills, values: { orderId } }, asked);
  const futures = { ...common, values: { productType: category, orderId }, under: category };
  return hasTime
    ? pagedQuery(reads, { ...futures, endpoint: classicFuturesFillHistory }, asked)
    : latestQuery(reads, { ...futures, endpoint: classicFuturesFills }, asked);
}

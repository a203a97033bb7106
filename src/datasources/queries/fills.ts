import {
  classicFuturesFillHistory,
  classicFuturesFills,
  classicSpotFills,
  type Fill,
  fills,
} from "@exchange-graph/contract/fill";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Slice } from "../paging/pager.js";
import { sliceTokenPaged } from "../paging/tokenPagedList.js";
import type { Reads } from "../reads/reads.js";
import { isFuturesCategory, pageUnder } from "./category.js";
import { type HistoryArguments, type PagedQuery, pagedQuery, type Stretch, tokenPagedQuery } from "./pagedQuery.js";

interface FillFilter {
  readonly category: ProductCategory;
  /** Only executions of this order. */
  readonly orderId?: string | null | undefined;
}

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
  const orderId = filter.orderId ?? undefined;
  const common = { account, filter: { category, orderId }, rowKey: ({ execId }: Fill) => execId };
  const hasTime = (asked.from ?? asked.to ?? undefined) !== undefined;
  const take = <P extends ParameterSet, D>(query: PagedQuery<P, D, Fill, Stretch>, byTime = hasTime || orderId === undefined) =>
    byTime ? pagedQuery(reads, query, asked) : sliceTokenPaged(tokenPagedQuery(reads, query), asked);

  if ((await reads.modeOf(account)) === "UNIFIED")
    return take({
      ...common,
      endpoint: fills,
      values: ({ from, to }, cursor, limit) => ({ category, orderId, startTime: from, endTime: to, limit, cursor }),
      page: (page) => page,
    });
  const classicValues = ({ from, to }: Stretch, idLessThan: string | undefined, limit: number) => ({
    orderId,
    startTime: from,
    endTime: to,
    limit,
    idLessThan,
  });
  if (!isFuturesCategory(category))
    return take({ ...common, endpoint: classicSpotFills, values: classicValues, page: (page) => page });
  const futures = {
    ...common,
    endpoint: hasTime ? classicFuturesFillHistory : classicFuturesFills,
    values: (window: Stretch, pageToken: string | undefined, limit: number) => ({
      productType: category,
      ...classicValues(window, pageToken, limit),
    }),
    page: pageUnder(category),
  };
  return take(futures, hasTime);
}

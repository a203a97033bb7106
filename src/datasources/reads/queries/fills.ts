import type { Endpoint } from "@exchange-graph/contract/endpoint";
import {
  classicFuturesFillHistory,
  classicFuturesFills,
  classicSpotFills,
  type Fill,
  fills,
} from "@exchange-graph/contract/fill";
import { type Row, rowsRead } from "@exchange-graph/contract/rows";
import {
  FUTURES_CATEGORIES,
  type FuturesCategory,
  PRODUCT_CATEGORIES,
  type ProductCategory,
} from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./category.js";
import { isRefused } from "./openOrders.js";
import { NOTHING, newestFirst, overTime, type Pages } from "./pageCounts.js";
import { type HistoryArguments, latestQuery, pagedQuery, spanOf } from "./pagedQuery.js";

interface FillFilter {
  /** Default: all categories, on a unified account. */
  readonly category?: ProductCategory;
  /** Only executions of this order. */
  readonly orderId?: string | null | undefined;
}

const rowKey = ({ execId }: Pick<Fill, "execId">): string => execId;

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
 * Classic futures have two lists: the latest executions, and a history that is read in windows of a week. Without `from` and `to`
 * the former is read, with either the latter; with only `to`, the week before it. The executions of an order need no windows.
 */
export async function readFills(
  reads: Reads,
  account: ExchangeAccount,
  filter: FillFilter,
  asked: HistoryArguments,
): Promise<Slice<Fill>> {
  const { category, orderId = null } = filter;
  if (category === "MARGIN") await reads.demand(account, "UNIFIED", "A list of margin executions");
  const common = { account, rowKey };
  const hasTime = (asked.from ?? asked.to ?? undefined) !== undefined;
  const byTime = hasTime || orderId === null ? pagedQuery : latestQuery;
  if ((await reads.modeOf(account)) === "UNIFIED")
    return byTime(reads, { ...common, endpoint: fills, values: { category: category ?? null, orderId } }, asked);
  if (category === undefined) throw new Error("a Classic account has a list of executions for each category");
  if (!isFuturesCategory(category)) return byTime(reads, { ...common, endpoint: classicSpotFills, values: { orderId } }, asked);
  const futures = { ...common, values: { productType: category, orderId }, under: category };
  return hasTime
    ? pagedQuery(reads, { ...futures, endpoint: classicFuturesFillHistory }, asked)
    : latestQuery(reads, { ...futures, endpoint: classicFuturesFills }, asked);
}

/** The latest executions of one of the exchange's lists. */
interface LatestFills {
  readonly categories: readonly ProductCategory[];
  readonly rows: readonly Row<Fill>[];
  /** The list is complete from this time on, Unix ms. */
  readonly since: number;
}

/** Number of executions read per list: one page of the exchange. */
const LATEST = 100;

/** The latest executions of each list of an account, as far back as a query without times reads. */
export async function readLatestFills(reads: Reads, account: ExchangeAccount): Promise<readonly LatestFills[]> {
  const latest = async (
    categories: readonly ProductCategory[],
    list: Pick<Endpoint, "name" | "window">,
    read: (asked: HistoryArguments) => Promise<Slice<Fill>>,
  ): Promise<LatestFills> => {
    const { from } = spanOf(list, {}, reads.now());
    const { rows: found, hasNextPage } = await read({ first: LATEST });
    const rows = found.map(({ row }) => row);
    if (!hasNextPage) return { categories, rows, since: from };
    // Further executions of the same time may be on the next page.
    const oldest = rowsRead(rows).at(-1)?.createdTime ?? reads.now();
    return { categories, rows, since: oldest + 1 };
  };
  const common = { account, rowKey };
  if ((await reads.modeOf(account)) === "UNIFIED") {
    const query = { ...common, endpoint: fills, values: { category: null, orderId: null } };
    return [await latest(PRODUCT_CATEGORIES, fills, (asked) => pagedQuery(reads, query, asked))];
  }
  const spot = { ...common, endpoint: classicSpotFills, values: { orderId: null } };
  const futures = (category: FuturesCategory) => ({
    ...common,
    endpoint: classicFuturesFillHistory,
    values: { productType: category, orderId: null },
    under: category,
  });
  return Promise.all([
    latest(["SPOT"], classicSpotFills, (asked) => pagedQuery(reads, spot, asked)),
    ...FUTURES_CATEGORIES.map((category) =>
      latest([category], classicFuturesFillHistory, (asked) => pagedQuery(reads, futures(category), asked)),
    ),
  ]);
}

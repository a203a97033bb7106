import {
  classicFuturesFillHistory,
  classicFuturesFills,
  classicSpotFills,
  type Fill,
  fills,
} from "@exchange-graph/contract/fill";
import { isNamed } from "@exchange-graph/contract/letterCase";
import { type Row, rowsRead } from "@exchange-graph/contract/rows";
import { PRODUCT_CATEGORIES, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { merged } from "../paging/merged.js";
import { onlyRows, rowsOf, type Slice, sliceTokenPaged } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { among, CATEGORIES_OF, each, isFuturesCategory, type OneOrMore } from "./categories.js";
import { isRefused } from "./openOrders.js";
import { NOTHING, newestFirst, overTime, type Pages } from "./pageCounts.js";
import {
  endpointsOf,
  type HistoryArguments,
  type ListQuery,
  latestQuery,
  listQuery,
  mergedLists,
  pagedQuery,
  spanOf,
} from "./pagedQuery.js";

interface FillFilter {
  /** Default: all. */
  readonly category?: OneOrMore<ProductCategory>;
  readonly symbol?: string | null | undefined;
  readonly orderId?: string | null | undefined;
}

const rowKey = ({ execId }: Pick<Fill, "execId">): string => execId;

/** The list of a category of a Classic account; `futures` is one of the two for futures. */
function classicList(
  category: ProductCategory,
  futures: typeof classicFuturesFills,
  { symbol, orderId }: Omit<FillFilter, "category">,
): ListQuery<Fill> {
  if (!isFuturesCategory(category)) return listQuery({ rowKey, endpoint: classicSpotFills, values: { symbol, orderId } });
  return listQuery({ rowKey, endpoint: futures, values: { productType: category, symbol, orderId }, under: category });
}

export const fillPages: Pages = (mode, args) => {
  if (isRefused(mode, args)) return NOTHING;
  const hasTimes = args.from !== undefined || args.to !== undefined;
  if (mode === "UNIFIED") return args.orderId !== undefined && !hasTimes ? newestFirst(fills) : overTime(fills);
  const categories = among(CATEGORIES_OF.CLASSIC, args.category);
  if (!categories.some(isFuturesCategory))
    return args.orderId !== undefined && !hasTimes ? newestFirst(classicSpotFills) : overTime(classicSpotFills);
  const futures = hasTimes ? classicFuturesFillHistory : classicFuturesFills;
  const lists = endpointsOf(categories.map((one) => classicList(one, futures, args)));
  return hasTimes ? overTime(...lists) : newestFirst(...lists);
};

/**
 * Executions, newest first: those of the last 90 days on a unified account and on Classic spot. A unified account has one list for
 * all categories, without a filter for symbols: pages of one symbol may have fewer rows.
 *
 * Classic futures have two lists: the latest executions, and a history that is read in windows of a week. Without `from` and `to`
 * the former is read, with either the latter; with only `to`, the week before it. The executions of an order need no windows.
 */
export async function readFills(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol, orderId = null }: FillFilter,
  args: HistoryArguments,
): Promise<Slice<Fill>> {
  if (category === "MARGIN") await reads.demand(account, "UNIFIED", "A list of margin executions");
  const hasTime = (args.from ?? args.to ?? undefined) !== undefined;
  if ((await reads.modeOf(account)) === "UNIFIED") {
    const byTime = hasTime || orderId === null ? pagedQuery : latestQuery;
    const values = { category: typeof category === "string" ? category : null, orderId };
    const found = await byTime(reads, { account, rowKey, endpoint: fills, values }, args);
    return symbol === undefined || symbol === null ? found : onlyRows(found, (row) => isNamed(row.symbol, symbol));
  }
  const categories = each(category ?? CATEGORIES_OF.CLASSIC);
  const ofSpot = { account, rowKey, endpoint: classicSpotFills, values: { symbol, orderId } };
  if (!categories.some(isFuturesCategory))
    return hasTime || orderId === null ? pagedQuery(reads, ofSpot, args) : latestQuery(reads, ofSpot, args);
  const listsWith = (futures: typeof classicFuturesFills) =>
    categories.map((one) => classicList(one, futures, { symbol, orderId }));
  if (hasTime) return mergedLists(reads, account, listsWith(classicFuturesFillHistory), args);
  const spotWindow = orderId === null ? spanOf(classicSpotFills, {}, reads.now()) : {};
  const lists = listsWith(classicFuturesFills).map((list) =>
    list.within(reads, account, list.endpoint === classicSpotFills ? spotWindow : {}),
  );
  return sliceTokenPaged(merged(lists), args);
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
  const latest = async (categories: readonly ProductCategory[], list: ListQuery<Fill>): Promise<LatestFills> => {
    const { from } = spanOf(list.endpoint, {}, reads.now());
    const slice = await mergedLists(reads, account, [list], { first: LATEST });
    const rows = rowsOf(slice);
    if (!slice.hasNextPage) return { categories, rows, since: from };
    // Further executions of the same time may be on the next page.
    const oldest = rowsRead(rows).at(-1)?.createdTime ?? reads.now();
    return { categories, rows, since: oldest + 1 };
  };
  if ((await reads.modeOf(account)) === "UNIFIED")
    return [await latest(PRODUCT_CATEGORIES, listQuery({ endpoint: fills, values: { category: null, orderId: null }, rowKey }))];
  return Promise.all(
    CATEGORIES_OF.CLASSIC.map((category) =>
      latest([category], classicList(category, classicFuturesFillHistory, { orderId: null })),
    ),
  );
}

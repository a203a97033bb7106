import type { Page } from "@exchange-graph/contract/page";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import {
  classicOpenPlanOrders,
  classicPlanOrderHistory,
  openPlanOrders,
  planOrderHistory,
} from "@exchange-graph/contract/planReads";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import {
  CLASSIC_PLAN_LISTS,
  type FuturesCategory,
  type ProductCategory,
  STRATEGY_TYPES,
} from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import { type MergeableList, merged, mergedWhole } from "../paging/merged.js";
import { MAX_FIRST, type Slice } from "../paging/pager.js";
import { sliceTokenPaged, type TokenPagedList } from "../paging/tokenPagedList.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./category.js";
import { named } from "./named.js";
import { newestFirst, type Pages } from "./pageCounts.js";
import { type HistoryArguments, stretchOf, tokenPagedQuery } from "./pagedQuery.js";
import { pageOrNone } from "./strategyLists.js";

export const planOrderPages: Pages = (mode) =>
  mode === "UNIFIED"
    ? newestFirst(...STRATEGY_TYPES.map(() => openPlanOrders))
    : newestFirst(...CLASSIC_PLAN_LISTS.map(() => classicOpenPlanOrders));
export const planOrderHistoryPages: Pages = (mode) =>
  mode === "UNIFIED"
    ? newestFirst(...STRATEGY_TYPES.map(() => planOrderHistory))
    : newestFirst(...CLASSIC_PLAN_LISTS.map(() => classicPlanOrderHistory));

const rowKey = ({ orderId }: Pick<PlanOrder, "orderId">) => orderId;
/** An order that two lists contain is shown once. */
const isSame = (one: PlanOrder, other: PlanOrder) => one.orderId === other.orderId;

interface PlanOrderFilter {
  /** Spot and margin on unified accounts only. */
  readonly category: ProductCategory;
  readonly symbol?: string | null | undefined;
  /** One of the exchange's lists of trigger orders. Default: all of them. */
  readonly kind?: string | undefined;
}

/** Classic spot lists its trigger orders among its orders. */
function onlyFutures(category: ProductCategory): FuturesCategory {
  if (isFuturesCategory(category)) return category;
  const rule = "must be a futures category on a Classic account, whose trigger orders on spot are among the open orders";
  throw new Fault("ACCOUNT_MODE_MISMATCH", `category ${rule}`, { violations: [{ argument: "category", rule }] });
}

const of = <K extends string>(kinds: readonly K[], kind: string | undefined): readonly K[] =>
  kinds.filter((one) => (kind ?? one) === one);

/** Open trigger orders of one category, newest first, merged from the lists of all kinds. */
export async function readOpenPlanOrders(
  reads: Reads,
  account: ExchangeAccount,
  filter: PlanOrderFilter,
  asked: HistoryArguments,
): Promise<Slice<PlanOrder>> {
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const list = isUnified
    ? unifiedOpenPlans(reads, account, filter, asked)
    : classicOpenPlans(reads, account, { ...filter, category: onlyFutures(filter.category) }, asked);
  return sliceTokenPaged(list, asked);
}

const NO_ORDERS: Page<PlanOrder> = { list: [], cursor: null };

/** The lists of a unified account come whole, without a filter for symbols and times: they are one page. */
function unifiedOpenPlans(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol, kind }: PlanOrderFilter,
  asked: HistoryArguments,
): TokenPagedList<PlanOrder> {
  const { from, to } = stretchOf(asked);
  return {
    identity: JSON.stringify([
      openPlanOrders.name,
      account.name,
      category,
      kind ?? null,
      symbol ?? null,
      from ?? null,
      to ?? null,
    ]),
    maxPageSize: MAX_FIRST,
    rowKey: (row) => (isRead(row) ? rowKey(row) : row.rowId),
    async page() {
      const answers = of(STRATEGY_TYPES, kind).map((type) =>
        pageOrNone({ category, type }, reads.read(openPlanOrders, { category, type }, account), NO_ORDERS),
      );
      const lists = (await Promise.all(answers)).map(({ list }) => list);
      const rows = ofSymbol(mergedWhole(lists, isSame), symbol);
      return { rows: rows.filter((row) => !isRead(row) || isWithin(row, from, to)), next: undefined };
    },
  };
}

/** Whether an order was created between these times. One without a creation time may have been. */
const isWithin = ({ createdTime }: PlanOrder, from = 0, to = Number.POSITIVE_INFINITY): boolean =>
  createdTime === null || (createdTime >= from && createdTime <= to);

const ofSymbol = (plans: readonly Row<PlanOrder>[], symbol: string | null | undefined) =>
  named(plans, (plan) => plan.symbol, "symbol", symbol === undefined || symbol === null ? undefined : [symbol], false);

const classicOpenPlans = (
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol, kind }: PlanOrderFilter & { readonly category: FuturesCategory },
  asked: HistoryArguments,
): TokenPagedList<PlanOrder> =>
  merged(
    of(CLASSIC_PLAN_LISTS, kind).map((planType) => {
      const values = { productType: category, planType, symbol };
      return tokenPagedQuery(reads, { endpoint: classicOpenPlanOrders, account, values, under: category, rowKey }, asked);
    }),
    isSame,
  );

/**
 * Trigger orders of one category that have ended, newest first. The exchange documents no maximum range for `from` and `to`: they
 * are sent unchanged.
 */
export async function readPlanOrderHistory(
  reads: Reads,
  account: ExchangeAccount,
  { category, kind }: Omit<PlanOrderFilter, "symbol">,
  asked: HistoryArguments,
): Promise<Slice<PlanOrder>> {
  const common = { account, rowKey };
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const lists: readonly MergeableList<PlanOrder>[] = isUnified
    ? of(STRATEGY_TYPES, kind).map((type) => {
        const list = { category, type };
        const query = tokenPagedQuery(reads, { ...common, endpoint: planOrderHistory, values: list }, asked);
        return { ...query, page: (...page) => pageOrNone(list, query.page(...page), { rows: [], next: undefined }) };
      })
    : of(CLASSIC_PLAN_LISTS, kind).map((planType) => {
        const under = onlyFutures(category);
        const values = { productType: under, planType };
        return tokenPagedQuery(reads, { ...common, endpoint: classicPlanOrderHistory, values, under }, asked);
      });
  return sliceTokenPaged(merged(lists, isSame), asked);
}

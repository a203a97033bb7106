import { isNamed } from "@exchange-graph/contract/letterCase";
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
  FUTURES_CATEGORIES,
  type FuturesCategory,
  PRODUCT_CATEGORIES,
  type ProductCategory,
  STRATEGY_TYPES,
} from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import { type MergeableList, merged, mergedWhole } from "../paging/merged.js";
import { MAX_FIRST, onlyRows, type Slice } from "../paging/pager.js";
import { sliceTokenPaged, type TokenPagedList } from "../paging/tokenPagedList.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./category.js";
import { each, type OneOrMore } from "./everyCategory.js";
import { named } from "./named.js";
import { type CountedList, newestFirst, type Pages } from "./pageCounts.js";
import { type HistoryArguments, stretchOf, tokenPagedQuery } from "./pagedQuery.js";
import { pageOrNone, type StrategyList } from "./strategyLists.js";

/** Categories with trigger orders; Classic spot lists its own among its orders. */
export const planCategoriesOf = (mode: AccountMode): readonly ProductCategory[] =>
  mode === "UNIFIED" ? PRODUCT_CATEGORIES : FUTURES_CATEGORIES;

const pagesOf =
  (unified: CountedList, classic: CountedList): Pages =>
  (mode, { category }) => {
    const categories = planCategoriesOf(mode).filter((one) => (category ?? one) === one);
    return mode === "UNIFIED"
      ? newestFirst(...categories.flatMap(() => STRATEGY_TYPES.map(() => unified)))
      : newestFirst(...categories.flatMap(() => CLASSIC_PLAN_LISTS.map(() => classic)));
  };
export const planOrderPages = pagesOf(openPlanOrders, classicOpenPlanOrders);
export const planOrderHistoryPages = pagesOf(planOrderHistory, classicPlanOrderHistory);

const rowKey = ({ orderId }: Pick<PlanOrder, "orderId">) => orderId;
/** An order that two lists contain is shown once. */
const isSame = (one: PlanOrder, other: PlanOrder) => one.orderId === other.orderId;

interface PlanOrderFilter {
  /** Spot and margin on unified accounts only. */
  readonly category: OneOrMore<ProductCategory>;
  readonly symbol?: string | null | undefined;
  /** One of the exchange's lists of trigger orders. Default: all of them. */
  readonly kind?: string | undefined;
}

/** Classic spot lists its trigger orders among its orders. */
function onlyFutures(category: OneOrMore<ProductCategory>): readonly FuturesCategory[] {
  const categories = each(category);
  if (categories.every(isFuturesCategory)) return categories;
  const rule = "must be a futures category on a Classic account, whose trigger orders on spot are among the open orders";
  throw new Fault("ACCOUNT_MODE_MISMATCH", `category ${rule}`, { violations: [{ argument: "category", rule }] });
}

const of = <K extends string>(kinds: readonly K[], kind: string | undefined): readonly K[] =>
  kinds.filter((one) => (kind ?? one) === one);

/** Open trigger orders, newest first, merged from the lists of all kinds. */
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

/** The lists of a unified account. */
const listsOf = (category: OneOrMore<ProductCategory>, kind: string | undefined): readonly StrategyList[] =>
  each(category).flatMap((one) => of(STRATEGY_TYPES, kind).map((type) => ({ category: one, type })));

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
      const answers = listsOf(category, kind).map((list) =>
        pageOrNone(list, reads.read(openPlanOrders, list, account), NO_ORDERS),
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
  { category, symbol, kind }: PlanOrderFilter & { readonly category: readonly FuturesCategory[] },
  asked: HistoryArguments,
): TokenPagedList<PlanOrder> =>
  merged(
    category.flatMap((under) =>
      of(CLASSIC_PLAN_LISTS, kind).map((planType) => {
        const values = { productType: under, planType, symbol };
        return tokenPagedQuery(reads, { endpoint: classicOpenPlanOrders, account, values, under, rowKey }, asked);
      }),
    ),
    isSame,
  );

/**
 * Trigger orders that have ended, newest first. The exchange documents no maximum range for `from` and `to`: they are sent
 * unchanged. A unified account's lists have no filter for symbols: pages of one symbol may have fewer rows.
 */
export async function readPlanOrderHistory(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol, kind }: PlanOrderFilter,
  asked: HistoryArguments,
): Promise<Slice<PlanOrder>> {
  const common = { account, rowKey };
  if ((await reads.modeOf(account)) === "UNIFIED") {
    const lists = listsOf(category, kind).map((list): MergeableList<PlanOrder> => {
      const query = tokenPagedQuery(reads, { ...common, endpoint: planOrderHistory, values: list }, asked);
      return { ...query, page: (...page) => pageOrNone(list, query.page(...page), { rows: [], next: undefined }) };
    });
    const slice = await sliceTokenPaged(merged(lists, isSame), asked);
    return symbol === undefined || symbol === null ? slice : onlyRows(slice, (plan) => isNamed(plan.symbol, symbol));
  }
  const lists = onlyFutures(category).flatMap((under) =>
    of(CLASSIC_PLAN_LISTS, kind).map((planType) => {
      const values = { productType: under, planType, symbol };
      return tokenPagedQuery(reads, { ...common, endpoint: classicPlanOrderHistory, values, under }, asked);
    }),
  );
  return sliceTokenPaged(merged(lists, isSame), asked);
}

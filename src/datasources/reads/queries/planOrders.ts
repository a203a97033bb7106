import { errorRow } from "@exchange-graph/contract/errors";
import { inCapitals, isNamed } from "@exchange-graph/contract/letterCase";
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
  CLASSIC_TPSL_PLANS,
  FUTURES_CATEGORIES,
  type FuturesCategory,
  type PLAN_TYPES,
  PRODUCT_CATEGORIES,
  type ProductCategory,
  STRATEGY_TYPES,
  type StrategyType,
} from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { everyPart, Fault, isUnreadPart, type Part, readableParts } from "../../errors/index.js";
import { identityUnder } from "../paging/cursor.js";
import { type MergeableList, merged, mergedWhole } from "../paging/merged.js";
import { MAX_FIRST, onlyRows, type Slice, sliceTokenPaged, type TokenPagedList } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { among, each, isFuturesCategory, type OneOrMore, partNamed } from "./categories.js";
import { named } from "./keptLists.js";
import { type CountedList, newestFirst, type Pages } from "./pageCounts.js";
import { type HistoryArguments, type ListQuery, latestLists, listQuery, stretchOf } from "./pagedQuery.js";

/** A list of strategy orders of a unified account. */
export interface StrategyList {
  readonly category: ProductCategory;
  readonly type: StrategyType;
}

/** The lists that the exchange has had from the beginning. */
const isOld = ({ category, type }: StrategyList): boolean =>
  isFuturesCategory(category) && (type === "tpsl" || type === "trigger");

/**
 * A page of a list of strategy orders. The exchange does not say which kinds exist in which category: a list whose parameters it
 * refuses has no orders, so that it does not keep those of the others from being read.
 */
export async function pageOrNone<T>(list: StrategyList, reading: Promise<T>, none: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!isOld(list) && error instanceof Fault && isRefusedForParameters(error)) return none;
    throw error;
  }
}

const isRefusedForParameters = ({ code, extensions: { exchange } }: Fault): boolean =>
  code === "EXCHANGE_REJECTED" && exchange !== undefined && errorRow("v3", exchange.code)?.category === "validation";

/** Categories with trigger orders; Classic spot lists its own among its orders. */
export const planCategoriesOf = (mode: AccountMode): readonly ProductCategory[] =>
  mode === "UNIFIED" ? PRODUCT_CATEGORIES : FUTURES_CATEGORIES;

const pagesOf =
  (unified: CountedList, classic: CountedList): Pages =>
  (mode, { category, planKinds: kinds }) => {
    const categories = among(planCategoriesOf(mode), category);
    return mode === "UNIFIED"
      ? newestFirst(...categories.flatMap(() => of(STRATEGY_TYPES, { kinds }).map(() => unified)))
      : newestFirst(...categories.flatMap(() => of(CLASSIC_PLAN_LISTS, { kinds }).map(() => classic)));
  };
export const planOrderPages = pagesOf(openPlanOrders, classicOpenPlanOrders);
export const planOrderHistoryPages = pagesOf(planOrderHistory, classicPlanOrderHistory);

const rowKey = ({ orderId }: Pick<PlanOrder, "orderId">) => orderId;
/** An order that two lists contain is shown once. */
const isSame = (one: PlanOrder, other: PlanOrder) => one.orderId === other.orderId;

type PlanType = (typeof PLAN_TYPES)[number];

interface PlanOrderFilter {
  /** Spot and margin on unified accounts only. */
  readonly category: OneOrMore<ProductCategory>;
  readonly symbol?: string | null | undefined;
  /** One of the exchange's lists of trigger orders. Default: all of them. */
  readonly kind?: string | undefined;
  /** Only trigger orders of these kinds, from the lists that have them. Default: all. */
  readonly kinds?: readonly PlanType[] | null | undefined;
}

/** The lists that have a kind, of both modes. The exchange lists Classic take-profits and stop-losses together. */
const listsWith = (kind: PlanType): readonly string[] => {
  if (kind === "normal_plan") return ["normal_plan", "trigger"];
  return CLASSIC_TPSL_PLANS.some((one) => one === kind) ? ["profit_loss"] : [kind];
};

type FuturesFilter = Omit<PlanOrderFilter, "category"> & { readonly category: readonly FuturesCategory[] };

/** Classic spot lists its trigger orders among its orders. */
function onlyFutures({ category, ...filter }: PlanOrderFilter): FuturesFilter {
  const categories = each(category);
  if (categories.every(isFuturesCategory)) return { ...filter, category: categories };
  const rule = "must be a futures category on a Classic account, whose trigger orders on spot are among the open orders";
  throw new Fault("ACCOUNT_MODE_MISMATCH", `category ${rule}`, { violations: [{ argument: "category", rule }] });
}

/** The lists that the filter selects. */
function of<K extends string>(lists: readonly K[], { kind, kinds }: Pick<PlanOrderFilter, "kind" | "kinds">): readonly K[] {
  const named = kinds?.flatMap(listsWith);
  return lists.filter((one) => (kind ?? one) === one && (named?.includes(one) ?? true));
}

/** Leaves out the other kinds of a list that has several. */
const ofKinds = (slice: Slice<PlanOrder>, { kinds }: PlanOrderFilter): Slice<PlanOrder> =>
  kinds === undefined || kinds === null ? slice : onlyRows(slice, ({ planType }) => kinds.some((kind) => kind === planType));

/** Open trigger orders, newest first, merged from the lists of all kinds. */
export async function readOpenPlanOrders(
  reads: Reads,
  account: ExchangeAccount,
  filter: PlanOrderFilter,
  args: HistoryArguments,
): Promise<Slice<PlanOrder>> {
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const slice = isUnified
    ? sliceTokenPaged(unifiedOpenPlans(reads, account, filter, args), args)
    : latestLists(reads, account, classicLists(classicOpenPlanOrders, onlyFutures(filter)), args, isSame);
  return ofKinds(await slice, filter);
}

const classicLists = (
  endpoint: typeof classicOpenPlanOrders,
  { category, symbol, ...filter }: FuturesFilter,
): readonly ListQuery<PlanOrder>[] =>
  category.flatMap((under) =>
    of(CLASSIC_PLAN_LISTS, filter).map((planType) =>
      listQuery({ endpoint, values: { productType: under, planType, symbol }, under, rowKey }),
    ),
  );

const listsOf = ({ category, ...filter }: PlanOrderFilter): readonly StrategyList[] =>
  each(category).flatMap((one) => of(STRATEGY_TYPES, filter).map((type) => ({ category: one, type })));

const NO_ORDERS: Page<PlanOrder> = { list: [], cursor: null };

/** The lists of a unified account come whole, without a filter for symbols and times: they are one page. */
function unifiedOpenPlans(
  reads: Reads,
  account: ExchangeAccount,
  filter: PlanOrderFilter,
  args: HistoryArguments,
): TokenPagedList<PlanOrder> {
  const { category, symbol, kind, kinds } = filter;
  const { from, to } = stretchOf(args);
  return {
    identity: identityUnder(reads.identitiesOf(account), (owner) =>
      JSON.stringify([
        openPlanOrders.name,
        owner,
        category,
        kind ?? null,
        kinds ?? null,
        symbol ?? null,
        from ?? null,
        to ?? null,
      ]),
    ),
    maxPageSize: MAX_FIRST,
    rowKey: (row) => (isRead(row) ? rowKey(row) : row.rowId),
    async page(_pageToken, _limit, isPartial) {
      const parts = listsOf(filter).map((list): Part<Page<PlanOrder>> => {
        const name = `${partNamed(list.category)} ${inCapitals(list.type)}`;
        return [name, pageOrNone(list, reads.read(openPlanOrders, list, account), NO_ORDERS)];
      });
      const found = await (isPartial ? readableParts(parts) : everyPart(parts));
      const lists = found.flatMap((part) => (isUnreadPart(part) ? [] : [part.list]));
      const rows = ofSymbol(mergedWhole(lists, isSame), symbol).filter((row) => !isRead(row) || isWithin(row, from, to));
      return { rows, next: undefined, unread: found.filter(isUnreadPart) };
    },
  };
}

/** Whether an order was created between these times. One without a creation time may have been. */
const isWithin = ({ createdTime }: PlanOrder, from = 0, to = Number.POSITIVE_INFINITY): boolean =>
  createdTime === null || (createdTime >= from && createdTime <= to);

const ofSymbol = (plans: readonly Row<PlanOrder>[], symbol: string | null | undefined) =>
  named(plans, (plan) => plan.symbol, "symbol", symbol === undefined || symbol === null ? undefined : [symbol], false);

/**
 * Trigger orders that have ended, newest first. The exchange documents no maximum range for `from` and `to`: they are sent
 * unchanged. A unified account's lists have no filter for symbols: pages of one symbol may have fewer rows.
 */
export async function readPlanOrderHistory(
  reads: Reads,
  account: ExchangeAccount,
  filter: PlanOrderFilter,
  args: HistoryArguments,
): Promise<Slice<PlanOrder>> {
  const { symbol } = filter;
  if ((await reads.modeOf(account)) === "CLASSIC") {
    const lists = classicLists(classicPlanOrderHistory, onlyFutures(filter));
    return ofKinds(await latestLists(reads, account, lists, args, isSame), filter);
  }
  const range = stretchOf(args);
  const lists = listsOf(filter).map((list): MergeableList<PlanOrder> => {
    const all = listQuery({ endpoint: planOrderHistory, values: list, rowKey }).within(reads, account, range, range);
    return { ...all, page: (...page) => pageOrNone(list, all.page(...page), { rows: [], next: undefined }) };
  });
  const slice = ofKinds(await sliceTokenPaged(merged(lists, isSame), args), filter);
  return symbol === undefined || symbol === null ? slice : onlyRows(slice, (plan) => isNamed(plan.symbol, symbol));
}

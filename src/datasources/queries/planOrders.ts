import type { PlanOrder } from "@exchange-graph/contract/plan";
import {
  classicOpenPlanOrders,
  classicPlanOrderHistory,
  openPlanOrders,
  planOrderHistory,
} from "@exchange-graph/contract/planReads";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import { type FuturesCategory, STRATEGY_TYPES } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { type MarkedList, sliceMarked } from "../paging/markedList.js";
import { type MergeableList, merged, mergedWhole } from "../paging/merged.js";
import { MAX_FIRST, type Slice, type SliceArguments } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { pageUnder } from "./category.js";
import { named } from "./named.js";
import { type HistoryArguments, markedQuery } from "./pagedQuery.js";

/** A Classic account lists its plans by kind: plans that open, trailing orders, and every kind of exit. */
export const CLASSIC_KINDS = ["normal_plan", "track_plan", "profit_loss"] as const;

const rowKey = ({ orderId }: PlanOrder) => orderId;
/** Should a list show what belongs into another one, the order is shown once. */
const isSame = (one: PlanOrder, other: PlanOrder) => one.orderId === other.orderId;

interface PlanOrderFilter {
  readonly category: FuturesCategory;
  readonly symbol?: string | null | undefined;
}

/** Trigger orders of one category that still wait, newest first: the lists of every kind merged. */
export async function readOpenPlanOrders(
  reads: Reads,
  account: ExchangeAccount,
  filter: PlanOrderFilter,
  asked: SliceArguments,
): Promise<Slice<PlanOrder>> {
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  return sliceMarked((isUnified ? unifiedOpenPlans : classicOpenPlans)(reads, account, filter), asked);
}

/** Those of each kind come whole, and without a filter for symbols: they are one page. */
const unifiedOpenPlans = (
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol }: PlanOrderFilter,
): MarkedList<PlanOrder> => ({
  identity: JSON.stringify([openPlanOrders.name, account.name, category, symbol ?? null]),
  maxPageSize: MAX_FIRST,
  rowKey: (row) => (isRead(row) ? rowKey(row) : row.rowId),
  async page() {
    const answers = STRATEGY_TYPES.map((type) => reads.read(openPlanOrders, { category, type }, account));
    const lists = (await Promise.all(answers)).map(({ list }) => list);
    return { rows: ofSymbol(mergedWhole(lists, isSame), symbol), next: undefined };
  },
});

const ofSymbol = (plans: readonly Row<PlanOrder>[], symbol: string | null | undefined) =>
  named(plans, (plan) => plan.symbol, "symbol", symbol === undefined || symbol === null ? undefined : [symbol], false);

const classicOpenPlans = (reads: Reads, account: ExchangeAccount, { category, symbol }: PlanOrderFilter): MarkedList<PlanOrder> =>
  merged(
    CLASSIC_KINDS.map((planType) =>
      markedQuery(reads, {
        endpoint: classicOpenPlanOrders,
        account,
        filter: { category, symbol, planType },
        values: (_window, idLessThan, limit) => ({
          productType: category,
          planType,
          symbol: symbol ?? undefined,
          limit,
          idLessThan,
        }),
        page: pageUnder(category),
        rowKey,
      }),
    ),
    isSame,
  );

/**
 * Trigger orders of one category that no longer wait, newest first. The exchange names no longest range for `from` and
 * `to`: they are passed on as they are.
 */
export async function readPlanOrderHistory(
  reads: Reads,
  account: ExchangeAccount,
  { category }: { readonly category: FuturesCategory },
  asked: HistoryArguments,
): Promise<Slice<PlanOrder>> {
  const { from, to } = asked;
  const between = { startTime: from ?? undefined, endTime: to ?? undefined };
  const common = { account, rowKey };
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const lists: readonly MergeableList<PlanOrder>[] = isUnified
    ? STRATEGY_TYPES.map((type) =>
        markedQuery(reads, {
          ...common,
          endpoint: planOrderHistory,
          filter: { category, from, to, type },
          values: (_window, cursor, limit) => ({ category, type, ...between, limit, cursor }),
          page: (page) => page,
        }),
      )
    : CLASSIC_KINDS.map((planType) =>
        markedQuery(reads, {
          ...common,
          endpoint: classicPlanOrderHistory,
          filter: { category, from, to, planType },
          values: (_window, idLessThan, limit) => ({ productType: category, planType, ...between, limit, idLessThan }),
          page: pageUnder(category),
        }),
      );
  return sliceMarked(merged(lists, isSame), asked);
}

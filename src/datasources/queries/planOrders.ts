import type { PlanOrder } from "@exchange-graph/contract/plan";
import {
  classicOpenPlanOrders,
  classicPlanOrderHistory,
  openPlanOrders,
  planOrderHistory,
} from "@exchange-graph/contract/planReads";
import type { Row } from "@exchange-graph/contract/rows";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { type MarkedList, sliceMarked } from "../paging/markedList.js";
import { merged } from "../paging/merged.js";
import type { Slice, SliceArguments } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { pageUnder } from "./category.js";
import { named } from "./named.js";
import { type HistoryArguments, markedQuery } from "./pagedQuery.js";

/** A Classic account lists its plans by kind: plans that open, trailing orders, and every kind of exit. */
const CLASSIC_KINDS = ["normal_plan", "track_plan", "profit_loss"] as const;

const rowKey = ({ orderId }: PlanOrder) => orderId;

interface PlanOrderFilter {
  readonly category: FuturesCategory;
  readonly symbol?: string | null | undefined;
}

/** Plan orders of one category that still wait, newest first: a unified account's one list, or a Classic account's three merged. */
export async function readOpenPlanOrders(
  reads: Reads,
  account: ExchangeAccount,
  filter: PlanOrderFilter,
  asked: SliceArguments,
): Promise<Slice<PlanOrder>> {
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  return sliceMarked((isUnified ? unifiedOpenPlans : classicOpenPlans)(reads, account, filter), asked);
}

/** It comes whole, and without a filter for symbols. */
const unifiedOpenPlans = (reads: Reads, account: ExchangeAccount, { category, symbol }: PlanOrderFilter): MarkedList<PlanOrder> =>
  markedQuery(reads, {
    endpoint: openPlanOrders,
    account,
    filter: { category, symbol },
    values: () => ({ category }),
    page: ({ list, cursor }) => ({ list: ofSymbol(list, symbol), cursor }),
    rowKey,
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
  );

/**
 * Plan orders of one category that no longer wait, newest first. The exchange names no longest range for `from` and
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
  if ((await reads.modeOf(account)) === "UNIFIED")
    return sliceMarked(
      markedQuery(reads, {
        ...common,
        endpoint: planOrderHistory,
        filter: { category, from, to },
        values: (_window, cursor, limit) => ({ category, ...between, limit, cursor }),
        page: (page) => page,
      }),
      asked,
    );
  const kinds = CLASSIC_KINDS.map((planType) =>
    markedQuery(reads, {
      ...common,
      endpoint: classicPlanOrderHistory,
      filter: { category, from, to, planType },
      values: (_window, idLessThan, limit) => ({ productType: category, planType, ...between, limit, idLessThan }),
      page: pageUnder(category),
    }),
  );
  return sliceMarked(merged<PlanOrder>(kinds), asked);
}

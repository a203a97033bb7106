import { exact } from "@exchange-graph/contract/decimal";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import { inPercent } from "@exchange-graph/contract/percent";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import {
  classicOpenPlanOrders,
  classicPlanOrderHistory,
  openPlanOrders,
  planOrderHistory,
} from "@exchange-graph/contract/planReads";
import { type Row, rowsRead } from "@exchange-graph/contract/rows";
import type { WithoutCategory } from "@exchange-graph/contract/trading";
import {
  type FuturesProductType,
  PRODUCT_CATEGORIES,
  type ProductCategory,
  STRATEGY_TYPES,
  type StrategyType,
} from "@exchange-graph/contract/vocabulary";
import { pageOrNone, type StrategyList } from "../../reads/index.js";
import type { JournalEntry } from "../journal/journalEntry.js";
import { isCovered, isEqual, isSameAmount, isSameName, placed, RECORDS_LOOKED_AT, wasEndedBefore } from "./evidence.js";
import { isOfThat } from "./orderEvidence.js";
import { isSince, type LookUp, type LookUpResult, type LostWrite } from "./policy.js";
import { type Acknowledgement, acknowledgement, type OrderIds } from "./replies.js";

/** Trigger orders are found in the exchange's lists of open and ended ones. */

type Plan = WithoutCategory<PlanOrder>;

/** A trigger order as it was found: among the open ones, or in the history. */
interface FoundPlan {
  readonly waiting: Plan | undefined;
  readonly past: Plan | undefined;
  /** The history reaches back further than was searched. */
  readonly isPartial: boolean;
  readonly rows: readonly Row<Plan>[];
}

/** The newest one with this identifier, because identifiers can be reused. */
const newest = (list: readonly Row<Plan>[], ids: OrderIds): Plan | undefined =>
  rowsRead(list)
    .filter((plan) => isOfThat(plan, ids))
    .sort((one, other) => (other.createdTime ?? 0) - (one.createdTime ?? 0))[0];

/** The lists of a unified account that may contain a trigger order: by category and kind. */
export const listsOf = (
  category: ProductCategory | undefined,
  types: readonly StrategyType[] = STRATEGY_TYPES,
): readonly StrategyList[] =>
  types.flatMap((type) => (category === undefined ? PRODUCT_CATEGORIES : [category]).map((one) => ({ category: one, type })));

/** First the lists of open ones, together; then the histories. */
export async function unifiedPlan(lookUp: LookUp, lists: readonly StrategyList[], ids: OrderIds): Promise<FoundPlan> {
  const none = { list: [], cursor: null };
  const open = await Promise.all(lists.map((list) => pageOrNone(list, lookUp.read(openPlanOrders, list), none)));
  const rows: Row<Plan>[] = open.flatMap(({ list }) => list);
  const waiting = newest(rows, ids);
  if (waiting !== undefined) return { waiting, past: undefined, isPartial: false, rows };
  const past = await Promise.all(
    lists.map((list) => pageOrNone(list, lookUp.read(planOrderHistory, { ...list, limit: RECORDS_LOOKED_AT }), none)),
  );
  rows.push(...past.flatMap(({ list }) => list));
  const isPartial = past.some(({ list }) => list.length >= RECORDS_LOOKED_AT);
  return { waiting: undefined, past: newest(rows, ids), isPartial, rows };
}

export async function classicPlan(
  lookUp: LookUp,
  productType: FuturesProductType,
  symbol: string | undefined,
  ids: OrderIds,
  planType: "normal_plan" | "track_plan" | "profit_loss" = "profit_loss",
): Promise<FoundPlan> {
  const filter = { productType, symbol, planType, ...ids } as const;
  const waiting = newest((await lookUp.read(classicOpenPlanOrders, filter)).list, ids);
  const past = newest((await lookUp.read(classicPlanOrderHistory, filter)).list, ids);
  return { waiting, past, isPartial: false, rows: [] };
}

/** The placed trigger order, if it was placed. */
export const placedPlan = (lost: Parameters<typeof placed>[0], symbol: string, { waiting, past, isPartial }: FoundPlan) =>
  waiting === undefined && past === undefined && isPartial
    ? "undecidable"
    : placed(lost, waiting ?? past, (plan) => isSameName(plan.symbol, symbol));

/**
 * v3's history does not show how a trigger order ended, only whether its take-profit or stop-loss was triggered. An ended one may
 * be further back in the history than was searched; only of an open one it is known that it was not cancelled.
 */
export function cancelledPlan(
  lost: Pick<LostWrite<ParameterSet>, "entry" | "refusedAt">,
  { waiting, past, isPartial }: FoundPlan,
): LookUpResult<Acknowledgement> {
  if (waiting !== undefined) return "no trace";
  // If the whole history was searched, a refusal that there is no such order is right.
  if (past === undefined) return lost.refusedAt !== undefined && !isPartial ? "no trace" : "undecidable";
  if (wasEndedBefore(lost, past)) return "another's";
  if (past.status === "cancelled" || (past.status === null && past.triggeredExit === null))
    return { accepted: { orderId: past.orderId, clientOid: past.clientOid } };
  return { rejected: "EXCHANGE_REJECTED", why: "the trigger order was triggered before it could be cancelled" };
}

/**
 * Whether a row may be the lost order under another identifier: the exchange keeps the client's own identifier of exits alone. A row
 * of the same symbol and quantity that was created since may be the lost one.
 */
export async function mayBeNameless(
  lost: Pick<LostWrite<ParameterSet>, "entry" | "others">,
  { symbol, qty }: { readonly symbol: string; readonly qty?: string | undefined },
  { rows }: FoundPlan,
): Promise<boolean> {
  const others = await lost.others();
  const isAnothers = ({ orderId }: Plan): boolean =>
    others.some(({ reply: answer }) => acknowledgement.safeParse(answer).data?.orderId === orderId);
  return rowsRead(rows).some(
    (plan) =>
      isSameName(plan.symbol, symbol) &&
      (qty === undefined || plan.qty === null || isSameAmount(plan.qty, qty)) &&
      (plan.createdTime === null || isSince(lost, plan.createdTime) !== "no") &&
      !isAnothers(plan),
  );
}

/** The terms of a change; undefined ones stay. A price of 0 stands for none: an exit that is removed, an order at market. */
type PlanChange = {
  readonly [K in "qty" | "takeProfit" | "stopLoss" | "triggerPrice" | "executePrice" | "callbackPercent"]?: string | undefined;
};

/** Whether it has the terms of a change. Exits of a whole position have no quantity. */
function hasTerms(plan: Plan, { qty, callbackPercent, ...prices }: PlanChange): boolean {
  const isPrice = (present: string | null, requested: string | undefined): boolean =>
    requested === undefined || isEqual(present, exact(requested).eq("0") ? null : requested);
  return (
    (qty === undefined || plan.qty === null || isEqual(plan.qty, qty)) &&
    (callbackPercent === undefined || (plan.callbackRate !== null && isEqual(inPercent(plan.callbackRate), callbackPercent))) &&
    (["takeProfit", "stopLoss", "triggerPrice", "executePrice"] as const).every((name) => isPrice(plan[name], prices[name]))
  );
}

/** A change shows in the order, open or ended, until it is changed again. An ended one can no longer be changed. */
export async function changedPlan(
  lost: Pick<LostWrite<ParameterSet>, "since">,
  { waiting, past }: FoundPlan,
  change: PlanChange,
): Promise<LookUpResult<Acknowledgement>> {
  const found = waiting ?? past;
  if (found === undefined) return "undecidable";
  const { orderId, clientOid } = found;
  const isOfIt = ({ orderId: one, clientOid: own }: JournalEntry["values"]): boolean =>
    one === orderId || (own !== undefined && own === clientOid);
  if (await isCovered(lost, isOfIt)) return "undecidable";
  if (hasTerms(found, change)) return { accepted: { orderId, clientOid } };
  return waiting === undefined
    ? { rejected: "EXCHANGE_REJECTED", why: "the trigger order had ended before it could be changed" }
    : "no trace";
}

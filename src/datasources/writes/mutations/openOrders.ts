import { isZero } from "@exchange-graph/contract/decimal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOpenOrders, classicSpotOpenOrders, openOrders } from "@exchange-graph/contract/orderReads";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { classicOpenPlanOrders, openPlanOrders } from "@exchange-graph/contract/planReads";
import { classicPositions, type Position, positions } from "@exchange-graph/contract/position";
import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import {
  CLASSIC_TPSL_PLANS,
  FUTURES_CATEGORIES,
  type FuturesCategory,
  PRODUCT_CATEGORIES,
} from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import { isFuturesCategory, type RequestReads, readEveryOpenOrder, readPositions } from "../../reads/index.js";
import { closesHedge, type OpenPlan, readEveryPlan } from "../limits/riskyPlans.js";
import type { CancelOrderInput } from "./cancelOrder.js";

/** An order that may still be open, with the reason; without an order if a list could not be read. */
export interface CancelFailure {
  readonly orderId: string | null;
  readonly symbol: string | null;
  readonly why: string;
}

/** A trigger order on futures that can only reduce a position. */
export interface KeptOrder extends Pick<PlanOrder, "orderId" | "symbol" | "planType" | "planTypeRaw"> {
  readonly category: FuturesCategory;
}

export type Cancellation = CancelOrderInput & { readonly orderId: string; readonly symbol: string };

/** Open orders of an account: those that can add risk, each as its cancellation, and those that cannot. */
export interface OpenOrders {
  readonly risky: readonly Cancellation[];
  readonly kept: readonly KeptOrder[];
  readonly unread: readonly CancelFailure[];
}

const ORDERS = [openOrders, classicSpotOpenOrders, classicFuturesOpenOrders].map(({ name }) => name);
const PLANS = [openPlanOrders, classicOpenPlanOrders, positions, classicPositions].map(({ name }) => name);

/** Reads the current open orders, including Classic spot orders that wait for a trigger: all of them can add risk. */
export async function readOrdersToEnd(reads: RequestReads, account: ExchangeAccount, placedUpTo?: number): Promise<OpenOrders> {
  const fresh = reads.afresh(account, ORDERS);
  const { rows, unread } = await listed("open orders", readEveryOpenOrder(fresh, account));
  const orders = rows.filter(isPlacedBy(placedUpTo)).map(cancelOf);
  return {
    risky: orders.filter((one) => "category" in one),
    kept: [],
    unread: [...orders.filter((one) => "why" in one), ...unread],
  };
}

/**
 * Reads the current trigger orders, including the running strategy orders of a unified account. A list that cannot be read is
 * reported, and the others count. An order can add risk unless it is certainly a take-profit, a stop-loss or a trailing stop of an
 * existing position.
 */
export async function readPlansToEnd(reads: RequestReads, account: ExchangeAccount, placedUpTo?: number): Promise<OpenOrders> {
  const fresh = reads.afresh(account, PLANS);
  const categories = (await fresh.modeOf(account)) === "UNIFIED" ? PRODUCT_CATEGORIES : FUTURES_CATEGORIES;
  const [held, ...plans] = await Promise.all([
    listed("positions", readPositions(fresh, account, {})),
    ...categories.map((category) =>
      listed(`trigger orders of ${category.replace("-", "_")}`, readEveryPlan(fresh, account, category)),
    ),
  ]);
  // If the positions cannot be read, orders that would close one are kept.
  const isHeld = (plan: OpenPlan): boolean => held.unread.length > 0 || held.rows.some((one) => isOf(plan, one));
  const isKept = (plan: OpenPlan): plan is OpenPlan & KeptOrder =>
    isFuturesCategory(plan.category) && onlyCloses(plan) && isHeld(plan);
  const waiting = plans.flatMap(({ rows }) => rows).filter(isPlacedBy(placedUpTo));
  return {
    risky: waiting.filter((plan) => !isKept(plan)).map(cancelOfPlan),
    kept: waiting.filter(isKept),
    unread: plans.flatMap(({ unread }) => unread),
  };
}

/** Whether an order was placed by then. One without a time may have been. */
const isPlacedBy =
  (time = Number.POSITIVE_INFINITY) =>
  ({ createdTime }: Pick<Order, "createdTime">): boolean =>
    createdTime === null || createdTime <= time;

interface Listed<T> {
  readonly rows: readonly T[];
  readonly unread: readonly CancelFailure[];
}

async function listed<T>(what: string, reading: Promise<readonly Row<T>[]>): Promise<Listed<T>> {
  try {
    const rows = await reading;
    const unread = rows.flatMap((row) =>
      isRead(row)
        ? []
        : [{ orderId: row.rowId ?? null, symbol: null, why: `one of the ${what} could not be read: ${row.message}` }],
    );
    return { rows: rowsRead(rows), unread };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { rows: [], unread: [{ orderId: null, symbol: null, why: `the ${what} could not be read: ${error.message}` }] };
  }
}

const TPSL_PLANS: readonly unknown[] = ["tpsl", ...CLASSIC_TPSL_PLANS];

/** Whether it is a take-profit or stop-loss of a position. */
export const isTpsl = ({ planType }: PlanOrder): boolean => TPSL_PLANS.includes(planType);

/**
 * Whether it can only reduce a position: by its kind, or because it closes in hedge mode. The exchange does not list whether a
 * trigger order is reduce-only, so others count as opening.
 */
const onlyCloses = (plan: PlanOrder): boolean => isTpsl(plan) || closesHedge(plan);

const isOf = (plan: OpenPlan, { category, symbol, posSide, qty }: Position): boolean =>
  plan.category === category &&
  inCapitals(plan.symbol) === inCapitals(symbol) &&
  (plan.posSide === null || plan.posSide === posSide) &&
  (qty === null || !isZero(qty));

function cancelOf({ orderId, symbol, category, tpslType }: Order): Cancellation | CancelFailure {
  if (category === "UNKNOWN") return { orderId, symbol, why: "its category is not known to this version" };
  return { category, symbol, orderId, kind: tpslType === "tpsl" ? "PLAN_ORDER" : "ORDER" };
}

const cancelOfPlan = ({ orderId, symbol, category, planType }: OpenPlan): Cancellation => ({
  ...{ category, symbol, orderId, kind: "PLAN_ORDER" },
  planType: planType === "normal_plan" || planType === "track_plan" ? planType : undefined,
});

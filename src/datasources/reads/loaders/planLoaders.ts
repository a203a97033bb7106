import { isNamed } from "@exchange-graph/contract/letterCase";
import type { Order } from "@exchange-graph/contract/order";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { rowsOf } from "../paging/pager.js";
import { type Placing, readSubOrders, type SubOrder } from "../queries/subOrders.js";
import type { Reads } from "../reader/reads.js";

/**
 * Between the trigger orders of unified accounts and the orders that they have placed. The exchange names these only in a list for
 * each trigger order, which one operation reads once.
 */

/** Kinds that place several orders, or one at once and another later. */
const PLACES_SEVERAL: readonly string[] = ["iceberg", "twap", "oco"];
/** A trigger order ends soon after it has placed its order, ms. */
const SOON_MS = 60_000;
/** Maximum number of trigger orders whose lists are searched for one order. */
const MAX_CANDIDATES = 5;
/** The latest orders of a trigger order. */
const LATEST = 100;

/** Whether a trigger order may have placed orders. */
export const hasPlaced = ({ planType, status }: Pick<PlanOrder, "planType" | "status">): boolean =>
  PLACES_SEVERAL.includes(planType ?? "") || status === "executed" || status === "executing";

type Placed = Pick<Order, "category" | "symbol" | "orderId" | "createdTime">;

/** Whether a trigger order may have placed an order, by its times. */
function mayHavePlaced(plan: PlanOrder, { symbol, createdTime }: Placed): boolean {
  if (!isNamed(plan.symbol, symbol) || !hasPlaced(plan)) return false;
  if (createdTime === null || plan.createdTime === null || plan.updatedTime === null) return true;
  if (createdTime < plan.createdTime - SOON_MS) return false;
  const isOver = plan.status !== "live" && plan.status !== "executing";
  if (isOver && createdTime > plan.updatedTime + SOON_MS) return false;
  return PLACES_SEVERAL.includes(plan.planType ?? "") || createdTime > plan.updatedTime - SOON_MS;
}

export class PlanLoaders {
  readonly #subOrders = new Map<string, Promise<readonly Row<SubOrder>[]>>();

  constructor(
    private readonly reads: Reads,
    /** Counts a call of an edge. It may throw. */
    private readonly spend: (edge: string, account: ExchangeAccount) => void,
    /** The trigger orders of a category that wait or run, and the latest ones that have ended. */
    private readonly plansOf: (account: ExchangeAccount, category: ProductCategory) => Promise<readonly Row<PlanOrder>[]>,
  ) {}

  /** The orders that a trigger order has placed, the latest first. */
  subOrders(account: ExchangeAccount, plan: Placing): Promise<readonly Row<SubOrder>[]> {
    const key = `${account.name} ${plan.orderId}`;
    const found = this.#subOrders.get(key) ?? this.#read(account, plan);
    this.#subOrders.set(key, found);
    return found;
  }

  async #read(account: ExchangeAccount, plan: Placing): Promise<readonly Row<SubOrder>[]> {
    this.spend("subOrders", account);
    return rowsOf(await readSubOrders(this.reads, account, plan, { first: LATEST }));
  }

  /** The trigger order that has placed an order; `null` if no candidate has. */
  async placing(account: ExchangeAccount, order: Placed): Promise<PlanOrder | null> {
    if (order.category === "UNKNOWN") return null;
    const plans = rowsRead(await this.plansOf(account, order.category)).filter((plan) => mayHavePlaced(plan, order));
    const distance = ({ updatedTime }: PlanOrder): number => Math.abs((updatedTime ?? 0) - (order.createdTime ?? 0));
    const nearest = [...plans].sort((one, other) => distance(one) - distance(other)).slice(0, MAX_CANDIDATES);
    for (const plan of nearest) {
      const placed = await this.subOrders(account, plan);
      if (placed.some((row) => isRead(row) && row.subOrderId === order.orderId)) return plan;
    }
    return null;
  }
}

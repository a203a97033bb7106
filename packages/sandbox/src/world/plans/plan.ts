import type { Exact } from "@exchange-graph/contract/decimal";
import type { PLAN_STATUSES, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Refused } from "../../refused.js";
import type { PositionSide } from "../accounts.js";
import { type Dialect, refused } from "../dialect.js";
import type { PriceKind } from "../market/listing.js";
import type { StpMode } from "../orders/order.js";
import type { OrderRequest } from "../orders/request.js";

/** Trigger orders: they wait for a price and then place an order. */

/** `tpsl` is v3's, with up to two exits in one plan; `spot` is an order on spot that waits for its trigger. */
export type PlanKind =
  | "tpsl"
  | "profit_plan"
  | "loss_plan"
  | "moving_plan"
  | "pos_profit"
  | "pos_loss"
  | "normal_plan"
  | "track_plan"
  | "spot";

export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** A price to wait for. */
export interface Trigger {
  readonly price: Exact;
  readonly by: Extract<PriceKind, "market" | "mark">;
  /** Does the price have to rise to it, or to fall? */
  readonly direction: "up" | "down";
}

/** What a plan waits for, and how the order leaves then: at this limit, or at market. */
export interface Leg {
  readonly role: "takeProfit" | "stopLoss" | "entry";
  readonly trigger: Trigger;
  readonly limitPrice?: Exact;
}

/** How a trailing plan follows the price once its trigger was reached. */
export interface Trail {
  /** How far the price has to come back, in percent of the best price seen. */
  readonly percent: Exact;
  /** The best price since then; nothing while the trigger has not been reached. */
  best: Exact | undefined;
}

/** What a plan does: it closes a position, in whole where no quantity stands, or it places an order. */
export type PlanAction =
  | { readonly kind: "exit"; readonly side: PositionSide; readonly stpMode: StpMode }
  | { readonly kind: "order"; readonly request: OrderRequest };

export interface Plan {
  readonly planId: string;
  readonly clientOid: string;
  readonly uid: string;
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly kind: PlanKind;
  readonly action: PlanAction;
  readonly createdTime: number;
  /** The order that it was attached to. */
  readonly attachedTo?: string;
  readonly trail?: Trail;
  legs: readonly Leg[];
  /** Base coin; undefined is the whole position. */
  quantity: Exact | undefined;
  status: PlanStatus;
  updatedTime: number;
  /** The leg that was reached. */
  triggered?: Leg;
  /** The order that it has placed. */
  orderId?: string;
}

/** Which prices, with the one that is due, say that a trigger is reached. */
export const isReached = ({ direction, price }: Trigger, current: Exact): boolean =>
  direction === "up" ? current.gte(price) : current.lte(price);

/** What an exit of a position waits for: a long takes its profit above, and stops its loss below. */
export const exitTrigger = (
  role: "takeProfit" | "stopLoss",
  { triggerPrice, triggerBy }: { readonly triggerPrice: Exact; readonly triggerBy: Trigger["by"] },
  side: PositionSide,
): Trigger => ({ price: triggerPrice, by: triggerBy, direction: (role === "takeProfit") === (side === "long") ? "up" : "down" });

/** The refusal of an exit whose price is not ahead. */
export function wrongSide(role: "takeProfit" | "stopLoss", side: PositionSide, dialect: Dialect): Refused {
  if (role === "takeProfit") return refused(dialect, "takeProfitWrongSide");
  return refused(dialect, side === "long" ? "stopLossWrongSide" : "shortStopLossWrongSide");
}

import type { Exact } from "@exchange-graph/contract/decimal";
import type {
  IcebergParameters,
  OcoParameters,
  TrailingStopParameters,
  TwapParameters,
} from "@exchange-graph/contract/strategyTerms";
import type { PLAN_STATUSES, ProductCategory, TRAIL_TYPES } from "@exchange-graph/contract/vocabulary";
import type { Refused } from "../../refused.js";
import type { PositionSide } from "../accounts.js";
import { type Dialect, refused } from "../dialect.js";
import type { PriceKind } from "../market/listing.js";
import type { Order, OrderRequest, StpMode } from "../orders/order.js";

/** Trigger orders, which wait for a price and then place an order, and v3's strategy orders, which place several. */

/**
 * `tpsl` is v3's, with a take-profit, a stop-loss or both in one plan; `spot` is an order on spot that waits for its trigger; the
 * last four are v3's strategies.
 */
export type PlanKind =
  | "tpsl"
  | "profit_plan"
  | "loss_plan"
  | "moving_plan"
  | "pos_profit"
  | "pos_loss"
  | "normal_plan"
  | "track_plan"
  | "spot"
  | Strategy["kind"];

/** The terms of a strategy order, in the exchange's parameters. */
export type Strategy =
  | { readonly kind: "oco"; readonly params: OcoParameters }
  | { readonly kind: "trailing_stop"; readonly params: TrailingStopParameters }
  | { readonly kind: "iceberg"; readonly params: IcebergParameters }
  | { readonly kind: "twap"; readonly params: TwapParameters };

export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** A trigger price with its direction. */
export interface Trigger {
  readonly price: Exact;
  readonly by: PriceKind;
  /** Whether the price has to rise or to fall to it. */
  readonly direction: "up" | "down";
}

/** A trigger, and the limit price of the order that it places; without one it is a market order. */
export interface Leg {
  /** `end`: the strategy ends at this price, without an order. */
  readonly role: "takeProfit" | "stopLoss" | "entry" | "end";
  readonly trigger: Trigger;
  readonly limitPrice?: Exact;
}

export interface Trail {
  /** Callback: in percent of the best price since the trigger, or in quote coin. */
  distance: Exact;
  readonly type: (typeof TRAIL_TYPES)[number];
  /** The best price since the trigger was reached; undefined before. */
  best: Exact | undefined;
}

/** Action of a trigger order: it closes a position, completely without a quantity, or it places an order. */
export type PlanAction =
  | { readonly kind: "close"; readonly side: PositionSide; readonly stpMode: StpMode }
  | { readonly kind: "order"; readonly request: OrderRequest };

/** The parts of an iceberg or TWAP order, and the limit order of an OCO order. */
export interface Run {
  /** When its next part is due, Unix ms; undefined while it waits for a price or for the part in the book. */
  nextAt: number | undefined;
  parts: number;
}

export interface Plan {
  readonly planId: string;
  readonly clientOid: string;
  readonly uid: string;
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly kind: PlanKind;
  action: PlanAction;
  readonly createdTime: number;
  readonly attachedTo?: string;
  readonly trail?: Trail;
  readonly strategy?: Strategy;
  readonly run?: Run;
  /** The orders that it has placed, oldest first. */
  readonly orders: Order[];
  legs: readonly Leg[];
  /** Base coin; undefined is the whole position. */
  quantity: Exact | undefined;
  status: PlanStatus;
  updatedTime: number;
  triggered?: Leg;
  orderId?: string;
}

/** Whether a trigger is reached at the current price. */
export const isReached = ({ direction, price }: Trigger, current: Exact): boolean =>
  direction === "up" ? current.gte(price) : current.lte(price);

/** Trigger of a position's take-profit or stop-loss: for a long position the profit is above, the stop below. */
export const tpslTrigger = (
  role: "takeProfit" | "stopLoss",
  { triggerPrice, triggerBy }: { readonly triggerPrice: Exact; readonly triggerBy: Trigger["by"] },
  side: PositionSide,
): Trigger => ({ price: triggerPrice, by: triggerBy, direction: (role === "takeProfit") === (side === "long") ? "up" : "down" });

/** The refusal of a take-profit or stop-loss price on the wrong side. */
export function wrongSide(role: "takeProfit" | "stopLoss", side: PositionSide, dialect: Dialect): Refused {
  if (role === "takeProfit") return refused(dialect, "takeProfitWrongSide");
  return refused(dialect, side === "long" ? "stopLossWrongSide" : "shortStopLossWrongSide");
}

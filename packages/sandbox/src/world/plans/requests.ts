import type { Exact } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { PositionSide } from "../accounts.js";
import type { StpMode } from "../orders/order.js";
import type { OrderRequest } from "../orders/request.js";
import type { Leg, PlanKind, Trigger } from "./plan.js";

/** A requested take-profit or stop-loss; the direction of its trigger follows from the position's side. */
export interface TpslRequest {
  readonly role: "takeProfit" | "stopLoss";
  readonly triggerPrice: Exact;
  readonly triggerBy: Trigger["by"];
  /** Default: market order. */
  readonly limitPrice?: Exact | undefined;
}

/** A request for a trigger order that closes a position. */
export interface TpslPlanRequest {
  readonly uid: string;
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly side: PositionSide;
  readonly kind: Exclude<PlanKind, EntryPlanRequest["kind"]>;
  readonly tpsl: readonly TpslRequest[];
  /** Base coin. Default: the whole position. */
  readonly quantity?: Exact | undefined;
  /** Trailing orders: callback in percent. */
  readonly callbackPercent?: Exact | undefined;
  readonly clientOid?: string | undefined;
  readonly stpMode?: StpMode | undefined;
  /** The order that it is attached to. */
  readonly attachedTo?: string | undefined;
}

/** A request for a trigger order that places an order once the price reaches its trigger from the current price. */
export interface EntryPlanRequest {
  readonly kind: "normal_plan" | "track_plan" | "spot";
  readonly triggerPrice: Exact;
  readonly triggerBy: Trigger["by"];
  readonly callbackPercent?: Exact | undefined;
  readonly order: OrderRequest;
  /** `entry` when missing. */
  readonly role?: Leg["role"] | undefined;
  readonly attachedTo?: string | undefined;
}

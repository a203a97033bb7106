import type { Exact } from "@exchange-graph/contract/decimal";
import type { FuturesCategory, TPSL_ROLES } from "@exchange-graph/contract/vocabulary";
import type { PositionSide } from "../accounts.js";
import type { OrderRequest, StpMode, TpslTerms } from "../orders/order.js";
import type { Leg, PlanKind, Strategy, Trigger } from "./plan.js";

/** A requested take-profit or stop-loss; the direction of its trigger follows from the position's side. */
export interface TpslRequest extends TpslTerms {
  readonly role: (typeof TPSL_ROLES)[number];
}

/** A request for a trigger order that closes a position. */
export interface TpslPlanRequest {
  readonly uid: string;
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly side: PositionSide;
  readonly kind: Exclude<PlanKind, EntryPlanRequest["kind"] | Strategy["kind"]>;
  readonly tpsl: readonly TpslRequest[];
  /** Base coin. Default: the whole position. */
  readonly quantity?: Exact | undefined;
  /** Trailing orders: callback in percent. */
  readonly callbackPercent?: Exact | undefined;
  readonly clientOid?: string | undefined;
  readonly stpMode?: StpMode | undefined;
  readonly attachedTo?: string | undefined;
}

/** A request for a trigger order that places an order once the price reaches its trigger from the current price. */
export interface EntryPlanRequest {
  readonly kind: "normal_plan" | "track_plan" | "spot";
  readonly triggerPrice: Exact;
  readonly triggerBy: Trigger["by"];
  readonly callbackPercent?: Exact | undefined;
  /** Base coin, where its order spends an amount of quote coin. */
  readonly quantity?: Exact | undefined;
  readonly order: OrderRequest;
  /** `entry` when missing. */
  readonly role?: Exclude<Leg["role"], "end"> | undefined;
  readonly attachedTo?: string | undefined;
}

/** A request for a strategy order, with the order of its whole quantity. */
export interface StrategyRequest {
  readonly strategy: Strategy;
  readonly order: OrderRequest & { readonly quantity: Exact };
}

/** New terms of a waiting trigger order. */
export interface PlanChange {
  /** Exits of a position; a kind that is missing is removed. */
  readonly legs: readonly TpslRequest[];
  /** Trigger of an order; undefined: unchanged. */
  readonly trigger?: Pick<EntryPlanRequest, "triggerPrice" | "triggerBy"> | undefined;
  /** Limit price of the order; undefined: at market. */
  readonly limitPrice?: Exact | undefined;
  /** Undefined: unchanged. */
  readonly quantity?: Exact | undefined;
  readonly callbackPercent?: Exact | undefined;
}

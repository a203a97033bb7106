import type { Exact } from "@exchange-graph/contract/decimal";
import type { CANCEL_REASONS, EXEC_TYPES, ProductCategory, STP_MODES, TIMES_IN_FORCE } from "@exchange-graph/contract/vocabulary";
import type { HoldMode, MarginMode, PositionSide } from "../accounts.js";
import type { Cause } from "../cause.js";
import { ZERO } from "../ledger.js";
import type { Side } from "../market/listing.js";
import type { Print } from "../market/prints.js";

/** Orders and fills of the world; the records of both API versions are rendered from these. */

export type OrderType = "limit" | "market";
type TimeInForce = (typeof TIMES_IN_FORCE)[number];
export type StpMode = (typeof STP_MODES)[number];
export type CancelReason = (typeof CANCEL_REASONS)[number];
export type ExecType = (typeof EXEC_TYPES)[number];
type OrderStatus = "new" | "partially_filled" | "filled" | "cancelled";

/** A take-profit or stop-loss that becomes active with the position that an order opens. */
export interface TpslTerms {
  readonly triggerPrice: Exact;
  readonly triggerBy: "market" | "mark";
  /** Without a limit price it is executed at market. */
  readonly limitPrice?: Exact;
}

export interface PositionTerms {
  readonly holdMode: HoldMode;
  /** Hedge mode only: the position that is opened or closed. */
  readonly posSide?: PositionSide;
  /** `net`: one-way mode, where a trade first reduces what it meets. */
  readonly effect: "open" | "close" | "net";
  readonly reduceOnly: boolean;
  readonly marginMode: MarginMode;
  readonly leverage: number;
  readonly marginCoin: string;
}

/** Completes the terms of a trade that opens or closes the position of a side. */
export function positionTerms(
  side: PositionSide,
  effect: "open" | "close",
  { holdMode, reduceOnly, ...rest }: Omit<PositionTerms, "posSide" | "effect">,
): PositionTerms {
  if (holdMode === "hedge_mode") return { holdMode, posSide: side, effect, reduceOnly: false, ...rest };
  return { holdMode, effect: "net", reduceOnly, ...rest };
}

/** The terms of an order. `side` is the side in the market, also when closing a position. */
export interface OrderTerms {
  readonly uid: string;
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  /** Limit orders only. */
  readonly price?: Exact;
  /** In base coin; zero for a spot market buy, which has an `amount` to spend instead. */
  readonly quantity: Exact;
  /** Spot market buy: amount of quote coin to spend. */
  readonly amount?: Exact;
  readonly clientOid: string;
  readonly stpMode: StpMode;
  readonly position?: PositionTerms;
  readonly takeProfit?: TpslTerms;
  readonly stopLoss?: TpslTerms;
  /** `normal`, or what made the exchange place it. */
  readonly execType: ExecType;
  /** The trigger order that placed it. */
  readonly planId?: string;
}

/** Frozen coins of an order. */
export interface FundsReservation {
  readonly coin: string;
  readonly amount: Exact;
}

/** An order with its current state. Its terms change only by a modification. */
export interface Order extends OrderTerms {
  readonly orderId: string;
  readonly createdTime: number;
  price?: Exact;
  quantity: Exact;
  takeProfit?: TpslTerms;
  stopLoss?: TpslTerms;
  status: OrderStatus;
  filledQuantity: Exact;
  /** Quote coin traded. */
  filledValue: Exact;
  /** Fees paid so far, by coin. */
  readonly fees: Map<string, Exact>;
  /** Profit realised by its closing fills. */
  profit: Exact;
  reserved: FundsReservation | undefined;
  /** The price by which coins were reserved: the limit, or for a market order its maximum cost. */
  reservePrice: Exact;
  /** The opening part of the quantity, as of the reservation of margin. */
  opening: Exact;
  cancelReason: CancelReason | "";
  updatedTime: number;
  /** The client's identifier of its latest change; pushes include it. */
  requestId?: string;
}

/** A new order without fills. */
export const newOrder = (terms: OrderTerms, orderId: string, at: number): Order => ({
  ...terms,
  clientOid: terms.clientOid === "" ? orderId : terms.clientOid,
  orderId,
  createdTime: at,
  updatedTime: at,
  status: "new",
  filledQuantity: ZERO,
  filledValue: ZERO,
  fees: new Map(),
  profit: ZERO,
  reserved: undefined,
  reservePrice: terms.price ?? ZERO,
  opening: ZERO,
  cancelReason: "",
});

/** Whether it can still be filled. */
export const isOpen = ({ status }: Order): boolean => status === "new" || status === "partially_filled";
export const remaining = ({ quantity, filledQuantity }: Pick<Order, "quantity" | "filledQuantity">): Exact =>
  quantity.minus(filledQuantity);

/** The average price of its fills; zero before the first one. */
export const averagePrice = ({ filledQuantity, filledValue }: Order): Exact =>
  filledQuantity.eq(ZERO) ? ZERO : filledValue.div(filledQuantity);

/** One execution, from one of its two sides, with the terms of its order. */
export interface Fill extends Readonly<ReturnType<typeof repeatedBy>>, Omit<Print, "side"> {
  readonly position?: PositionTerms;
  /** Price times quantity, in quote coin. */
  readonly value: Exact;
  /** The paid fee; never below zero. */
  readonly fee: { readonly coin: string; readonly amount: Exact };
  readonly scope: "taker" | "maker";
  /** Profit realised by the closed quantity, in margin coin. */
  readonly profit: Exact;
}

const repeatedBy = ({ orderId, clientOid, uid, category, symbol, side, orderType, execType }: Order) => ({
  ...{ orderId, clientOid, uid, category },
  ...{ symbol, side, orderType, execType },
});

export const fillOf = <E extends object>(order: Order, execution: E) => ({
  ...repeatedBy(order),
  ...(order.position === undefined ? {} : { position: order.position }),
  ...execution,
});

const FORCED: Readonly<Record<ExecType, string>> = {
  normal: "",
  offset: "offset_",
  reduce: "reduce_",
  liquidation: "burst_",
  delivery: "delivery_",
};

/** Effect of a trade on a position, in the exchange's values: `open`, `sell_single`, `burst_close_long`. Empty on spot. */
export function tradeSideOf({ position, side, execType }: Pick<OrderTerms, "position" | "side" | "execType">): string {
  if (position === undefined) return "";
  const forced = FORCED[execType];
  if (position.effect === "net") return `${forced}${side}_single`;
  return forced === "" ? position.effect : `${forced}close_${position.posSide ?? ""}`;
}

export const tradeCause = (order: Pick<Order, "orderId" | "category" | "symbol" | "side" | "position" | "execType">): Cause => {
  const { orderId, category, symbol, side, position } = order;
  const effect = tradeSideOf(order);
  // In hedge mode the effect alone does not name the position.
  const tradeSide = effect === "open" || effect === "close" ? `${effect}_${position?.posSide ?? ""}` : effect;
  return { kind: "trade", id: orderId, category, symbol, side, tradeSide };
};

type Required = "uid" | "category" | "symbol" | "side" | "orderType";
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * A requested order, in v3's values: `side` is the side in the market, so closing a long position is a `sell` with `posSide`
 * long. Missing values are the exchange's defaults (`gtc`, `none`, `normal`), or the account's settings. A limit order needs a
 * price, every order but a spot market buy a quantity, and in hedge mode an order needs a `posSide`, which one-way mode ignores.
 */
export interface OrderRequest
  extends Pick<OrderTerms, Required>,
    Optional<Omit<OrderTerms, Required | "position">>,
    Optional<Pick<PositionTerms, "posSide" | "reduceOnly" | "marginMode">> {}

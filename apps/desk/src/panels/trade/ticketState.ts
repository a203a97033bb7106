import type { Instrument, Market } from "./instrument.js";
import type { Strategy, Values } from "./strategies.js";

/**
 * What the exits of an order are typed as: prices; distances from the entry in percent; or the stop-loss as a price and the
 * take-profit as a multiple of its distance (R).
 */
export type ExitsBy = "price" | "percent" | "r";

/** A strategy order has a form of its own. */
export type Kind = "LIMIT" | "MARKET" | "TPSL" | "STRATEGY";
export type Tif = "GTC" | "POST_ONLY" | "IOC" | "FOK";
export type By = "qty" | "value" | "share" | "risk";

/** The fields of the ticket, as typed. */
export interface Ticket {
  readonly kind: Kind;
  readonly side: "BUY" | "SELL";
  readonly tif: Tif;
  readonly price: string;
  readonly triggerPrice: string;
  readonly by: By;
  /**
   * A quantity, a value in quote coin, a share in percent of the largest order, or the percentage of the account's equity that is
   * lost at the stop-loss, depending on `by`.
   */
  readonly size: string;
  /** What both exits are typed as. */
  readonly exitsBy: ExitsBy;
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly reduceOnly: boolean;
  /** In hedge mode: whether a position is opened or closed. */
  readonly effect: "OPEN" | "CLOSE";
  /** Default: the first one that the account has. */
  readonly strategy?: Strategy | undefined;
  /** The fields of the strategy. */
  readonly values: Values;
}

export const EMPTY: Ticket = {
  kind: "LIMIT",
  side: "BUY",
  tif: "GTC",
  price: "",
  triggerPrice: "",
  by: "qty",
  size: "",
  exitsBy: "price",
  takeProfit: "",
  stopLoss: "",
  reduceOnly: false,
  effect: "OPEN",
  values: {},
};

/** What an order is composed from, besides the ticket. It does not follow the market: the order changes only when it is edited. */
export interface Terms {
  readonly account: string;
  readonly market: Market;
  readonly instrument: Instrument | undefined;
  readonly isHedge: boolean;
  /** The last price at the time of the edit. */
  readonly last: string | undefined;
  /** The largest possible order at the time when a share of it was chosen. */
  readonly maxQty: string | undefined;
  readonly maxQuoteQty: string | undefined;
  /** Equity of the account in USDT at the time of the edit. */
  readonly equity: string | undefined;
}

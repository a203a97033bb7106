import type { AccountMode } from "../../calls/index.js";
import type { Prices } from "../../reads/index.js";
import type { AccountHoldings } from "../state/holdings.js";
import type { LiveKind } from "../state/kinds.js";

/**
 * Why queries for a list are not answered from streams: its streams are interrupted, it is about to be read, the formulas have not
 * reproduced its figures yet, or an input of the formulas is unknown.
 */
export type UnprovenReason = "INTERRUPTED" | "BEING_READ" | "NOT_REPRODUCED" | "NOT_COMPUTABLE";

/** A list of an account's state that queries may be answered from. */
export interface LiveList {
  readonly account: string;
  readonly kind: LiveKind;
  /** A product category, with a kind of order after it where that has a list of its own; or `ALL`. */
  readonly name: string;
  /** When it was last compared with the exchange, Unix ms; undefined if it never was. */
  readonly comparedAt: number | undefined;
  /** Why it is not proven; undefined if it is. */
  readonly reason: UnprovenReason | undefined;
}

/** What an account holds at current prices, all of it proven. */
export interface LiveWorth {
  readonly mode: AccountMode;
  readonly holdings: AccountHoldings;
  /** The prices of its positions and their coins. A Classic account's spot balances have none. */
  readonly prices: Prices;
  /** When its lists were last compared with the exchange, the earliest of them, Unix ms. */
  readonly comparedAt: number | undefined;
  /** The exchange's time, Unix ms. */
  readonly time: number;
}

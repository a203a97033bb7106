import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { ZERO } from "../world/ledger.js";
import type { TpslTerms } from "../world/orders/order.js";

/** A take-profit or stop-loss in a call: its trigger price, the price that it is compared with, and its limit price. */
export interface TpslParameters {
  readonly trigger: string | undefined;
  readonly by?: "market" | "mark" | undefined;
  /** Undefined or zero: at market. */
  readonly limit?: string | undefined;
}

/** A decimal of a call; undefined stays undefined. */
export const maybeExact = (amount: string | undefined): Exact | undefined => (amount === undefined ? undefined : exact(amount));

/** A price; undefined for zero or an empty text. */
export function priceOrNone(price: string | undefined): Exact | undefined {
  const given = maybeExact(price);
  return given === undefined || given.eq(ZERO) ? undefined : given;
}

/** The take-profit or stop-loss of a call; undefined without a trigger price. */
export function tpslTerms({ trigger, by = "market", limit }: TpslParameters): TpslTerms | undefined {
  const triggerPrice = priceOrNone(trigger);
  const limitPrice = priceOrNone(limit);
  if (triggerPrice === undefined) return undefined;
  return { triggerPrice, triggerBy: by, ...(limitPrice === undefined ? {} : { limitPrice }) };
}

import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { ZERO } from "../world/ledger.js";
import type { ExitTerms } from "../world/orders/order.js";

/** What a call says about one exit: where it triggers, what it looks at, and at which price it leaves. */
export interface AskedExit {
  readonly trigger: string | undefined;
  readonly by?: "market" | "mark" | undefined;
  /** None, or zero: at market. */
  readonly limit?: string | undefined;
}

/** A decimal of a call; a missing one stays missing. */
export const maybeExact = (amount: string | undefined): Exact | undefined => (amount === undefined ? undefined : exact(amount));

/** A price that zero or nothing stands for none of. */
export function priceOrNone(price: string | undefined): Exact | undefined {
  const given = maybeExact(price);
  return given === undefined || given.eq(ZERO) ? undefined : given;
}

/** The exit that a call asks for; nothing without a trigger price. */
export function exitTerms({ trigger, by = "market", limit }: AskedExit): ExitTerms | undefined {
  const triggerPrice = priceOrNone(trigger);
  const limitPrice = priceOrNone(limit);
  if (triggerPrice === undefined) return undefined;
  return { triggerPrice, triggerBy: by, ...(limitPrice === undefined ? {} : { limitPrice }) };
}

import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import type { placeOrder } from "@exchange-graph/contract/orderWrites";
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
  const limit = maybeExact(price);
  return limit === undefined || limit.eq(ZERO) ? undefined : limit;
}

/** The take-profit or stop-loss of a call; undefined without a trigger price. */
export function tpslTerms({ trigger, by = "market", limit }: TpslParameters): TpslTerms | undefined {
  const triggerPrice = priceOrNone(trigger);
  const limitPrice = priceOrNone(limit);
  if (triggerPrice === undefined) return undefined;
  return { triggerPrice, triggerBy: by, ...(limitPrice === undefined ? {} : { limitPrice }) };
}

/** The same for a change: undefined leaves it as it is, and `null`, for a trigger price of zero, removes it. */
export const changedTpsl = (parameters: TpslParameters): TpslTerms | null | undefined =>
  parameters.trigger === undefined ? undefined : (tpslTerms(parameters) ?? null);

type UnifiedTpsl = Pick<
  ParametersOf<typeof placeOrder>,
  "takeProfit" | "tpTriggerBy" | "tpOrderType" | "tpLimitPrice" | "stopLoss" | "slTriggerBy" | "slOrderType" | "slLimitPrice"
>;

/** Take-profit and stop-loss in v3's parameters: a limit price applies unless the order type is market. */
export const unifiedTpsl = (values: UnifiedTpsl) => ({
  takeProfit: {
    trigger: values.takeProfit,
    by: values.tpTriggerBy,
    limit: values.tpOrderType === "market" ? undefined : values.tpLimitPrice,
  },
  stopLoss: {
    trigger: values.stopLoss,
    by: values.slTriggerBy,
    limit: values.slOrderType === "market" ? undefined : values.slLimitPrice,
  },
});

/** The price that a trigger price of v2 is compared with. */
export const triggerBy = (type: "mark_price" | "fill_price" | undefined): "mark" | "market" =>
  type === "mark_price" ? "mark" : "market";

import { amount } from "../format/format.js";
import { CancelOrder } from "../graph/mutations.js";
import { submit } from "../graph/writes.js";
import type { Order, PlanOrder } from "../live/orders.js";
import { t } from "../text/text.js";
import { categoryOf } from "./market.js";

/** Undefined for an order of a category that this desk does not know. */
export function cancel(account: string, { category, symbol, orderId, price, qty, tpslType }: Order) {
  const listed = categoryOf(category);
  if (listed === undefined) return undefined;
  return submit(
    t("Cancel {symbol} {qty}{value}", { symbol, qty: amount(qty), value: price === null ? "" : ` @ ${amount(price)}` }),
    CancelOrder,
    {
      account,
      category: listed,
      symbol,
      by: { orderId },
      ...(tpslType === "TPSL" && { kind: "PLAN_ORDER" as const }),
    },
  );
}

export async function cancelPlan(account: string, { category, symbol, orderId, triggerPrice }: PlanOrder): Promise<void> {
  const listed = categoryOf(category);
  if (listed === undefined) return;
  await submit(t("Cancel trigger of {symbol} at {triggerPrice}", { symbol, triggerPrice: amount(triggerPrice) }), CancelOrder, {
    account,
    category: listed,
    symbol,
    by: { orderId },
    kind: "PLAN_ORDER",
  });
}

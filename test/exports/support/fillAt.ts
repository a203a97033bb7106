import { exact } from "@exchange-graph/contract/decimal";
import type { Fill } from "@exchange-graph/sandbox/world/orders/order";

/** An execution of the sandbox at a time; `at` and the number make its identifier, by which the exchange orders them. */
export function fillAt(uid: string, at: number, number: number, more: Partial<Fill> = {}): Fill {
  const id = `${at}${String(number).padStart(6, "0")}`;
  return {
    ...{ execId: id, execLinkId: id, orderId: id, clientOid: `c${id}`, uid, category: "SPOT", symbol: "BTCUSDT" },
    ...{ side: number % 2 === 0 ? "buy" : "sell", orderType: "limit", execType: "normal", scope: "maker" },
    ...{ price: exact("60000.5"), quantity: exact("0.001"), value: exact("60.0005"), profit: exact("0"), at },
    fee: { coin: "USDT", amount: exact("0.0600005") },
    ...more,
  };
}

import type { DataSource, ExchangeAccount } from "../../../../src/datasources/index.js";
import { RequestReads } from "../../../../src/datasources/index.js";
import { placeOrderPolicy } from "../../../../src/datasources/writes/policies/orders.js";
import { acknowledgement } from "../../../../src/datasources/writes/policies/replies.js";
import { plan, type WriteResult } from "../../../../src/datasources/writes/writePlan.js";

/** Sends an order that needs nothing to be read first: rules, positions and account are taken for granted. */
export function sendFirst(exchange: DataSource, account: ExchangeAccount, clientOid = "first"): Promise<WriteResult<unknown>> {
  const values = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit", qty: "0.001", price: "60000" } as const;
  const { trace, requester } = new RequestReads(exchange);
  return exchange.writes.writer.write({
    ...{ account, trace, requester, mutation: "placeOrder", input: { clientOid } },
    ...{ key: { text: clientOid, field: "clientOid" }, reply: acknowledgement },
    plan: async () => plan(placeOrderPolicy, { ...values, clientOid }),
    passLimits: async () => undefined,
  });
}

import { expect, it } from "vitest";
import { gatewayFor } from "../../../../src/datasources/calls/scheduler/requester.js";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readTrades } from "../../../../src/datasources/reads/queries/market.js";
import { eventually } from "../../../support/eventually.js";
import { exchangeOver } from "../../../support/exchangeOver.js";
import { scriptedExchange } from "../../../support/scriptedExchange.js";

it("no call waits for a connection: clients take turns for them, and reads leave one to writes", async () => {
  const upstream = await scriptedExchange();
  const exchange = exchangeOver(upstream.url, { connections: 3 });
  const answers: (() => void)[] = [];
  upstream.on("/api/v3/market/fills", async () => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return { data: [] };
  });
  const read = (client: string, symbol: string) =>
    readTrades(new RequestReads(exchange, { requester: gatewayFor({ client, weight: 1 }) }), { category: "SPOT", symbol });
  const all = [...Array.from({ length: 8 }, (_, at) => read("many", `M${at}`)), read("one", "ONE")];
  await eventually(() => answers.length === 2);
  expect(exchange.scheduler.overall().waiting).toBe(7);
  for (let at = 0; at < all.length; at++) {
    await eventually(() => answers.length > at);
    // Never more under way than reads may have connections.
    expect(answers.length - at).toBeLessThanOrEqual(2);
    answers[at]?.();
  }
  await Promise.all(all);
  const order = upstream.callsOf("/api/v3/market/fills").map(({ query }) => query.get("symbol"));
  expect(order.indexOf("ONE")).toBeLessThanOrEqual(3);
  await exchange.close();
  await upstream.close();
});

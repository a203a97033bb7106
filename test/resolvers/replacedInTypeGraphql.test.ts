import { isObjectType } from "graphql";
import { expect, it } from "vitest";
import { ANYONE } from "../../src/resolvers/index.js";
import { graph } from "../support/graph.js";

it("calls a method at once, with the arguments that its class declares and with what else it asks for", async () => {
  const type = graph.getType("Loans");
  const field = isObjectType(type) ? type.getFields().ongoing : undefined;
  const account = { name: "main" };
  const read: unknown[] = [];
  const within = (maxAgeMs: unknown) => ({
    modeOf: () => Promise.resolve("CLASSIC"),
    read: (endpoint: { readonly name: string }, values: unknown, of: unknown) => {
      read.push({ endpoint: endpoint.name, values, of, maxAgeMs });
      return Promise.resolve([]);
    },
  });
  const context = { principal: ANYONE, reads: { within, trace: {} } };
  const rows = Reflect.apply(field?.resolve ?? (() => undefined), undefined, [
    { account },
    { orderId: "7", maxAgeMs: 2_000 },
    context,
    undefined,
  ]);
  expect([...(await rows)]).toEqual([]);
  expect(read).toEqual([{ endpoint: "loanOngoing", values: { orderId: "7" }, of: { account }, maxAgeMs: 2_000 }]);
});

it("answers an event at once", () => {
  const field = graph.getSubscriptionType()?.getFields().ticker;
  const event = { kind: "update", time: 1, stale: false, value: { symbol: "BTCUSDT", lastPrice: "1" } };
  const context = { principal: ANYONE, reads: { forget: () => undefined } };
  const args = { category: "USDT_FUTURES", symbol: "BTCUSDT", pace: { mode: "ALL" } };
  expect(Reflect.apply(field?.resolve ?? (() => undefined), undefined, [event, args, context, undefined])).toMatchObject({
    category: "USDT_FUTURES",
    symbol: "BTCUSDT",
    stream: { kind: "update", time: 1, isStale: false },
    ticker: { lastPrice: "1", category: "USDT_FUTURES" },
  });
});

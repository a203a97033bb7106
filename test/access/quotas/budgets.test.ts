import { EventEmitter } from "node:events";
import { ManualClock } from "@exchange-graph/contract/clock";
import { buildSchema, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { ANONYMOUS_CLIENT, ClientPrincipal } from "../../../src/access/principal/clientPrincipal.js";
import { ClientBudgets, NO_CLIENT_LIMITS } from "../../../src/access/quotas/clientBudgets.js";
import { ConnectionQuota } from "../../../src/access/quotas/connectionQuota.js";
import { RequestReads } from "../../../src/datasources/index.js";
import { COST_LIMITS, OperationCosts } from "../../../src/engine/cost/operationCosts.js";
import { ANYONE } from "../../../src/resolvers/index.js";
import { graphGateway } from "../../support/gateway/graphGateway.js";
import { post, tinyGateway } from "../../support/gateway/tinyGateway.js";
import { graph as schema } from "../../support/graph.js";
import { unknownOutlook } from "../../support/unknownOutlook.js";
import { guardedGateway } from "../support/guardedGateway.js";
import { TRANSPORTS } from "../support/transports.js";

const ALICE = new ClientPrincipal({ ...ANYONE, id: "token:a" });
const BOB = new ClientPrincipal({ ...ANYONE, id: "token:b" });
const LIMITS = { operationsPerMinute: 60, upstreamCallsPerMinute: 120, eventsPerMinute: 60 };

describe("a client's budget of operations", () => {
  it("allows a minute's quota at once, refuses the next request, and refills evenly", () => {
    const clock = new ManualClock(0);
    const budgets = new ClientBudgets(LIMITS, clock);
    for (let at = 0; at < 60; at++) expect(budgets.operation("token:a")).toBeUndefined();
    expect(budgets.operation("token:a")).toBe(1_000);
    clock.advance(999);
    expect(budgets.operation("token:a")).toBe(1);
    clock.advance(1);
    expect(budgets.operation("token:a")).toBeUndefined();
    expect(budgets.operation("token:a")).toBe(1_000);
  });

  it("is per client, and there is none without clients, or without a limit", () => {
    const budgets = new ClientBudgets({ ...LIMITS, operationsPerMinute: 1, upstreamCallsPerMinute: 1 }, new ManualClock(0));
    expect(budgets.operation("token:a")).toBeUndefined();
    expect(budgets.operation("token:b")).toBeUndefined();
    for (let at = 0; at < 100; at++) expect(budgets.operation("anyone")).toBeUndefined();
    const free = new ClientBudgets(NO_CLIENT_LIMITS, new ManualClock(0));
    for (let at = 0; at < 100; at++) expect(free.operation("token:a") ?? free.calls("token:a", 1_000)).toBeUndefined();
  });
});

describe("a client's budget of calls", () => {
  const costs = (clock: ManualClock) =>
    new OperationCosts({
      schema,
      outlook: unknownOutlook(),
      limits: COST_LIMITS,
      listItems: 500,
      budgets: new ClientBudgets(LIMITS, clock),
    });
  const document = parse("{ account { balances { coin } unifiedAssets { equityUsd } } }");
  const [operation] = document.definitions;
  if (operation?.kind !== "OperationDefinition") throw new Error("no operation");

  it("is charged the estimated cost, and refunded the difference to the actual cost", () => {
    const judge = costs(new ManualClock(0));
    // Two reads, and one call for the account's mode.
    for (let at = 0; at < 40; at++) expect(judge.admit(document, operation, {}, ALICE).estimate.upstreamCalls).toBe(3);
    expect(() => judge.admit(document, operation, {}, ALICE)).toThrow("quota of calls to the exchange");
    for (let at = 0; at < 1_000; at++) judge.admit(document, operation, {}, BOB).ended(0);
  });

  it("refuses with the time after which to retry", () => {
    const clock = new ManualClock(0);
    const judge = costs(clock);
    for (let at = 0; at < 40; at++) judge.admit(document, operation, {}, ALICE);
    expect(() => judge.admit(document, operation, {}, ALICE)).toThrow("quota of calls to the exchange");
    clock.advance(1_500);
    expect(judge.admit(document, operation, {}, ALICE).estimate.upstreamCalls).toBe(3);
    try {
      judge.admit(document, operation, {}, ALICE);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        extensions: { code: "RATE_LIMITED", retryable: true, retryAfterMs: 1_500, http: { status: 429 } },
      });
    }
  });
});

it("a call beyond what was estimated is taken from the budget all the same", () => {
  const budgets = new ClientBudgets({ ...NO_CLIENT_LIMITS, upstreamCallsPerMinute: 10 }, new ManualClock(0));
  expect(budgets.calls("token:a", 2)).toBeUndefined();
  budgets.settle("token:a", 2, 9);
  expect([budgets.calls("token:a", 2), budgets.calls("token:a", 1)]).toEqual([6_000, undefined]);
});

describe("a cost that is no number", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])("is refused without a charge: %d", (calls) => {
    const odd = buildSchema("type Query { odd: Int }");
    Object.assign(odd.getQueryType()?.getFields().odd ?? {}, { extensions: { cost: { calls: () => calls } } });
    const budgets = new ClientBudgets(LIMITS, new ManualClock(0));
    const judge = new OperationCosts({ schema: odd, outlook: unknownOutlook(), limits: COST_LIMITS, listItems: 3, budgets });
    const document = parse("{ odd }");
    const [operation] = document.definitions;
    if (operation?.kind !== "OperationDefinition") throw new Error("no operation");
    expect(() => judge.admit(document, operation, {}, ALICE)).toThrow("could cost");
    expect(budgets.calls("token:a", Number.NaN)).toBeDefined();
    expect(budgets.calls("token:a", 120)).toBeUndefined();
  });
});

it("a cancel and a halt are admitted whatever the limit and the budget, but not what else they select", () => {
  const judge = new OperationCosts({
    schema,
    outlook: unknownOutlook(),
    limits: { ...COST_LIMITS, upstreamCalls: 1 },
    listItems: 3,
    budgets: new ClientBudgets({ ...NO_CLIENT_LIMITS, upstreamCallsPerMinute: 10 }, new ManualClock(0)),
  });
  const admit = (text: string) => {
    const document = parse(`mutation ($cancel: CancelOrderInput!) { ${text} }`);
    const [operation] = document.definitions;
    if (operation?.kind !== "OperationDefinition") throw new Error("no operation");
    return judge.admit(document, operation, {}, ALICE);
  };
  const halt = 'haltTrading(input: { account: "main", cancelOpen: true }) { outcome }';
  admit(halt).ended(9);
  admit("cancelOrder(input: $cancel) { outcome userErrors { code } }").ended(9);
  expect(admit(halt).estimate.upstreamCalls).toBe(0);
  expect(() => admit("cancelOrder(input: $cancel) { order { status } }")).toThrow("The operation could cost");
});

describe("the allowed cost of an operation", () => {
  const judge = (limits: typeof COST_LIMITS) =>
    new OperationCosts({
      schema,
      outlook: unknownOutlook(),
      limits,
      listItems: 3,
      budgets: new ClientBudgets(LIMITS, new ManualClock(0)),
    });
  const document = parse("query ($s: [String!]) { tickers(category: SPOT, symbols: $s) { symbol } }");
  const [operation] = document.definitions;
  if (operation?.kind !== "OperationDefinition") throw new Error("no operation");
  const named = (count: number) => ({ s: Array.from({ length: count }, (_, at) => `S${at}`) });

  it.each([
    ["nodes", { upstreamCalls: 1, nodes: 3 }, named(2), named(3)],
    ["listItems", COST_LIMITS, named(3), named(4)],
  ] as const)("is admitted at its bound and refused one past it: %s", (name, limits, within, beyond) => {
    expect(() => judge(limits).admit(document, operation, within, ANONYMOUS_CLIENT)).not.toThrow();
    expect(() => judge(limits).admit(document, operation, beyond, ANONYMOUS_CLIENT)).toThrow(
      expect.objectContaining({ extensions: expect.objectContaining({ limit: expect.objectContaining({ name }) }) }),
    );
  });

  it("is admitted at its bound and refused one past it: upstreamCalls", () => {
    expect(() => judge({ upstreamCalls: 1, nodes: 10_000 }).admit(document, operation, {}, ANONYMOUS_CLIENT)).not.toThrow();
    expect(() => judge({ upstreamCalls: 0, nodes: 10_000 }).admit(document, operation, {}, ANONYMOUS_CLIENT)).toThrow(
      "0 are allowed",
    );
  });

  it("is refused with the fields that cost the most, by their coordinates", () => {
    const fields = [{ field: "Query.tickers", upstreamCalls: 1, nodes: expect.any(Number) }];
    expect(() => judge({ upstreamCalls: 0, nodes: 10_000 }).admit(document, operation, {}, ANONYMOUS_CLIENT)).toThrow(
      expect.objectContaining({ extensions: expect.objectContaining({ limit: expect.objectContaining({ fields }) }) }),
    );
  });
});

it("a client holds so many sockets and streams open, and no more until one is closed", async () => {
  const connectionQuota = new ConnectionQuota(2);
  const first = new EventEmitter();
  expect(await connectionQuota.take("token:a", first)).toBe(true);
  expect(await connectionQuota.take("token:a", new EventEmitter())).toBe(true);
  expect(await connectionQuota.take("token:a", new EventEmitter())).toBe(false);
  expect(await connectionQuota.take("token:b", new EventEmitter())).toBe(true);
  first.emit("close");
  expect(await connectionQuota.take("token:a", new EventEmitter())).toBe(true);
});

describe("through the gateway", () => {
  it("an identifier of `__proto__` neither empties nor fills a budget, and passes no limit", async () => {
    const gateway = await guardedGateway({
      limits: { principal: { operationsPerMinute: 0, upstreamCallsPerMinute: 2 }, cost: { upstreamCalls: 7 } },
    });
    gateway.on("/api/v3/market/fills", []);
    const authorization = `Bearer ${await gateway.token("reader", { "read:market": "*" })}`;
    const codes = async (query: string) => {
      const answer = (await (await post(gateway.url, { query }, { authorization })).json()) as {
        errors?: { extensions: { code: string } }[];
      };
      return answer.errors?.map(({ extensions }) => extensions.code) ?? [];
    };
    const odd = `node(id: "${Buffer.from('["__proto__",""]').toString("base64url")}") { id }`;
    expect(await codes(`{ ${odd} }`)).toEqual(["BAD_USER_INPUT"]);
    const two = (one: string, other: string) =>
      codes(`{ a: trades(category: SPOT, symbol: "${one}") { price } b: trades(category: SPOT, symbol: "${other}") { price } }`);
    expect([await two("BTCUSDT", "ETHUSDT"), await two("SOLUSDT", "XRPUSDT")]).toEqual([[], ["RATE_LIMITED"]]);
    const trades = Array.from({ length: 8 }, (_, at) => `a${at}: trades(category: SPOT, symbol: "S${at}") { price }`);
    const many = (extra: string) => `{ ${extra} ${trades.join(" ")} }`;
    expect([await codes(many("")), await codes(many(odd))]).toEqual([["QUERY_TOO_EXPENSIVE"], ["QUERY_TOO_EXPENSIVE"]]);
    await gateway.close();
  });

  it.each(TRANSPORTS.filter(({ carries }) => carries.includes("query")))(
    "calls saved by the cache are refunded: $name",
    async (transport) => {
      const gateway = await guardedGateway({ limits: { principal: { operationsPerMinute: 0, upstreamCallsPerMinute: 2 } } });
      gateway.on("/api/v2/mix/market/discount-rate", []);
      const asking = transport.open(gateway.url, await gateway.token("reader", { "read:market": "*" }));
      // Each is estimated at one call; one call is made in total.
      for (let at = 0; at < 5; at++) expect((await asking.ask("{ discountRates { coin } }", {})).codes).toEqual([]);
      expect(gateway.asked()).toBe(1);
      await asking.close();
      await gateway.close();
    },
  );

  it("an operation refused for its method is refunded: a mutation by GET on an event stream", async () => {
    const gateway = await guardedGateway({ limits: { principal: { operationsPerMinute: 0, upstreamCallsPerMinute: 60 } } });
    const authorization = `Bearer ${await gateway.token("trader", { trade: "*" })}`;
    const query = "mutation { upgradeAccount(input: {}) { outcome } }";
    const url = `${gateway.url}/graphql/stream?${new URLSearchParams({ query })}`;
    for (let at = 0; at < 5; at++) {
      const answer = await fetch(url, { headers: { accept: "text/event-stream", authorization } });
      expect(await answer.text()).toContain("Mutations are sent with POST.");
    }
    await gateway.close();
  });

  it("extensions.cost has the estimated and the actual cost if requested", async () => {
    const gateway = await graphGateway();
    const query = "{ account { loans { debts { loans { coin } } } } }";
    const response = await post(gateway.url, { query }, { "x-exchange-trace": "1" });
    const { extensions } = (await gateway.while(response.json())) as { extensions: { cost: unknown } };
    expect(extensions.cost).toEqual({
      estimated: { upstreamCalls: 2, nodes: 1 + 1 + 1 + 1 + 1_500 },
      actual: { upstreamCalls: expect.any(Number), nodes: expect.any(Number) },
      fields: [
        { field: "Loans.debts", upstreamCalls: 2, nodes: 1 },
        { field: "Debts.loans", upstreamCalls: 0, nodes: 1_500 },
        { field: "Query.account", upstreamCalls: 0, nodes: 1 },
        { field: "Account.loans", upstreamCalls: 0, nodes: 1 },
      ],
    });
    expect(await (await post(gateway.url, { query })).json()).not.toHaveProperty("extensions");
    await gateway.close();
  });

  it("a known query is refused too if its variables ask for too much", async () => {
    const tiny = await tinyGateway({ limits: { document: { listItems: 3 } } });
    const query = "query ($l: [Int]) { deep(list: $l) }";
    const ask = async (l: number[]) => (await post(tiny.url, { query, variables: { l } })).status;
    expect([await ask([1]), await ask([1]), await ask([1, 2, 3]), await ask([1, 2, 3, 4])]).toEqual([200, 200, 200, 400]);
    await tiny.gateway.stop();
  });
});

it("an operation asks nothing more once it has taken its time", async () => {
  const clock = new ManualClock(0);
  const reads = new RequestReads({
    operationMs: 1_000,
    reader: { now: () => clock.now(), prepare: () => ({ key: "k" }), read: async () => "answer" },
  } as never);
  const read = () => reads.read({ name: "tickers" } as never, {} as never);
  clock.advance(999);
  expect(await read()).toBe("answer");
  clock.advance(1);
  await expect(read()).rejects.toMatchObject({ code: "EXCHANGE_TIMEOUT" });
  reads.forget();
  expect(await read()).toBe("answer");
});

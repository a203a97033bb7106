import { existsSync, readFileSync } from "node:fs";
import { exact } from "@exchange-graph/contract/decimal";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  getNamedType,
  getOperationAST,
  isCompositeType,
  isObjectType,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limitsOf } from "../../src/config/limitSettings.js";
import { variables } from "../../src/config/variables.js";
import type { DataSource } from "../../src/datasources/index.js";
import { introspectionCost } from "../../src/engine/cost/introspection.js";
import { CostPlan } from "../../src/engine/cost/operationCosts.js";
import { ANYONE, createContext } from "../../src/resolvers/index.js";
import { costOf } from "../../src/schema/cost.js";
import { START } from "../datasources/streams/support/followed.js";
import { type StreamedSandbox, streamedSandbox } from "../datasources/streams/support/streamedSandbox.js";
import { example } from "../support/examples.js";
import { exchangeOver } from "../support/exchangeOver.js";
import { graph as schema } from "../support/graph.js";
import { unknownOutlook } from "../support/unknownOutlook.js";

/** What it costs to go from one object to another: the calls that the exchange receives, at first and once state is live. */

const ACCOUNTS = ["main", "classic"];
const COINS = parse('{ coins(coins: ["BTC"]) { coin } }');
let world: StreamedSandbox;
beforeAll(async () => {
  // Calls are counted, and no prices compared: a market that moves less often pushes less.
  world = await streamedSandbox("v3", {}, START, undefined, true, "auto", false, ["main", "classic", "broker"], 1_000);
  // A write for the journal.
  for (const name of ACCOUNTS) {
    const order = `category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "30000"`;
    const placed = await asked(parse(`mutation { placeOrder(input: { account: "${name}", ${order} }) { outcome } }`));
    expect(placed.data).toEqual({ placeOrder: { outcome: "ACCEPTED" } });
  }
});
afterAll(() => world.close());

// biome-ignore lint/suspicious/noExplicitAny: the fields depend on each document, and its assertions check them
type Data = any;

/** The answer, and the calls that the exchange has received for it. */
async function asked(
  document: DocumentNode,
  { exchange, streams }: { readonly exchange: DataSource; readonly streams?: StreamedSandbox["streams"] } = world,
  variableValues: Readonly<Record<string, unknown>> = {},
) {
  const contextValue = createContext(exchange, ANYONE, streams);
  let result: ExecutionResult<Data> | undefined;
  const running = Promise.resolve(execute({ schema, document, contextValue, variableValues })).then((done) => {
    result = done as typeof result;
  });
  await world.until(() => result !== undefined, 120_000);
  await running;
  const { reads } = contextValue.reads.trace;
  return {
    data: result?.data,
    errors: result?.errors ?? [],
    calls: reads.filter(({ source }) => source === "REST").map(({ endpoint }) => endpoint),
  };
}

/** The same from a gateway that has read nothing yet. */
async function askedFirst(document: DocumentNode, variables?: Readonly<Record<string, unknown>>) {
  const exchange = exchangeOver(new URL(world.sandbox.url), {
    clock: world.clock,
    accounts: world.exchange.accounts,
    deadlineMs: 120_000,
  });
  try {
    return await asked(document, { exchange }, variables);
  } finally {
    await exchange.close();
  }
}

/** The mode of an account is read again every ten minutes, whatever is asked. */
const withoutMode = (calls: readonly string[]): readonly string[] => calls.filter((call) => call !== "accountSettings");

/** The market moves while a slow machine asks: rows end meanwhile, and with them the calls for them. */
function expectAbout(what: string, calls: readonly string[], atMost = -1) {
  expect(calls.length, `${what}: ${calls.join()}`).toBeLessThanOrEqual(atMost);
  expect(calls.length, `${what}: ${calls.join()}`).toBeGreaterThanOrEqual(Math.floor(atMost / 2));
}

interface Story {
  readonly symbol: string;
  readonly instrument: object | null;
  readonly ticker: object | null;
  readonly takeProfit: { readonly planOrder: object | null } | null;
  readonly openOrders: readonly object[] | null;
  readonly fills: { readonly nodes: readonly object[] } | null;
}

describe("the story of every position of three accounts", () => {
  it("takes at most four calls once their state is live, and is whole", async () => {
    const document = parse(example("position-story"));
    const story = async () => {
      const { data, ...rest } = await asked(document);
      const accounts: readonly { readonly positions: readonly Story[] }[] = data?.accounts ?? [];
      return { positions: accounts.flatMap(({ positions }) => positions), ...rest };
    };
    const first = await story();
    expect(first.errors).toEqual([]);
    let last = first;
    for (let second = 0; second < 20; second++) {
      await world.pass(1_000, 100);
      last = await story();
    }
    expect(last.errors).toEqual([]);
    expect(last.calls.length, last.calls.join()).toBeLessThanOrEqual(4);
    expect(first.calls.length).toBeGreaterThan(20);
    expect(last.positions).toHaveLength(first.positions.length);
    for (const [at, { symbol, instrument, ticker, takeProfit, openOrders, fills }] of last.positions.entries()) {
      const before = first.positions[at];
      expect(symbol).toBe(before?.symbol);
      expect(instrument).toEqual(before?.instrument);
      expect(ticker).not.toBeNull();
      expect(takeProfit).toEqual(before?.takeProfit);
      expect(openOrders).toEqual(before?.openOrders);
      expect(fills).toEqual(before?.fills);
      expect(fills?.nodes.length).toBeGreaterThan(0);
    }
    expect(last.positions.some(({ takeProfit }) => takeProfit?.planOrder)).toBe(true);
  }, 120_000);

  it("lacks what the exchange does not answer at first, says so, and lacks nothing once live", async () => {
    const document = parse("{ accounts { positions { symbol } openOrders(first: 50) { nodes { orderId } } } }");
    const fault = { kind: "answer", status: 403, code: "40014", msg: "no" } as const;
    const rules = ["positions", "classicPositions"].map((endpoint) => world.sandbox.faults.add({ endpoint, fault, times: 2 }));
    const first = await askedFirst(document);
    const accounts: readonly { readonly positions: readonly (object | null)[] | null }[] = first.data?.accounts ?? [];
    const missing = accounts.flatMap(({ positions }) => positions?.filter((row) => row === null) ?? []);
    expect(missing).toHaveLength(4);
    expect(first.errors.map(({ path, extensions: { code, part } }) => [path?.[2], code, typeof part])).toEqual(
      missing.map(() => ["positions", "FORBIDDEN", "string"]),
    );
    for (const rule of rules) world.sandbox.faults.remove(rule);
    for (const endpoint of ["positions", "classicPositions", "openOrders", "classicSpotOpenOrders", "classicFuturesOpenOrders"])
      world.sandbox.faults.add({ endpoint, fault });
    const { data, errors } = await asked(document);
    world.sandbox.faults.clear();
    expect(errors).toEqual([]);
    const live: readonly {
      readonly positions: readonly unknown[];
      readonly openOrders: { readonly nodes: readonly unknown[] };
    }[] = data?.accounts ?? [];
    expect(live).toHaveLength(3);
    for (const { positions, openOrders } of live) expect([...positions, ...openOrders.nodes]).not.toContain(null);
    expect(live.flatMap(({ positions }) => positions).length).toBeGreaterThan(0);
  }, 120_000);
});

describe("the activity of an account", () => {
  const ENDED = ["planOrderHistory", "classicPlanOrderHistory"];
  const WAITING = ["openPlanOrders", "classicOpenPlanOrders"];
  const ofPlans = (calls: readonly string[]) => calls.filter((call) => [...ENDED, ...WAITING].includes(call));

  /** Asks until no list of trigger orders is read for it. */
  async function onceLive<A extends { readonly calls: readonly string[] }>(ask: () => Promise<A>): Promise<A> {
    for (let round = 0; round < 60; round++) {
      const answer = await ask();
      if (ofPlans(answer.calls).length === 0) return answer;
      await world.pass(6_000, 500);
    }
    return ask();
  }

  it.each([
    ["main", 83, 20],
    ["classic", 51, 22],
  ])(
    "of %s takes at most %i calls at first and %i once live, none of them for trigger orders",
    async (name, first, live) => {
      const document = parse(`{ account(name: "${name}") { activity(first: 20) { nodes { kind } } } }`);
      const cold = await askedFirst(document);
      expect(cold.errors).toEqual([]);
      expectAbout(name, cold.calls, first);
      expect(ofPlans(cold.calls).length).toBeGreaterThan(0);
      const { errors, calls } = await onceLive(() => asked(document));
      expect(errors).toEqual([]);
      expect(withoutMode(calls).length, calls.join()).toBeLessThanOrEqual(live);
      expect(ofPlans(calls)).toEqual([]);
    },
    120_000,
  );

  it.each(["main", "classic"])(
    "of %s shows a trigger order that ends at once",
    async (name) => {
      const { plans } = world.sandbox.world;
      const order = {
        category: "USDT-FUTURES",
        symbol: "ETHUSDT",
        side: "buy",
        orderType: "market",
        quantity: exact("1"),
      } as const;
      const uid = name === "main" ? MAIN_UID : CLASSIC_UID;
      const states = async (orderId: string) => {
        const fields = "activity(kinds: [PLAN_ORDER], first: 50) { nodes { record { ... on PlanOrder { orderId status } } } }";
        const { data, calls } = await asked(parse(`{ account(name: "${name}") { ${fields} } }`));
        const nodes: readonly { readonly record: { readonly orderId: string; readonly status: string } }[] =
          data?.account.activity.nodes ?? [];
        return { states: nodes.filter(({ record }) => record.orderId === orderId).map(({ record }) => record.status), calls };
      };
      expect(ofPlans((await onceLive(() => states(""))).calls)).toEqual([]);
      const plan = plans.placeEntry({
        kind: "normal_plan",
        triggerPrice: exact("100"),
        triggerBy: "market",
        order: { uid, ...order },
      });
      await world.pass(2_000, 100);
      expect((await states(plan.planId)).states).toEqual(["LIVE"]);
      plans.cancel(plan);
      await world.pass(2_000, 100);
      expect((await states(plan.planId)).states).toEqual(["CANCELLED"]);
    },
    120_000,
  );
});

const page = readFileSync(new URL("../../docs/edges.md", import.meta.url), "utf8");

/** The rows of a table of the page, as lists of cells. */
const rowsOf = (name: string): readonly (readonly string[])[] => {
  const [, table = ""] = new RegExp(`<!-- ${name} -->\\n[^\\n]*\\n[^\\n]*\\n([\\s\\S]*?)<!-- /${name} -->`).exec(page) ?? [];
  return table
    .trim()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
};

/** A row of the page's table of edges, with one document for each account. */
const EDGES = rowsOf("edges").map(([edge = "", query = "", ...rest]) => {
  const numbers = rest.slice(0, 4).map((cell) => Number.parseInt(cell, 10));
  const documents = ACCOUNTS.map((name) => parse(query.startsWith("{") ? query : `{ account(name: "${name}") { ${query} } }`));
  return { edge, numbers, documents, test: rest[4] ?? "" };
});

describe("the table of edges", () => {
  it("names fields of the graph, each with a query that selects it and with its test", () => {
    expect(EDGES.length).toBeGreaterThan(35);
    for (const { edge, documents, test } of EDGES) {
      const [type = "", field = ""] = edge.split(".");
      const named = schema.getType(type);
      expect(isObjectType(named) && named.getFields()[field], edge).toBeTruthy();
      for (const document of documents) expect(validate(schema, document), edge).toEqual([]);
      const file = new URL(`${test}.test.ts`, import.meta.url);
      expect(existsSync(file) && readFileSync(file, "utf8").includes(field), `${edge}: ${test}`).toBe(true);
    }
  });

  it("has every edge that reads something of the exchange or the journal", () => {
    const selected = new Set<string>();
    for (const { documents } of EDGES)
      for (const document of documents) {
        const info = new TypeInfo(schema);
        const Field = (field: FieldNode) => void selected.add(`${info.getParentType()?.name}.${field.name.value}`);
        visit(document, visitWithTypeInfo(info, { Field }));
      }
    // What has no identifier of its own leads nowhere; lists of an account are no edges.
    const roots =
      /^(?:Query|Mutation|Subscription|Account|Loans|Earn|Savings|SharkFin|Broker|DataSource|Viewer)$|Payload$|Event$/;
    const edges = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type) && !type.name.startsWith("__") && !roots.test(type.name)
        ? Object.values(type.getFields())
            .filter((field) => isCompositeType(getNamedType(field.type)) && field.deprecationReason === undefined)
            .filter((field) => Object.keys(costOf(field) ?? {}).some((key) => /^(?:calls|lists|accountLists)$/.test(key)))
            .map(({ name }) => `${type.name}.${name}`)
        : [],
    );
    expect(edges.length).toBeGreaterThan(50);
    expect(edges.filter((edge) => !selected.has(edge))).toEqual([]);
  });

  it("has no query that is refused as too expensive by default", () => {
    const most = limitsOf(variables.parse({})).cost;
    const model = { schema, introspection: introspectionCost(schema) };
    for (const { edge, documents } of EDGES)
      for (const document of documents) {
        const operation = getOperationAST(document);
        const cost = operation && new CostPlan(model, document, operation).estimate({}, unknownOutlook());
        expect(cost?.upstreamCalls, edge).toBeLessThanOrEqual(most.upstreamCalls);
        expect(cost?.nodes, edge).toBeLessThanOrEqual(most.nodes);
      }
  });

  it("says how many calls each takes at most at first, in both account modes", async () => {
    for (const { edge, documents, numbers } of EDGES)
      for (const [at, document] of documents.entries()) {
        if (Number.isNaN(numbers[2 * at])) continue;
        const { errors, calls } = await askedFirst(document);
        expect(errors, edge).toEqual([]);
        expectAbout(`${edge} on ${ACCOUNTS[at]}`, calls, numbers[2 * at]);
      }
  }, 240_000);

  it("says how many at most once state is live", async () => {
    for (let round = 0; round < 3; round++) {
      for (const { documents } of EDGES) for (const document of documents) await asked(document);
      await world.pass(5_000, 100);
    }
    for (const { edge, documents, numbers } of EDGES)
      for (const [at, document] of documents.entries()) {
        if (Number.isNaN(numbers[2 * at + 1])) continue;
        // Answers of a moment ago are cached no longer. Lists that are good for minutes are kept by whoever reads them.
        await world.pass(6_000, 500);
        await asked(COINS);
        const calls = withoutMode((await asked(document)).calls);
        expect(calls.length, `${edge} on ${ACCOUNTS[at]}: ${calls.join()}`).toBeLessThanOrEqual(numbers[2 * at + 1] ?? -1);
      }
  }, 240_000);
});

describe("the table of stories", () => {
  it("says how many calls each example takes at most at first, and once state is live", async () => {
    const stories = rowsOf("stories");
    expect(stories.length).toBeGreaterThan(4);
    for (const [link = "", , first = "", live = ""] of stories) {
      const document = parse(example(/\[([\w-]+)\.graphql\]/.exec(link)?.[1] ?? ""));
      const cold = await askedFirst(document);
      expect(cold.errors, link).toEqual([]);
      expectAbout(link, cold.calls, Number.parseInt(first, 10));
      for (let round = 0; round < 3; round++) {
        await asked(document);
        await world.pass(5_000, 100);
      }
      await world.pass(6_000, 500);
      const calls = withoutMode((await asked(document)).calls);
      expect(calls.length, `${link}: ${calls.join()}`).toBeLessThanOrEqual(Number.parseInt(live, 10));
    }
  }, 240_000);
});

import { PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import {
  buildSchema,
  execute,
  getNamedType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  validate,
} from "graphql";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/datasources/errors/fault.js";
import { MAX_SINGLE_READS } from "../../../src/datasources/reads/loaders/accountLoaders.js";
import { nodesIn } from "../../../src/engine/answers/shownTrace.js";
import type { Cost } from "../../../src/engine/cost/costSum.js";
import { introspectionCost } from "../../../src/engine/cost/introspection.js";
import { CostPlan } from "../../../src/engine/cost/operationCosts.js";
import { ANYONE, createContext, estimateStateOver } from "../../../src/resolvers/index.js";
import { writeGlobalId } from "../../../src/resolvers/nodes/globalId.js";
import { costOf } from "../../../src/schema/cost.js";
import { sharedGraph } from "../../resolvers/support/sharedGraph.js";
import { examplesOf } from "../../support/examples.js";
import { graph as schema } from "../../support/graph.js";
import { RandomOperations, seeded } from "../../support/randomOperations.js";
import { unknownOutlook } from "../../support/unknownOutlook.js";

const model = { schema, introspection: introspectionCost(schema) };
/** Unix ms. */
let now = 0;

/** `COST_DOCUMENTS=1000` takes minutes. */
const DOCUMENTS = Number.parseInt(process.env.COST_DOCUMENTS ?? "60", 10);

/**
 * 90% of the documents are estimated at no more than this multiple of their cost. A list's length is known only after reading
 * it: a page of 50 rows is counted in full, an account's list at the exchange's maximum, and 100 trades of a symbol that does not exist.
 */
const MAX_RATIO = { upstreamCalls: 4, nodes: 105 };

const ACCOUNTS = unknownOutlook(3, () => now);

const estimateOf = (query: string, variables = {}, outlook = ACCOUNTS): Cost => {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) throw new Error("no operation");
  return new CostPlan(model, document, operation).estimate(variables, outlook);
};

describe("the declared cost", () => {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith("__")
      ? Object.values(type.getFields()).map((field) => ({ type, field, name: `${type.name}.${field.name}` }))
      : [],
  );

  it("is a cost for every field that names its source", () => {
    const streamed = /^Subscription\./;
    const missing = fields.filter(
      ({ field, name }) => /Source: /.test(field.description ?? "") && !streamed.test(name) && costOf(field) === undefined,
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it("is a length for every list of objects outside connections", () => {
    const missing = fields.filter(
      ({ type, field }) =>
        isListType(getNullableType(field.type)) &&
        isCompositeType(getNamedType(field.type)) &&
        !("pageInfo" in type.getFields()) &&
        costOf(field)?.rows === undefined &&
        costOf(field)?.finds === undefined,
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it("is a length for every connection", () => {
    const missing = fields.filter(({ field }) => {
      const type = getNamedType(field.type);
      return isObjectType(type) && "pageInfo" in type.getFields() && costOf(field)?.rows === undefined;
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe("an estimate", () => {
  it("counts a list of unknown length as 100 rows, also within another", () => {
    const schema = buildSchema("type Query { rows: [Row!], row: Row } type Row { a: Int, inner: [Row!] }");
    const nodes = (query: string): number => {
      const document = parse(query);
      const operation = getOperationAST(document);
      if (!operation) throw new Error("no operation");
      return new CostPlan({ schema, introspection: introspectionCost(schema) }, document, operation).estimate({}, ACCOUNTS).nodes;
    };
    const root = 1;
    expect(nodes("{ row { a } }")).toBe(root + 1);
    expect(nodes("{ rows { a } }")).toBe(root + 100);
    expect(nodes("{ rows { inner { a } } }")).toBe(root + 100 + 10_000);
  });

  it("counts a market list once, however many rows look it up", () => {
    const rows = (more: string) =>
      estimateOf(`{ account { openOrders(category: SPOT, first: 100) { nodes { symbol ${more} } } } }`);
    expect(rows("ticker { lastPrice }").upstreamCalls - rows("").upstreamCalls).toBe(1);
    expect(rows("a: ticker { lastPrice } b: ticker { symbol }").upstreamCalls).toBe(rows("ticker { lastPrice }").upstreamCalls);
  });

  it("counts the lists of one category if it is known, and otherwise those of all categories", () => {
    const calls = (query: string) => estimateOf(query).upstreamCalls;
    expect(calls("{ tickers(category: USDT_FUTURES) { openUtc nextFundingTime instrument { fees { maker } posLimit } } }")).toBe(
      5,
    );
    expect(calls("{ tickers(category: MARGIN) { openUtc nextFundingTime } }")).toBe(3);
    const orders = "{ account { positions(category: USDT_FUTURES) { account { openOrders {";
    const joined = `${orders} nodes { ticker { symbol } } } } } } }`;
    const all = calls(joined) - calls(`${orders} pageInfo { hasNextPage } } } } } }`);
    expect(all).toBe(5);
  });

  it("counts a list of an account once for each category of futures, however many rows and fields look into it", () => {
    const calls = (of: string, tpsl: string) => estimateOf(`{ ${of} { symbol ${tpsl} } } }`).upstreamCalls;
    const more = (of: string, tpsl: string) => calls(of, tpsl) - calls(of, "");
    const both = "takeProfit { triggerPrice } stopLoss { triggerPrice }";
    expect(more("account { positions(category: USDT_FUTURES)", both)).toBe(1);
    expect(more("account { positions", "takeProfit { triggerPrice }")).toBe(3);
    expect(more("account { positions", both)).toBe(3);
    expect(more("accounts { positions", both)).toBe(3 * 3);
    const streamed = (tpsl: string) => estimateOf(`subscription { positions { positions { symbol ${tpsl} } } }`).upstreamCalls;
    expect(streamed(both) - streamed("")).toBe(3);
  });

  it("counts separate reads per row no more often than their resolver allows", () => {
    const calls = (of: string) => estimateOf(`{ ${of} }`).upstreamCalls;
    expect(calls("account { positions { hasAutoMargin } }") - calls("account { positions { symbol } }")).toBe(MAX_SINGLE_READS);
    expect(calls("accounts { positions { hasAutoMargin } }") - calls("accounts { positions { symbol } }")).toBe(
      3 * MAX_SINGLE_READS,
    );
    expect(calls("account { positions { tiers { tier } } }") - calls("account { positions { symbol } }")).toBe(MAX_SINGLE_READS);
  });

  it("counts separate reads per row once for each row", () => {
    const subAccounts = (first: number) =>
      estimateOf(`{ account { broker { subAccounts(first: ${first}) { nodes { contact { email } } } } } }`).upstreamCalls;
    expect(subAccounts(100) - subAccounts(1)).toBeGreaterThanOrEqual(99 - 2);
  });

  it("counts an account's reads once per account, at any place of the query", () => {
    const nested = estimateOf("{ accounts { positions { account { balances { coin } } } } }");
    expect(nested.upstreamCalls).toBe(3 * 3 + 3 + 3);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("is a number for any identifier: %s", (typeName) => {
    const id = Buffer.from(JSON.stringify([typeName, ""])).toString("base64url");
    const costs = [
      estimateOf(`{ node(id: "${id}") { id } }`),
      estimateOf("query ($i: [ID!]!) { nodes(ids: $i) { id } }", { i: [id, id] }),
    ];
    for (const { upstreamCalls, nodes } of costs) {
      expect(upstreamCalls).toBeLessThan(20);
      expect(nodes).toBeLessThan(5);
    }
  });

  it("takes page sizes and lists from variables, and their defaults", () => {
    const query = "query ($first: Int = 7) { account { journal(first: $first) { nodes { id } } } }";
    const nodes = (variables: object) => estimateOf(query, variables).nodes;
    expect(nodes({ first: 100 }) - nodes({})).toBe(93);
    expect(estimateOf("query ($s: [String!]) { tickers(category: SPOT, symbols: $s) { symbol } }", { s: ["A", "B"] }).nodes).toBe(
      3,
    );
  });

  it("omits fields that directives exclude, also by variables", () => {
    const calls = (query: string, variables = {}) => estimateOf(query, variables).upstreamCalls;
    expect(calls("{ discountRates @skip(if: true) { coin } marginPairs { symbol } }")).toBe(1);
    expect(calls("{ ... @include(if: false) { discountRates { coin } } marginPairs { symbol } }")).toBe(1);
    const asked =
      "query ($w: Boolean = false) { discountRates @include(if: $w) { coin } ...F @skip(if: $w) } fragment F on Query { marginPairs { symbol } loanTerms { coins: __typename } }";
    expect([calls(asked), calls(asked, { w: true })]).toEqual([2, 1]);
  });

  it("counts windows by the requested times, and more of them as time passes", () => {
    const calls = (times: string) =>
      estimateOf(`{ account { fills(category: SPOT, first: 20 ${times}) { nodes { execId } } } }`).upstreamCalls;
    now = Date.UTC(2028, 4, 31);
    const week = calls('from: "2028-05-25T00:00:00Z"');
    expect(week).toBeLessThan(calls('from: "2028-03-25T00:00:00Z"'));
    expect(week).toBeGreaterThanOrEqual(calls('from: "2028-03-25T00:00:00Z", to: "2028-03-26T00:00:00Z"'));
    now += 40 * 86_400_000;
    expect(calls('from: "2028-05-25T00:00:00Z"')).toBeGreaterThan(week);
    expect(calls('after: "bogus"')).toBeLessThan(week);
  });

  it("counts only a node's fields of its own type", () => {
    const nodes = (typeName: string) =>
      estimateOf(
        `{ node(id: "${writeGlobalId([typeName, "main"])}") { id ... on Account { fills(category: SPOT) { nodes { execId } } } } }`,
      );
    expect(nodes("Account").upstreamCalls).toBeGreaterThan(3);
    expect(nodes("Balance").upstreamCalls).toBeLessThan(3);
  });

  it("bounds the size of introspection results", async () => {
    const query = introspection();
    const { data } = await execute({ schema, document: parse(query) });
    const actual = nodesIn(data);
    const { nodes, upstreamCalls } = estimateOf(query);
    expect(upstreamCalls).toBe(0);
    expect(nodes).toBeGreaterThanOrEqual(actual);
    expect(nodes).toBeLessThan(actual * 6);
  });
});

const introspection = () =>
  "{ __schema { queryType { name } types { name fields(includeDeprecated: true) { name args { name type { ...T } } type { ...T } } inputFields { name type { ...T } } interfaces { ...T } enumValues { name } possibleTypes { ...T } } directives { name args { name type { ...T } } } } } fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { name } } } }";

describe("against the sandbox", () => {
  const live = sharedGraph({ hasLimits: false });

  const outlook = () => estimateStateOver(live.exchange);

  /** Warms the gateway's knowledge: the accounts' modes, and the lists with a long cache time. */
  const learn = async () => {
    const { accounts, kept } = outlook();
    const hasLists = PRODUCT_CATEGORIES.every((category) => kept("instruments", category) !== undefined);
    if (hasLists && accounts().every(({ mode }) => mode !== undefined)) return;
    for (const account of live.exchange.accounts) live.exchange.modes.forget(account);
    const lists = PRODUCT_CATEGORIES.map((category) => category.replace("-", "_")).map(
      (category) => `${category}: instruments(category: ${category}) { symbol }`,
    );
    await live.while(live.run(`{ ${lists.join(" ")} spotSymbols { symbol } marginPairs { symbol } accounts { mode } }`));
  };

  /** Estimated and actual cost of a query, executed a minute after the previous one. */
  const costsOf = async (query: string, variables: Readonly<Record<string, unknown>> = {}, isKnown = true) => {
    if (isKnown) await learn();
    else for (const account of live.exchange.accounts) live.exchange.modes.forget(account);
    live.nextMinute();
    const estimate = estimateOf(query, variables, outlook());
    const contextValue = createContext(live.exchange, ANYONE);
    const running = execute({ schema, document: parse(query), contextValue, variableValues: variables });
    const { data, errors = [] } = await live.while(Promise.resolve(running));
    const actual = { upstreamCalls: contextValue.reads.trace.upstreamCalls, nodes: data ? nodesIn(data) : 0 };
    // An execution cut short by a busy machine or the exchange's limits does not show the full cost.
    const isCutShort = errors.some(
      ({ originalError }) => originalError instanceof Fault && ["RATE_LIMITED", "EXCHANGE_TIMEOUT"].includes(originalError.code),
    );
    return { estimate, actual, isCutShort };
  };

  const ratios = { upstreamCalls: [] as number[], nodes: [] as number[] };
  const UNITS = ["upstreamCalls", "nodes"] as const;
  const isNotBelow = (what: string, { estimate, actual }: { readonly estimate: Cost; readonly actual: Cost }) => {
    for (const unit of UNITS) expect(actual[unit], `${unit} of ${what}`).toBeLessThanOrEqual(estimate[unit]);
  };
  const compare = (what: string, costs: Awaited<ReturnType<typeof costsOf>>) => {
    isNotBelow(what, costs);
    const { estimate, actual, isCutShort } = costs;
    if (isCutShort) return;
    for (const unit of UNITS) if (actual[unit] > 0) ratios[unit].push(estimate[unit] / actual[unit]);
  };

  it.each(examplesOf("query"))(
    "docs/examples/$file costs no more than estimated, and far less than the limit",
    async ({ file, text: query }) => {
      // Nothing is known at the first execution.
      isNotBelow(file, await costsOf(query, {}, false));
      const costs = await costsOf(query);
      compare(file, costs);
      expect(costs.estimate.upstreamCalls).toBeLessThan(300);
      expect(costs.estimate.nodes).toBeLessThan(100_000);
    },
  );

  it.each([
    ["FinancialRecord", ["main", "SPOT", null, "1", 0]],
    ["FinancialRecord", ["main", null, null, "1", null]],
    ["FinancialRecord", ["classic", "MARGIN", "BTCUSDT", "1", null]],
    ["Transfer", ["classic", "USDT", "1", null, null, null]],
    ["Transfer", ["main", "USDT", "1", "1", "2", null]],
    ["SubOrder", ["main", "USDT-FUTURES", "BTCUSDT", "1", "1"]],
    ["SubOrder", ["classic", "USDT-FUTURES", "BTCUSDT", "1", "1"]],
    ["SavingsProduct", ["classic", "1"]],
    ["SharkFinOffer", ["main", "USDT", "1"]],
  ])(
    "finding the %s %j costs no more than estimated, by the account's name and by its user",
    async (typeName, [name, ...keys]) => {
      const user = live.exchange.knownUsers.userOf(String(name));
      for (const account of [name ?? null, ...(user === undefined ? [] : [`@${user}`])])
        for (const isKnown of [false, true]) {
          const query = `{ node(id: "${writeGlobalId([typeName, account, ...keys])}") { id __typename } }`;
          isNotBelow(query, await costsOf(query, {}, isKnown));
        }
    },
  );

  it(`is never below the actual cost, over ${DOCUMENTS} random documents`, async () => {
    // The documents of a seed do not depend on the order of the fields' declarations.
    const sorted = lexicographicSortSchema(schema);
    const root = sorted.getQueryType();
    if (!root) throw new Error("no queries");
    const ids = [
      writeGlobalId(["Account", "main"]),
      writeGlobalId(["Instrument", "SPOT", "BTCUSDT"]),
      writeGlobalId(["SpotSymbol", "BTCUSDT"]),
      writeGlobalId(["Position", "main", "USDT-FUTURES", "BTCUSDT", "USDT", "LONG"]),
      writeGlobalId(["Order", "main", "SPOT", "BTCUSDT", "1"]),
      "bogus",
    ];
    const texts = {
      name: ["main", "classic", "broker", "nobody"],
      symbol: ["BTCUSDT", "ETHUSDT", "BTCUSD", "NONE"],
      symbols: ["BTCUSDT", "ETHUSDT"],
      coin: ["BTC", "USDT"],
      coins: ["BTC", "USDT", "ETH"],
      id: ids,
      ids,
      after: ["bogus"],
    };
    for (let seed = 1; seed <= DOCUMENTS; seed++) {
      const random = seeded(seed);
      const { query, variables } = new RandomOperations({ schema: sorted, random, texts, fields: 30 }).write(root, "query");
      expect(validate(schema, parse(query)), query).toEqual([]);
      compare(`${seed}: ${query} ${JSON.stringify(variables)}`, await costsOf(query, variables, seed % 4 !== 0));
    }
    expect(ratios.upstreamCalls.length).toBeGreaterThan(DOCUMENTS / 2);
  }, 120_000);

  it.each(UNITS)("is near the actual cost in nine of ten cases: %s", (unit) => {
    const all = ratios[unit].toSorted((one, other) => one - other);
    const at = (part: number) => all[Math.min(all.length - 1, Math.floor(all.length * part))];
    expect(at(0.9), `${all.length} cases: half of them up to ${at(0.5)}, the worst ${at(1)}`).toBeLessThanOrEqual(
      MAX_RATIO[unit],
    );
  });
});

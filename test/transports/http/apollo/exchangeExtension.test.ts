import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Trace } from "../../../../src/datasources/reads/reader/trace.js";
import { FUND_FLOW, type GraphGateway, graphGateway } from "../../../support/gateway/graphGateway.js";
import { post, tinyGateway } from "../../../support/gateway/tinyGateway.js";

const RATES = "/api/v2/mix/market/discount-rate";
const FLOW = "/api/v2/spot/market/fund-flow";
const TOTALS = "/api/v2/earn/savings/account";
const TRACED = { "x-exchange-trace": "1" };

let graph: GraphGateway;
beforeEach(async () => {
  graph = await graphGateway();
  graph.upstream.on(RATES, { data: [] });
  graph.upstream.on(TOTALS, { data: {} });
});
afterEach(() => graph.close());

// biome-ignore lint/suspicious/noExplicitAny: the fields depend on each test's query, and its assertions check them
const ask = async (query: string, headers: Record<string, string> = TRACED): Promise<any> =>
  (await post(graph.url, { query }, headers)).json();

const get = async (parameters: Record<string, string>) =>
  (
    await fetch(`${graph.url}/graphql?${new URLSearchParams(parameters)}`, { headers: { "apollo-require-preflight": "1" } })
  ).json();

const RATES_QUERY = "{ discountRates { coin } }";
const TWO_FLOWS =
  '{ a: spotFundFlow(symbol: "BTCUSDT") { whale { buyVolume } } b: spotFundFlow(symbol: "ETHUSDT") { whale { buyVolume } } }';
const TOTALS_QUERY = '{ account(name: "main") { earn { savings { totals { amountBtc } } } } }';

/** Delays the response with the totals until the returned function is called. */
function held(): () => void {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  graph.upstream.on(TOTALS, async () => {
    await released;
    return { data: {} };
  });
  return () => release();
}

describe("extensions.exchange", () => {
  it.each([{}, { "x-exchange-trace": "0" }, { "x-exchange-trace": "" }])("is missing unless requested: %j", async (headers) => {
    expect(await ask(RATES_QUERY, headers)).toEqual({ data: { discountRates: [] } });
  });

  it("names the endpoint, account, source and age of each read", async () => {
    const read = { endpoint: "savingsAccount", account: "main", ageMs: 0, waitMs: 0, failed: false };
    expect((await ask(TOTALS_QUERY)).extensions).toMatchObject({
      exchange: { upstreamCalls: 1, reads: [{ ...read, source: "REST" }], omitted: 0 },
    });
    graph.clock.advance(300);
    expect((await ask(TOTALS_QUERY)).extensions).toMatchObject({
      exchange: { upstreamCalls: 0, reads: [{ ...read, source: "CACHE", ageMs: 300 }], omitted: 0 },
    });
  });

  it("names no account for public data", async () => {
    expect((await ask(RATES_QUERY)).extensions.exchange.reads).toMatchObject([{ endpoint: "discountRates", account: null }]);
  });

  it("can be requested by a URL parameter too", async () => {
    const { extensions } = (await get({ query: RATES_QUERY, exchangeTrace: "1" })) as { extensions: unknown };
    expect(extensions).toMatchObject({ exchange: { upstreamCalls: 1 } });
    expect(await get({ query: RATES_QUERY, exchangeTrace: "0" })).not.toHaveProperty("extensions");
  });

  it("is the same on the compiled executor", async () => {
    await ask(RATES_QUERY);
    // The first run is interpreted, the second compiles, the third uses the compiled document.
    const { extensions: interpreted } = await ask("{ discountRates { coin } __typename }");
    await ask("{ discountRates { coin } __typename }");
    const { extensions: compiled } = await ask("{ discountRates { coin } __typename }");
    expect(compiled).toEqual(interpreted);
    expect(compiled.exchange.reads).toMatchObject([{ endpoint: "discountRates", source: "CACHE" }]);
  });

  it("marks a call shared with another operation", async () => {
    const answer = held();
    const first = ask(TOTALS_QUERY);
    await expect.poll(() => graph.upstream.callsOf(TOTALS).length).toBe(1);
    const second = ask(`query Other ${TOTALS_QUERY}`);
    // The response arrives after it has started.
    await ask("{ __typename }");
    answer();
    expect((await first).extensions.exchange).toMatchObject({ upstreamCalls: 1, reads: [{ source: "REST" }] });
    expect((await second).extensions.exchange).toMatchObject({ upstreamCalls: 0, reads: [{ source: "SHARED" }] });
  });

  it("shows how long a call waited for rate budget", async () => {
    graph.upstream.on(FLOW, { data: FUND_FLOW });
    const { extensions } = await graph.while(ask(TWO_FLOWS));
    const [first, second] = extensions.exchange.reads;
    expect(first).toMatchObject({ endpoint: "spotFundFlow", source: "REST", waitMs: 0 });
    expect(second.waitMs).toBeGreaterThanOrEqual(1_000);
  });

  it("counts every try of a call that fails", async () => {
    graph.upstream.on(TOTALS, { raw: "", status: 502 });
    expect(await graph.while(ask(TOTALS_QUERY))).toMatchObject({
      data: { account: { earn: { savings: { totals: null } } } },
      errors: [{ extensions: { code: "EXCHANGE_UNAVAILABLE" } }],
      extensions: { exchange: { upstreamCalls: 3, reads: [{ endpoint: "savingsAccount", source: "REST", failed: true }] } },
    });
  });

  it("does not count calls that were never sent", async () => {
    const hasty = await graphGateway({ deadlineMs: 50 });
    hasty.upstream.on(FLOW, { data: FUND_FLOW });
    const flowOf = async (symbol: string) =>
      (await post(hasty.url, { query: `{ spotFundFlow(symbol: "${symbol}") { whale { buyVolume } } }` }, TRACED)).json();
    expect(await flowOf("BTCUSDT")).toMatchObject({ extensions: { exchange: { upstreamCalls: 1 } } });
    expect(await flowOf("ETHUSDT")).toMatchObject({
      errors: [{ extensions: { code: "RATE_LIMITED" } }],
      extensions: { exchange: { upstreamCalls: 0, reads: [{ endpoint: "spotFundFlow", failed: true }] } },
    });
    expect(hasty.upstream.calls).toHaveLength(1);
    await hasty.close();
  });

  it("is there when nothing was executed", async () => {
    expect(await ask("{ nope }")).toMatchObject({
      errors: [{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }],
      extensions: { exchange: { upstreamCalls: 0, reads: [], omitted: 0 } },
    });
  });

  it("is not returned to others with equal concurrent queries", async () => {
    await ask(TOTALS_QUERY);
    graph.clock.advance(60_000);
    const answer = held();
    const curious = ask(TOTALS_QUERY);
    await expect.poll(() => graph.upstream.callsOf(TOTALS).length).toBe(2);
    const others = [ask(TOTALS_QUERY, {}), ask(TOTALS_QUERY, {})];
    await ask("{ __typename }");
    answer();
    expect(await curious).toHaveProperty("extensions.exchange");
    for (const other of others) expect(await other).not.toHaveProperty("extensions");
  });
});

it("shows the first 500 reads and counts the rest", async () => {
  const trace = new Trace();
  const read = { endpoint: "tickers", account: undefined, source: "REST", ageMs: 0, waitMs: 0, failed: false } as const;
  for (let count = 0; count < 503; count++) trace.add(read);
  const tiny = await tinyGateway({ trace });
  const { extensions } = (await (await post(tiny.url, { query: "{ hello }" }, TRACED)).json()) as {
    extensions: { exchange: { reads: unknown[]; omitted: number } };
  };
  expect(extensions.exchange.reads).toHaveLength(500);
  expect(extensions.exchange.omitted).toBe(3);
  await tiny.gateway.stop();
});

it("dates the comparison of an account's streams with the exchange, and of nothing else", async () => {
  const trace = new Trace();
  const read = { endpoint: "openOrders", account: "main", ageMs: 0, waitMs: 0, failed: false } as const;
  trace.add({ ...read, source: "STREAM", comparedAt: Date.UTC(2026, 0, 31, 12) });
  trace.add({ ...read, source: "REST" });
  const tiny = await tinyGateway({ trace });
  expect(await (await post(tiny.url, { query: "{ hello }" }, TRACED)).json()).toMatchObject({
    extensions: { exchange: { reads: [{ comparedAt: "2026-01-31T12:00:00.000Z" }, { comparedAt: null }] } },
  });
  await tiny.gateway.stop();
});

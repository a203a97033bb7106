import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FUND_FLOW, type GraphGateway, graphGateway } from "../../support/gateway/graphGateway.js";
import { post, type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";
import { scrape } from "./scrape.js";

/** The series of one metric, without its name. */
async function series(url: string, name: string): Promise<Record<string, string>> {
  const all = await scrape(url);
  return Object.fromEntries(
    [...all].flatMap(([key, value]) => (key.startsWith(`${name}{`) ? [[key.slice(name.length), value] as const] : [])),
  );
}

/** The series of a metric whose value is not zero. */
const counted = async (url: string, name: string): Promise<Record<string, string>> =>
  Object.fromEntries(Object.entries(await series(url, name)).filter(([, value]) => value !== "0"));

describe("/metrics of requests", () => {
  let tiny: TinyGateway;
  beforeEach(async () => {
    tiny = await tinyGateway();
  });
  afterEach(() => tiny.gateway.stop());

  it("speaks the text format of Prometheus", async () => {
    const response = await fetch(`${tiny.url}/metrics`);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await response.text()).toMatch(
      /^# HELP exchange_graph_requests_total .+\n# TYPE exchange_graph_requests_total counter\n/,
    );
  });

  it("counts requests by kind of operation and class of status, invalid ones too", async () => {
    await post(tiny.url, { query: "{ hello }" });
    await fetch(`${tiny.url}/graphql?query={hello}`, { headers: { "apollo-require-preflight": "1" } });
    await post(tiny.url, { query: "mutation { add }" });
    await post(tiny.url, { query: "{ nope }" });
    await post(tiny.url, "no JSON");
    await post(tiny.url, { query: "{ hello }" }, { "content-type": "text/plain" });
    await post(tiny.url, { query: "{ hello }", padding: "x".repeat(4_096) });
    expect(await counted(tiny.url, "exchange_graph_requests_total")).toEqual({
      '{kind="query",status="2xx"}': "2",
      '{kind="mutation",status="2xx"}': "1",
      '{kind="none",status="4xx"}': "4",
    });
    expect(await series(tiny.url, "exchange_graph_request_duration_seconds_count")).toEqual({
      '{kind="query"}': "2",
      '{kind="mutation"}': "1",
      '{kind="none"}': "4",
    });
  });

  it("does not count requests that are not GraphQL", async () => {
    for (const path of ["/healthz", "/graphiql", "/metrics", "/nowhere"]) await fetch(tiny.url + path);
    expect(await counted(tiny.url, "exchange_graph_requests_total")).toEqual({});
  });

  it("counts operations by name, the first hundred separately and the others together", async () => {
    await post(tiny.url, { query: "{ hello }" });
    for (let name = 0; name < 103; name++) await post(tiny.url, { query: `query Name${name} { hello }` });
    await post(tiny.url, { query: "query Name0 { hello }" });
    const operations = await counted(tiny.url, "exchange_graph_operations_total");
    expect(Object.keys(operations)).toHaveLength(102);
    expect(operations).toMatchObject({
      '{operation="(anonymous)"}': "1",
      '{operation="Name0"}': "2",
      '{operation="Name99"}': "1",
      '{operation="(other)"}': "3",
    });
  });

  it("uses no label for a name that is too long", async () => {
    await post(tiny.url, { query: `query ${"N".repeat(101)} { hello }` });
    expect(await counted(tiny.url, "exchange_graph_operations_total")).toEqual({ '{operation="(other)"}': "1" });
  });

  it("counts errors by code, on both executors", async () => {
    for (let run = 0; run < 3; run++) await post(tiny.url, { query: '{ account(name: "main") { refused broken } }' });
    await post(tiny.url, { query: "{ nope }" });
    expect(await counted(tiny.url, "exchange_graph_errors_total")).toEqual({
      '{code="EXCHANGE_REJECTED"}': "3",
      '{code="INTERNAL_SERVER_ERROR"}': "3",
      '{code="GRAPHQL_VALIDATION_FAILED"}': "1",
    });
  });

  it("counts each request that shares an answer", async () => {
    let open = (): void => undefined;
    let gate = Promise.resolve();
    const gated = await tinyGateway({ gate: () => gate });
    await post(gated.url, { query: "query Slow { slow }" });
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const answers = [1, 2, 3].map(() => post(gated.url, { query: "query Slow { slow }" }));
    // Answered after the others, so they have arrived before the gate opens.
    for (let probe = 0; probe < 3; probe++) await post(gated.url, { query: "{ hello }" });
    open();
    await Promise.all(answers);
    expect(gated.counts.reads).toBe(2);
    expect(await series(gated.url, "exchange_graph_operations_total")).toMatchObject({ '{operation="Slow"}': "4" });
    await gated.gateway.stop();
  });

  it("shows events that have not happened yet as 0, so that the first one is an increase", async () => {
    expect(await series(tiny.url, "exchange_graph_errors_total")).toMatchObject({ '{code="INTERNAL_SERVER_ERROR"}': "0" });
    expect(await series(tiny.url, "exchange_graph_requests_total")).toMatchObject({ '{kind="query",status="5xx"}': "0" });
  });

  it("shows the process and the delay of its event loop", async () => {
    const names = [...(await scrape(tiny.url)).keys()];
    expect(names).toEqual(
      expect.arrayContaining(["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes", "process_cpu_seconds_total"]),
    );
  });
});

const RATES = "/api/v2/mix/market/discount-rate";
const FLOW = "/api/v2/spot/market/fund-flow";
const TOTALS = "/api/v2/earn/savings/account";

describe("/metrics of the exchange", () => {
  let graph: GraphGateway;
  beforeEach(async () => {
    // Too short for a retry of a failed call.
    graph = await graphGateway({ deadlineMs: 50 });
    graph.upstream.on(RATES, { data: [] });
    graph.upstream.on(FLOW, { data: FUND_FLOW });
    graph.upstream.on(TOTALS, { data: {} });
  });
  afterEach(() => graph.close());

  const ask = async (query: string) => (await post(graph.url, { query })).json();
  const totalsOf = (name: string) => ask(`{ account(name: "${name}") { earn { savings { totals { amountBtc } } } } }`);
  const flowOf = (symbol: string) => ask(`{ spotFundFlow(symbol: "${symbol}") { whale { buyVolume } } }`);
  const shown = (name: string) => series(graph.url, `exchange_graph_${name}`);

  it("shows limits that no write has exceeded yet as 0", async () => {
    expect(await shown("limit_refusals_total")).toMatchObject({ '{limit="order"}': "0", '{limit="day"}': "0" });
  });

  it("counts calls by endpoint and outcome", async () => {
    await ask("{ discountRates { coin } }");
    await flowOf("BTCUSDT");
    await flowOf("ETHUSDT");
    graph.upstream.on(TOTALS, { code: "40014", msg: "no" });
    await totalsOf("main");
    graph.upstream.on(TOTALS, { code: "429", msg: "too many", status: 429 });
    await totalsOf("main");
    graph.upstream.on(TOTALS, { raw: "", status: 502 });
    for (let call = 0; call < 6; call++) await totalsOf("classic");
    expect(await counted(graph.url, "exchange_graph_upstream_calls_total")).toEqual({
      '{endpoint="discountRates",outcome="ok"}': "1",
      '{endpoint="spotFundFlow",outcome="ok"}': "1",
      '{endpoint="spotFundFlow",outcome="limited"}': "1",
      '{endpoint="savingsAccount",outcome="refused"}': "1",
      '{endpoint="savingsAccount",outcome="throttled"}': "1",
      '{endpoint="savingsAccount",outcome="failed"}': "5",
      '{endpoint="savingsAccount",outcome="withheld"}': "1",
    });
    expect(await shown("upstream_duration_seconds_count")).toMatchObject({
      '{endpoint="spotFundFlow"}': "1",
      '{endpoint="savingsAccount"}': "7",
    });
  });

  it("shows the outcomes that an endpoint has not had yet as 0", async () => {
    await ask("{ discountRates { coin } }");
    expect(await shown("upstream_calls_total")).toMatchObject({ '{endpoint="discountRates",outcome="throttled"}': "0" });
  });

  it("shows how long calls waited for rate budget", async () => {
    const patient = await graphGateway();
    patient.upstream.on(FLOW, { data: FUND_FLOW });
    const query = '{ a: spotFundFlow(symbol: "A") { fish { buyVolume } } b: spotFundFlow(symbol: "B") { fish { buyVolume } } }';
    await patient.while(post(patient.url, { query }));
    expect(await series(patient.url, "exchange_graph_upstream_wait_seconds_bucket")).toMatchObject({
      '{le="0.01",endpoint="spotFundFlow"}': "1",
      '{le="0.5",endpoint="spotFundFlow"}': "1",
      '{le="2",endpoint="spotFundFlow"}': "2",
    });
    await patient.close();
  });

  it("shows the share of a budget that is spent, of the account that has spent most", async () => {
    await flowOf("BTCUSDT");
    await totalsOf("main");
    graph.exchange.reader.drop("main", ["savingsAccount"]);
    graph.clock.advance(1);
    await totalsOf("main");
    await totalsOf("classic");
    const spent = { '{endpoint="spotFundFlow"}': "1", '{endpoint="savingsAccount"}': "0.2" };
    expect(await shown("budget_used_ratio")).toMatchObject(spent);
    graph.clock.advance(2_000);
    const free = { '{endpoint="spotFundFlow"}': "0", '{endpoint="savingsAccount"}': "0" };
    expect(await shown("budget_used_ratio")).toMatchObject(free);
  });

  it("shows the share of the address's budget that is spent, and how many calls it holds up", async () => {
    await flowOf("BTCUSDT");
    await totalsOf("main");
    expect(await shown("budget_used_ratio")).toMatchObject({ '{endpoint="(all)"}': "0.004" });
    expect(await shown("queue_length")).toMatchObject({ '{endpoint="(all)"}': "0" });
  });

  it("shows the share of the limits that is used beside another client", async () => {
    const share = async () => /^exchange_graph_budget_share (.+)$/m.exec(await (await fetch(`${graph.url}/metrics`)).text())?.[1];
    expect(await share()).toBe("1");
    graph.exchange.scheduler.neighbours.noticed("main", "refused");
    expect(await share()).toBe("0.5");
  });

  it("shows how many calls wait for each budget", async () => {
    const patient = await graphGateway();
    patient.upstream.on(FLOW, { data: FUND_FLOW });
    const flows = ["a", "b", "c"].map((name) => `${name}: spotFundFlow(symbol: "${name}") { fish { buyVolume } }`).join(" ");
    const waiting = post(patient.url, { query: `{ ${flows} }` });
    const queued = async () => (await series(patient.url, "exchange_graph_queue_length"))['{endpoint="spotFundFlow"}'];
    await expect.poll(queued).toBe("2");
    await patient.while(waiting);
    expect(await queued()).toBe("0");
    await patient.close();
  });

  it("shows a suspended endpoint until it answers again", async () => {
    graph.upstream.on(TOTALS, { raw: "", status: 502 });
    for (let call = 0; call < 5; call++) await totalsOf("main");
    expect(await shown("breaker")).toEqual({ '{endpoint="savingsAccount",state="OPEN"}': "1" });
    graph.clock.advance(2_000);
    expect(await shown("breaker")).toEqual({ '{endpoint="savingsAccount",state="HALF_OPEN"}': "1" });
    graph.upstream.on(TOTALS, { data: {} });
    await totalsOf("main");
    expect(await shown("breaker")).toEqual({});
  });

  it("counts cache hits and misses", async () => {
    for (let read = 0; read < 4; read++) await ask(`query Read${read} { discountRates { coin } }`);
    expect(await shown("cache_reads_total")).toEqual({ '{result="hit"}': "3", '{result="miss"}': "1" });
  });

  it("shows the offset of the exchange's clock", async () => {
    graph.upstream.on(RATES, { data: [], requestTime: graph.clock.now() - 7_500 });
    await ask("{ discountRates { coin } }");
    expect((await scrape(graph.url)).get("exchange_graph_clock_offset_seconds")).toBe("-7.5");
  });

  it("shows no account, no key and no value that a client gave", async () => {
    await totalsOf("main");
    await totalsOf("classic");
    await ask('{ account(name: "nobody-special") { name } }');
    const text = await (await fetch(`${graph.url}/metrics`)).text();
    for (const hidden of ["main-key", "main-secret", "mainpass1", "classic", "nobody-special"])
      expect(text).not.toContain(hidden);
    expect(text).not.toMatch(/"main"/);
  });
});

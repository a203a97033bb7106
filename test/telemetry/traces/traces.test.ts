import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { createClient } from "graphql-ws";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { TraceSettings } from "../../../src/config/traces.js";
import { Secret } from "../../../src/datasources/index.js";
import type { WriteProgress } from "../../../src/instrumentation/events.js";
import type { Instrumentation } from "../../../src/instrumentation/instrumentation.js";
import type { OperationRecorder } from "../../../src/instrumentation/operationRecorder.js";
import type { OperationRecording } from "../../../src/instrumentation/operationRecording.js";
import { TraceIds } from "../../../src/telemetry/traceIds/traceIds.js";
import { openTraces, type Traces } from "../../../src/telemetry/traces/openTraces.js";
import { FUND_FLOW, type GraphGateway, graphGateway } from "../../support/gateway/graphGateway.js";
import { post } from "../../support/gateway/tinyGateway.js";
import { searchedLog } from "../../support/searchedLog.js";
import { ownInstrumentation, searchedTelemetry } from "../../support/searchedTelemetry.js";
import { otlpReceiver, type Receiver } from "./receiver.js";

const FLOW = "/api/v2/spot/market/fund-flow";
const RATES = "/api/v2/mix/market/discount-rate";
const QUERY = "query Whales($symbol: String!) { spotFundFlow(symbol: $symbol) { fish { buyVolume } } }";
const UNIFIED = { uid: "1", accountMode: "unified", symbolConfigList: [], coinConfigList: [] };
const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

let receiver: Receiver;
let events: Instrumentation;
let traceIds: TraceIds;
let recorder: OperationRecorder | undefined;
let lines: string[];
let gateway: GraphGateway | undefined;
beforeEach(async () => {
  receiver = await otlpReceiver();
  events = ownInstrumentation();
  traceIds = new TraceIds(systemClock);
  lines = [];
  recorder = undefined;
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  await receiver.close();
});

const settings = (more: Partial<TraceSettings> = {}): TraceSettings => ({
  endpoint: receiver.url,
  headers: undefined,
  timeoutMs: 5_000,
  protocol: "http/json",
  resource: { "service.name": "gateway-of-the-test" },
  sampler: "parentbased_always_on",
  ratio: 1,
  ...more,
});
/** Opens traces; the gateway of `ask` records with the ones opened last. */
function opened(more: Partial<TraceSettings> = {}): Traces {
  const traces = openTraces(settings(more), events, {
    ...{ clock: systemClock, monotonic: () => performance.now(), random: () => 0.5, log: searchedLog(lines), traceIds },
    exchange: new URL("https://api.exchange.example"),
  });
  recorder = traces.recorder;
  return traces;
}

async function ask(query: string, headers: Record<string, string> = {}, symbol = "BTCUSDT") {
  gateway ??= await graphGateway({ instrumentation: events }, { lines, traceIds, recorder });
  gateway.upstream.on(FLOW, { data: FUND_FLOW });
  // The first call uses up the budget of one call per second.
  const response = await gateway.while(post(gateway.url, { query, variables: { symbol } }, headers));
  return response.json();
}

describe("traces", () => {
  it("have a span of each operation, its costly fields and its calls, by the protocol's rules", async () => {
    const traces = opened();
    await ask(QUERY);
    await traces.close();
    expect(receiver.texts.filter((text) => text.startsWith("refused"))).toEqual([]);
    expect(receiver.resources).toContainEqual(expect.objectContaining({ "service.name": "gateway-of-the-test" }));
    const [operation, ...others] = receiver.named("query");
    expect(others).toEqual([]);
    expect(operation).toMatchObject({
      kind: 2,
      attributes: {
        "graphql.operation.type": "query",
        "graphql.operation.name": "Whales",
        "exchange_graph.transport": "http",
        "exchange_graph.reads.rest": 1,
      },
      status: { code: 0 },
    });
    expect(operation?.parentSpanId).toBeUndefined();
    const below = { traceId: operation?.traceId, parentSpanId: operation?.spanId };
    expect(receiver.named("spotFundFlow")).toMatchObject([
      {
        ...below,
        kind: 3,
        attributes: {
          "http.request.method": "GET",
          "url.template": FLOW,
          "exchange_graph.endpoint": "spotFundFlow",
          "exchange_graph.outcome": "ok",
          "exchange_graph.source": "REST",
          "exchange_graph.wait_ms": 0,
          "server.address": "api.exchange.example",
          "server.port": 443,
          "http.response.status_code": 200,
        },
      },
    ]);
    expect(receiver.named("resolve")).toMatchObject([
      { ...below, attributes: { "exchange_graph.field": "Query.spotFundFlow", "exchange_graph.resolvers": 1 } },
    ]);
  });

  it("contain no variables, arguments, accounts and documents, and mark failures by their codes", async () => {
    const traces = opened();
    await ask(`query Secretly { account(name: "main") { name } discountRates { coin } }`);
    await ask(QUERY, {}, "VERYPRIVATECOIN");
    await traces.close();
    const all = receiver.texts.join("\n");
    for (const word of ["VERYPRIVATECOIN", '"main"', "main-key", "account(", "symbol"]) expect(all).not.toContain(word);
    expect(receiver.named("query").map(({ status }) => status.code)).toContain(2);
    expect(receiver.named("query").flatMap((one) => one.attributes["exchange_graph.error_codes"] ?? [])).not.toEqual([]);
  });

  it("continue a client's trace, over HTTP and over a socket, and are never sent to the exchange", async () => {
    const traces = opened();
    await ask(QUERY, { traceparent: PARENT });
    await ask(QUERY, { traceparent: "00-not-a-trace-01" }, "ETHUSDT");
    const url = `${gateway?.url.replace("http", "ws")}/graphql`;
    const socket = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: { traceparent: PARENT } });
    const first = socket.iterate({ query: QUERY, variables: { symbol: "XRPUSDT" } }).next();
    await gateway?.while(first);
    await socket.dispose();
    await traces.close();
    const [traceId, parentSpanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
    const operations = receiver.named("query").map((span) => [span.traceId === traceId, span.parentSpanId]);
    expect(operations).toEqual([
      [true, parentSpanId],
      [false, undefined],
      [true, parentSpanId],
    ]);
    // At one call per second, the others waited for rate budget.
    const waited = receiver.named("spotFundFlow").map(({ attributes }) => Number(attributes["exchange_graph.wait_ms"]) > 0);
    expect(waited).toEqual([false, true, true]);
    expect(gateway?.upstream.calls.every(({ headers }) => headers.traceparent === undefined)).toBe(true);
  });

  it("are recorded as the client decided, otherwise by the sampler", async () => {
    const traces = opened({ sampler: "parentbased_traceidratio", ratio: 0 });
    await ask(QUERY);
    await ask(QUERY, { traceparent: PARENT }, "ETHUSDT");
    await ask(QUERY, { traceparent: PARENT.replace(/01$/, "00") }, "XRPUSDT");
    await traces.close();
    expect(receiver.named("query")).toMatchObject([{ parentSpanId: "b7ad6b7169203331" }]);
  });

  it("cost an unrecorded operation only the question whether it is recorded", async () => {
    const traces = opened({ sampler: "parentbased_traceidratio", ratio: 0 });
    const recordings: (OperationRecording | undefined)[] = [];
    const begin: OperationRecorder["begin"] = (start) => {
      const recording = traces.recorder.begin(start);
      recordings.push(recording);
      return recording;
    };
    recorder = { begin, reused: (reuse) => traces.recorder.reused(reuse) };
    await ask(QUERY);
    await ask(QUERY, { traceparent: PARENT }, "ETHUSDT");
    expect(recordings).toEqual([undefined, expect.objectContaining({ traceId: PARENT.slice(3, 35) })]);
    await traces.close();
  });

  it.each([
    ["always_on", 0, 3],
    ["always_off", 1, 0],
    ["traceidratio", 0.6, 1],
    ["parentbased_always_on", 0, 2],
    ["parentbased_always_off", 1, 1],
    ["parentbased_traceidratio", 0.6, 2],
    ["parentbased_traceidratio", 0.4, 1],
  ] as const)(
    "by %s with %s are those of %s of three operations: one without, one with a recorded, one with another trace",
    async (sampler, ratio, recorded) => {
      const traces = opened({ sampler, ratio });
      const origin = { who: null, address: undefined, over: "http", requestId: "r" } as const;
      // A high trace id, which the sampling ratio excludes.
      const high = `00-ffffffff${"0".repeat(23)}1-b7ad6b7169203331`;
      for (const traceparent of [undefined, `${high}-01`, `${high}-00`]) {
        traces.recorder.begin({ origin: { ...origin, traceparent }, kind: "query", name: undefined })?.ended([], {});
      }
      await traces.close();
      expect(receiver.named("query")).toHaveLength(recorded);
    },
  );

  it("are named in the log lines of their requests, and as exemplars in the histograms", async () => {
    const traces = opened();
    await ask(QUERY);
    await traces.close();
    const traceId = receiver.named("query")[0]?.traceId;
    const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === "request");
    expect(line).toMatchObject({ traceId });
    const accept = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    const page = await fetch(`${gateway?.url}/metrics`, { headers: { accept } });
    expect(page.headers.get("content-type")).toMatch(/^application\/openmetrics-text/);
    const text = await page.text();
    expect(text).toMatch(
      new RegExp(
        `^exchange_graph_request_duration_seconds_bucket\\{le="[\\d.]+",kind="query"\\} 1 # \\{trace_id="${traceId}"\\} `,
        "m",
      ),
    );
    expect(text).toMatch(/^# TYPE exchange_graph_requests counter\n(?:# .*\n)?exchange_graph_requests_total\{/m);
    expect(text).not.toContain("_total_total");
    expect(text.endsWith("\n# EOF\n")).toBe(true);
    // The other format is unchanged.
    const plain = await (await fetch(`${gateway?.url}/metrics`)).text();
    expect(plain).toMatch(/^# TYPE exchange_graph_requests_total counter$/m);
    expect(plain).not.toContain("trace_id");
  });

  it("are named in log and audit lines of writes, separately for each message of a socket", async () => {
    const traces = opened();
    gateway = await graphGateway({ instrumentation: events }, { lines, traceIds, recorder });
    gateway.upstream.on("/api/v3/account/settings", { data: UNIFIED });
    gateway.upstream.on("/api/v3/trade/cancel-order", { data: { orderId: "1", clientOid: "1" } });
    const query = `mutation { cancelOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", by: { orderId: "1" } }) { outcome } }`;
    await (await gateway.while(post(gateway.url, { query }))).json();
    const url = `${gateway.url.replace("http", "ws")}/graphql`;
    const socket = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
    await gateway.while(Promise.all([1, 2].map(() => socket.iterate({ query }).next())));
    await socket.dispose();
    await traces.close();
    const ofWrites = receiver.named("write").map(({ traceId }) => traceId);
    expect(new Set(ofWrites).size).toBe(3);
    const said = lines.map((line) => JSON.parse(line));
    for (const msg of ["a write has ended", "intent", "mutation"])
      expect([msg, said.filter((line) => line.msg === msg).map(({ traceId }) => traceId)]).toEqual([msg, ofWrites]);
    const writes = receiver.named("write").map(({ traceId, spanId }) => [traceId, spanId]);
    expect(receiver.named("cancelOrder").map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).toEqual(writes);
  });

  it("name the status and the code of a call that failed, and how often it was sent again", async () => {
    const traces = opened();
    gateway = await graphGateway({ instrumentation: events }, { lines, traceIds, recorder });
    const { upstream, url } = gateway;
    let asked = 0;
    upstream.on(FLOW, () => (asked++ === 0 ? { code: "40008", msg: "Request timestamp expired" } : { data: FUND_FLOW }));
    upstream.on(RATES, { code: "40725", msg: "service return an error" });
    await (await gateway.while(post(url, { query: QUERY, variables: { symbol: "BTCUSDT" } }))).text();
    await (await gateway.while(post(url, { query: "{ discountRates { coin } }" }))).text();
    await traces.close();
    const [again] = receiver.named("spotFundFlow");
    expect(again?.attributes).toMatchObject({ "http.request.resend_count": 1, "http.response.status_code": 200 });
    const failed = receiver.named("discountRates");
    expect(failed[0]).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "EXCHANGE_UNAVAILABLE" } });
    expect(failed[0]?.attributes["http.response.status_code"]).toEqual(expect.any(Number));
  });

  it("are exact to the microsecond", async () => {
    const traces = opened();
    await ask(QUERY);
    await traces.close();
    const times = receiver.spans.flatMap(({ startTimeUnixNano, endTimeUnixNano }) => [startTimeUnixNano, endTimeUnixNano]);
    expect(times.some((time) => !time.endsWith("000000"))).toBe(true);
    for (const { startTimeUnixNano, endTimeUnixNano } of receiver.spans)
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
  });

  it("are sent in OTLP's binary form unless JSON is asked for", async () => {
    const traces = opened({ protocol: "http/protobuf" });
    await ask(QUERY);
    await traces.close();
    expect(receiver.headers.map((headers) => headers["content-type"])).toEqual(["application/x-protobuf"]);
    for (const word of ["gateway-of-the-test", "spotFundFlow", "exchange_graph.endpoint"])
      expect(receiver.texts[0]).toContain(word);
  });

  it("show statements of PostgreSQL and scripts of Redis; the statement of a write is a child of the write", async () => {
    const traces = opened();
    const recording = traces.recorder.begin({
      origin: { who: null, address: undefined, over: "http", requestId: "r" },
      kind: "mutation",
      name: undefined,
    });
    const traceparent = recording?.newWrite();
    events.storeCall.publish({ store: "postgresql", what: "INSERT", tookMs: 1.5, failure: undefined, traceparent });
    events.storeCall.publish({ store: "redis", what: "find", tookMs: 0.25, failure: "EngineUnreachable" });
    await traces.close();
    const [, traceId, parentSpanId] = traceparent?.split("-") ?? [];
    expect(receiver.named("postgresql INSERT")).toMatchObject([
      { traceId, parentSpanId, kind: 3, attributes: { "db.system.name": "postgresql", "db.operation.name": "INSERT" } },
    ]);
    expect(receiver.named("redis find")).toMatchObject([
      {
        status: { code: 2 },
        attributes: { "db.system.name": "redis", "db.stored_procedure.name": "find", "error.type": "EngineUnreachable" },
      },
    ]);
    expect(receiver.named("redis find")[0]?.parentSpanId).toBeUndefined();
  });

  it("show a write with its journal, and its settlement as a link; both are named in the log", async () => {
    const traces = opened();
    searchedTelemetry(lines, { instrumentation: events, traceIds });
    const origin = { who: null, address: undefined, over: "http", requestId: "r" } as const;
    const write: WriteProgress = {
      ...{ seq: 7, account: "main", mutation: "placeOrder", endpoint: "placeOrder", clientOid: "very-own-oid" },
      ...{ state: "SENT", problem: null, traceparent: null },
    };
    const recording = traces.recorder.begin({ origin, kind: "mutation", name: undefined });
    const recorded = { ...write, traceparent: recording?.newWrite() ?? null };
    events.writeStart.publish({ operation: { recording }, write: recorded });
    events.write.publish({ ...recorded, state: "UNKNOWN", problem: { code: "EXCHANGE_TIMEOUT" } });
    recording?.ended([], {});
    await traces.close();
    // Another process settles the write, with only the journal's information.
    const heir = opened();
    events.write.publish({ ...recorded, state: "ACCEPTED" });
    events.write.publish({ ...write, seq: 8, state: "ACCEPTED" });
    await heir.close();
    const [mutation] = receiver.named("mutation");
    const [span] = receiver.named("write");
    expect(span).toMatchObject({
      parentSpanId: mutation?.spanId,
      attributes: {
        "exchange_graph.mutation": "placeOrder",
        "exchange_graph.write.state": "UNKNOWN",
        "exchange_graph.write.code": "EXCHANGE_TIMEOUT",
      },
      status: { code: 2 },
    });
    expect(receiver.named("write.journal")).toMatchObject([{ parentSpanId: span?.spanId }]);
    expect(receiver.named("write.settle")).toMatchObject([
      { attributes: { "exchange_graph.write.state": "ACCEPTED" }, links: [{ traceId: span?.traceId, spanId: span?.spanId }] },
    ]);
    expect(receiver.texts.join()).not.toMatch(/very-own-oid|main/);
    expect(lines.map((line) => JSON.parse(line)).map(({ msg, traceId }) => [msg, traceId])).toEqual([
      ["the answer to a write was lost: its outcome is being looked up", span?.traceId],
      ["a write has ended", span?.traceId],
      ["a write has ended", undefined],
    ]);
  });

  it("have a span for each query with a shared or kept result, which links to the span of the execution", async () => {
    const traces = opened({ ratio: 1, sampler: "parentbased_traceidratio" });
    gateway = await graphGateway({ instrumentation: events }, { lines, traceIds, recorder });
    const { url, upstream } = gateway;
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    upstream.on(RATES, async () => {
      await held;
      return { data: [] };
    });
    const asked = async (headers: Record<string, string> = {}, query = "query Rates { discountRates { coin } }") =>
      (await post(url, { query }, headers)).text();
    const first = asked();
    await expect.poll(() => upstream.callsOf(RATES).length).toBe(1);
    const joined = [asked({ traceparent: PARENT }), asked({ traceparent: PARENT.replace(/01$/, "00") })];
    // The response arrives after they have started.
    await asked({}, "{ __typename }");
    answer();
    await Promise.all([first, ...joined]);
    // A result is kept only from the second request on.
    for (const _ of ["cached", "kept"]) await asked();
    await traces.close();
    const spans = receiver.named("query").filter(({ attributes }) => attributes["graphql.operation.name"] === "Rates");
    const answers = spans.map(({ attributes }) => attributes["exchange_graph.answer"]);
    expect(answers).toEqual([undefined, "shared", undefined, "kept"]);
    const [made, shared, again, kept] = spans;
    expect(shared).toMatchObject({
      ...{ traceId: PARENT.slice(3, 35), parentSpanId: PARENT.slice(36, 52), kind: 2, status: { code: 0 } },
      attributes: { "graphql.operation.type": "query", "exchange_graph.transport": "http" },
      links: [{ traceId: made?.traceId, spanId: made?.spanId }],
    });
    expect(kept).toMatchObject({ links: [{ traceId: again?.traceId, spanId: again?.spanId }] });
    expect(kept?.parentSpanId).toBeUndefined();
    expect(again?.attributes["exchange_graph.reads.cache"]).toBe(1);
    expect(receiver.named("discountRates")).toHaveLength(1);
    // Data already in the cache needs no call.
    expect(receiver.named("resolve").map(({ parentSpanId }) => parentSpanId)).toEqual([made?.spanId]);
    const requests = lines.map((text) => JSON.parse(text)).filter(({ msg }) => msg === "request");
    expect(requests.map(({ traceId }) => traceId)).toEqual(expect.arrayContaining(spans.map(({ traceId }) => traceId)));
  });

  it("of a query with the result of an unrecorded one have no link", async () => {
    const traces = opened({ sampler: "parentbased_traceidratio", ratio: 0 });
    gateway = await graphGateway({ instrumentation: events }, { lines, traceIds, recorder });
    const { url, upstream } = gateway;
    upstream.on(RATES, { data: [] });
    for (const headers of [{}, {}, { traceparent: PARENT }])
      await (await post(url, { query: "{ discountRates { coin } }" }, headers)).text();
    await traces.close();
    expect(receiver.named("query")).toMatchObject([{ attributes: { "exchange_graph.answer": "kept" }, links: [] }]);
  });

  it("listen to nothing once they are closed", async () => {
    const listened = () => Object.entries(events).flatMap(([name, { hasSubscribers }]) => (hasSubscribers ? [name] : []));
    const traces = opened();
    expect(listened()).toEqual(expect.arrayContaining(["storeCall", "writeStart", "write", "disconnect"]));
    await traces.close();
    expect(listened()).toEqual([]);
  });

  it("show reconnections of streams as events", async () => {
    const traces = opened();
    events.disconnect.publish({ end: "silent", cause: undefined });
    await traces.close();
    expect(receiver.named("streams")).toMatchObject([{ events: [{ name: "reconnect" }] }]);
  });

  it("carry the configured headers, and a missing receiver does no harm", async () => {
    const traces = opened({ headers: new Secret("authorization=Basic%20dGVzdA==,x-tenant=desk") });
    await ask(QUERY);
    await traces.close();
    expect(receiver.headers[0]).toMatchObject({ authorization: "Basic dGVzdA==", "x-tenant": "desk" });
    await receiver.close();
    await gateway?.close();
    gateway = undefined;
    const lost = opened({ timeoutMs: 200 });
    expect(await ask(QUERY, {}, "ETHUSDT")).toMatchObject({ data: { spotFundFlow: {} } });
    await lost.close();
    expect(lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "traces could not be exported")).toHaveLength(1);
    receiver = await otlpReceiver();
  });
});

describe("OpenTelemetry", () => {
  it("is imported by no file that the gateway imports when it starts", () => {
    const seen = new Set<string>();
    const visit = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      const text = readFileSync(path, "utf8");
      expect(text, path).not.toMatch(/from "@opentelemetry\//);
      for (const [, to = ""] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.{1,2}\/[^"]+)\.js";$/gm))
        visit(`${posix.join(posix.dirname(path), to)}.ts`);
    };
    visit("src/main.ts");
    expect(seen.size).toBeGreaterThan(200);
    expect(seen).toContain("src/telemetry/traceIds/traceIds.ts");
  });
});

import { type Client, createClient } from "graphql-sse";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashOf } from "../../../src/engine/documents/trustedDocuments.js";
import { type LiveGateway, liveGateway, type ReceivedEvent } from "../../support/gateway/liveGateway.js";

let gateway: LiveGateway;
beforeAll(async () => {
  gateway = await liveGateway();
});
afterAll(async () => {
  await gateway.close();
});

const BTC = 'category: USDT_FUTURES, symbol: "BTCUSDT"';
const TICKER = `subscription { ticker(${BTC}, pace: { mode: ALL }) { ticker { symbol lastPrice bid1Price } } }`;

/** Events that a client receives for one operation. */
function over<IsSingle extends boolean>(client: Client<IsSingle>, query: string, extensions: Record<string, unknown> = {}) {
  const received = { events: [] as ReceivedEvent[], end: "open", leave: (): void => undefined };
  received.leave = client.subscribe(
    { query, extensions },
    {
      next: (event) => received.events.push(JSON.parse(JSON.stringify(event))),
      error: (error) => {
        received.end = `failed: ${String(error)}`;
      },
      complete: () => {
        received.end = "complete";
      },
    },
  );
  return received;
}

/** Subscribes with the protocol's reference client, each time with a stream of its own. */
function streamed(query: string, extensions?: Record<string, unknown>) {
  const client = createClient({ url: `${gateway.url}/graphql/stream`, retryAttempts: 0 });
  return Object.assign(over(client, query, extensions), { leave: () => client.dispose() });
}

describe("event streams", () => {
  it("give the same events as sockets, from the same group", async () => {
    const overSocket = gateway.subscribe(gateway.client(), TICKER);
    await gateway.until(() => overSocket.events.length > 0);
    const overStream = streamed(TICKER);
    await gateway.until(() => overStream.events.length > 5);
    expect(await gateway.open()).toEqual({ sockets: 2, listeners: 2, groups: 1 });
    const [state, ...changes] = overStream.events;
    expect(state?.extensions?.stream?.kind).toBe("snapshot");
    const at = overSocket.events.findIndex((event) => JSON.stringify(event) === JSON.stringify(changes[0]));
    expect(at).toBeGreaterThan(0);
    expect(overSocket.events.slice(at, at + changes.length)).toEqual(changes);
    overStream.leave();
    overSocket.leave();
    await gateway.pass(15_000, 500);
    expect(await gateway.open()).toMatchObject({ listeners: 0, groups: 0 });
    expect(gateway.sandbox.sockets.gauges).toMatchObject({ subscriptions: 0 });
  });

  it("are subscribed to by a document's hash too, as sockets are", async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(TICKER) } };
    const byText = streamed(TICKER, extensions);
    await gateway.until(() => byText.events.length > 0);
    const overStream = streamed("", extensions);
    const overSocket: unknown[] = [];
    const leave = gateway
      .client()
      .subscribe(
        { query: "", extensions },
        { next: (event) => overSocket.push(event), error: (error) => overSocket.push(error), complete: () => undefined },
      );
    await gateway.until(() => overStream.events.length > 0 && overSocket.length > 0);
    expect(await gateway.open()).toMatchObject({ listeners: 3, groups: 1 });
    for (const event of [overStream.events[0], overSocket[0]])
      expect(event).toMatchObject({ data: { ticker: { ticker: { symbol: "BTCUSDT" } } } });
    for (const end of [byText.leave, overStream.leave, leave]) end();
    await gateway.pass(15_000, 500);
    expect(await gateway.open()).toMatchObject({ listeners: 0, groups: 0 });
  });

  it("run queries, and report the errors of an operation", async () => {
    const [query, wrong] = [streamed("{ __typename }"), streamed("subscription { nothing }")];
    await gateway.until(() => query.end !== "open" && wrong.end !== "open");
    expect([query.end, wrong.end]).toEqual(["complete", "complete"]);
    expect(query.events).toEqual([{ data: { __typename: "Query" } }]);
    expect(wrong.events).toMatchObject([{ errors: [{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] }]);
  });

  it("emit an error of the stream, then end", async () => {
    const received = streamed('subscription { ticker(category: SPOT, symbol: "NOSUCHSYMBOL") { ticker { symbol } } }');
    await gateway.until(() => received.end !== "open");
    expect(received.events).toMatchObject([{ errors: [{ path: ["ticker"], extensions: { code: "BAD_USER_INPUT" } }] }]);
  });

  const SSE = { accept: "text/event-stream" };
  it.each([
    ["another origin's page", 403, { headers: { ...SSE, origin: "https://evil.example" } }],
    ["a client that accepts another type", 406, { headers: { accept: "application/json" } }],
    ["another method", 405, { method: "PATCH", headers: SSE }],
    ["a body that a form can send", 415, { method: "POST", headers: { ...SSE, "content-type": "text/plain" }, body: "{}" }],
    ["what is no operation", 400, { method: "POST", headers: { ...SSE, "content-type": "application/json" }, body: "[" }],
  ])("refuse %s", async (_, status, init) => {
    expect((await fetch(`${gateway.url}/graphql/stream`, init)).status).toBe(status);
  });

  it("write nothing for a GET", async () => {
    const query = encodeURIComponent(
      'mutation { cancelOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", by: { orderId: "1" } }) { __typename } }',
    );
    const writes = () => gateway.sandbox.calls.of("cancelOrder").total + gateway.sandbox.calls.of("classicCancelSpotOrder").total;
    const before = writes();
    const response = await fetch(`${gateway.url}/graphql/stream?query=${query}`, { headers: SSE });
    expect(await response.text()).toMatch(/event: next\ndata: \{"errors":.*\n\nevent: complete/s);
    expect(writes()).toBe(before);
  });
});

/** Advances the clock until this many streams are open. */
async function untilOpen(what: "sockets" | "listeners", count: number): Promise<void> {
  while ((await gateway.open())[what] !== count) await gateway.pass(50);
}

describe("one event stream for many operations", () => {
  it("keeps no place for what is no operation: its id can be used again", async () => {
    const url = `${gateway.url}/graphql/stream`;
    const stream = await (await fetch(url, { method: "PUT" })).text();
    const events = await fetch(`${url}?token=${stream}`, { headers: { accept: "text/event-stream" } });
    const send = async (query: unknown) => {
      const headers = { "content-type": "application/json", "x-graphql-event-stream-token": stream };
      const body = JSON.stringify({ query, extensions: { operationId: "1" } });
      return (await fetch(url, { method: "POST", headers, body })).status;
    };
    expect([await send(1), await send("{ __typename }")]).toEqual([400, 202]);
    await events.body?.cancel();
  });

  it("serves the protocol's own client: each operation begins and ends by itself, and the last one closes the stream", async () => {
    const client = createClient({ url: `${gateway.url}/graphql/stream`, retryAttempts: 0, singleConnection: true });
    const prices = over(client, TICKER);
    const trades = over(client, `subscription { trades(${BTC}) { trades { price } } }`);
    await gateway.until(() => prices.events.length > 2 && trades.events.length > 0);
    const query = over(client, "{ __typename }");
    const wrong = over(client, "subscription { nothing }");
    await gateway.until(() => query.end !== "open" && wrong.end !== "open");
    expect([query.end, query.events]).toEqual(["complete", [{ data: { __typename: "Query" } }]]);
    expect(wrong.events).toMatchObject([{ errors: [{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] }]);
    expect(await gateway.open()).toMatchObject({ sockets: 1, listeners: 2, groups: 2 });
    trades.leave();
    await untilOpen("listeners", 1);
    const before = prices.events.length;
    await gateway.until(() => prices.events.length > before);
    client.dispose();
    await untilOpen("sockets", 0);
    await gateway.pass(15_000, 500);
    expect(await gateway.open()).toMatchObject({ sockets: 0, listeners: 0, groups: 0 });
  });

  const url = () => `${gateway.url}/graphql/stream`;
  const SSE = { accept: "text/event-stream" };
  const reserve = async () => {
    const response = await fetch(url(), { method: "PUT" });
    expect(response.status).toBe(201);
    return { "x-graphql-event-stream-token": await response.text() };
  };
  const ask = (stream: object, operationId?: string, query = TICKER) =>
    fetch(url(), {
      method: "POST",
      headers: { ...stream, "content-type": "application/json" },
      body: JSON.stringify({ query, extensions: { operationId } }),
    });

  it("is opened once, with its token, before an operation runs on it", async () => {
    const stream = await reserve();
    expect((await ask(stream, "1")).status).toBe(404);
    expect((await fetch(url(), { headers: { ...SSE, "x-graphql-event-stream-token": "another" } })).status).toBe(404);
    const opened = await fetch(url(), { headers: { ...SSE, ...stream } });
    expect(opened.status).toBe(200);
    expect((await fetch(url(), { headers: { ...SSE, ...stream } })).status).toBe(409);
    expect([(await ask(stream, "1")).status, (await ask(stream, "1")).status, (await ask(stream)).status]).toEqual([
      202, 409, 400,
    ]);
    const left = await fetch(`${url()}?operationId=1`, { method: "DELETE", headers: stream });
    expect(left.status).toBe(200);
    expect((await fetch(url(), { method: "DELETE" })).status).toBe(404);
    expect((await ask(stream, "1")).status).toBe(202);
    for (let id = 2; id <= 100; id++) expect((await ask(stream, `${id}`)).status).toBe(202);
    expect((await ask(stream, "101")).status).toBe(429);
    await opened.body?.cancel();
    await untilOpen("sockets", 0);
    expect((await ask(stream, "1")).status).toBe(404);
    await gateway.pass(15_000, 500);
    expect(await gateway.open()).toMatchObject({ sockets: 0, listeners: 0, groups: 0 });
  });

  it("is not kept for a client that never opens it", async () => {
    const stream = await reserve();
    await gateway.pass(10_000, 500);
    expect((await fetch(url(), { headers: { ...SSE, ...stream } })).status).toBe(404);
  });
});

it("a subscription is not answered like a query: the error names the right endpoint", async () => {
  const { errors } = await gateway.ask(TICKER);
  expect(errors).toEqual([
    expect.objectContaining({
      message: "Subscriptions go over a WebSocket at /graphql, or as an event stream at /graphql/stream.",
      extensions: expect.objectContaining({ code: "BAD_REQUEST" }),
    }),
  ]);
});

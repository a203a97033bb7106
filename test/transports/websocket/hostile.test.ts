import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Writable } from "node:stream";
import { type Clock, ManualClock, systemClock } from "@exchange-graph/contract/clock";
import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { LimitOverrides } from "../../../src/limits.js";
import { SharedLine } from "../../../src/transports/sse/streamLine.js";
import { guardedGateway } from "../../access/support/guardedGateway.js";
import { connectionOf } from "../../support/gateway/liveGateway.js";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

let tiny: TinyGateway | undefined;
afterEach(() => tiny?.gateway.stop());

let lines: readonly string[] = [];
async function start(limits: LimitOverrides, clock: Clock = systemClock): Promise<TinyGateway> {
  tiny = await tinyGateway({ limits, clock });
  lines = tiny.lines;
  return tiny;
}

interface Connection {
  readonly socket: WebSocket;
  /** Close code and reason. */
  readonly closed: Promise<readonly [number, string]>;
}

/** A socket whose `connection_init` was acknowledged. */
async function connected(limits: LimitOverrides = {}, clock?: Clock): Promise<Connection> {
  const { url } = await start(limits, clock);
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const closed = once(socket, "close").then(([code, reason]) => [code, String(reason)] as const);
  socket.on("error", () => undefined);
  await once(socket, "open");
  socket.send('{"type":"connection_init"}');
  await once(socket, "message");
  return { socket, closed };
}

const asking = (id: string): string => JSON.stringify({ type: "subscribe", id, payload: { query: "{ hello }" } });

it("an id longer than any client needs is refused, for each message would carry it", async () => {
  const { socket, closed } = await connected();
  socket.send(asking("x".repeat(200)));
  expect(JSON.parse(String((await once(socket, "message"))[0]))).toMatchObject({ id: "x".repeat(200), type: "next" });
  socket.send(asking("x".repeat(201)));
  expect(await closed).toEqual([4400, "an id of more than 200 characters"]);
});

it("a client that sends messages is alive, though its answer to a ping is behind them", async () => {
  const clock = new ManualClock(0);
  const { url } = await start({ socket: { keepAliveMs: 12_000 } }, clock);
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws", { autoPong: false });
  await once(socket, "open");
  const answer = async (message: string) => {
    socket.send(message);
    await once(socket, "message");
  };
  await answer('{"type":"connection_init"}');
  for (let at = 0; at < 3; at++) {
    clock.advance(12_000);
    await answer('{"type":"ping"}');
  }
  expect(socket.readyState).toBe(socket.OPEN);
  const closed = once(socket, "close");
  clock.advance(12_000);
  clock.advance(12_000);
  expect(await closed).toEqual([1006, expect.anything()]);
});

it("more operations than a socket may hold are one refusal, and no fault of ours", async () => {
  const { socket, closed } = await connected({ socket: { operations: 0 } });
  socket.send(asking("a"));
  expect(await closed).toEqual([4430, "more than 0 operations at once"]);
  expect(lines.filter((line) => line.includes('"refused"'))).toHaveLength(1);
  expect(lines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
});

it("an invalid frame is its sender's error: the log gets no warning", async () => {
  const { socket, closed } = await connected();
  connectionOf(socket).write(Buffer.from([0xff, 0xff, 0xff]));
  expect(await closed).toEqual([1002, ""]);
  expect(lines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
});

/** More than the gateway and both systems' socket buffers hold for a client that does not read. */
const MORE_THAN_IS_KEPT = 48 * 2 ** 20;

it("a client that asks on and reads no answers is closed, however little it asks for", async () => {
  // No deadline for the closing handshake: the client reads the close frame only after it has sent everything.
  const { socket, closed } = await connected({}, new ManualClock(0));
  const connection: Socket = connectionOf(socket);
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  connection.pause();
  const ping = JSON.stringify({ type: "ping", payload: { x: "y".repeat(60_000) } });
  for (let sent = 0; sent < MORE_THAN_IS_KEPT && connection.writable; sent += ping.length)
    await new Promise((taken) => socket.send(ping, taken));
  connection.resume();
  expect(await closed).toEqual([4429, "too slow for what it asks for"]);
  process.off("warning", warned);
  expect(warnings).toEqual([]);
}, 20_000);

it("an event stream whose reader asks on and reads nothing is cut", () => {
  const response = new Writable({ highWaterMark: 1, write: () => undefined });
  const line = new SharedLine("a", response as ServerResponse, { bytes: 0 });
  response.write(Buffer.alloc(16 * 2 ** 20));
  line.end("{}");
  expect(response.destroyed).toBe(false);
  new SharedLine("b", response as ServerResponse, { bytes: 0 }).end("{}");
  expect(response.destroyed).toBe(true);
});

it.each(["variables", "extensions"])(
  "an event stream requested with %s that are not JSON is refused, and not run without them",
  async (name) => {
    const { url } = await start({});
    const stream = (text: string) =>
      fetch(`${url}/graphql/stream?${new URLSearchParams({ query: "{ hello }", [name]: text })}`, {
        headers: { accept: "text/event-stream" },
      });
    const statuses = await Promise.all(["{", "[", "1", '"{}"'].map(async (text) => (await stream(text)).status));
    expect(statuses).toEqual([400, 400, 400, 400]);
    for (const text of ["{}", "null"]) expect(await (await stream(text)).text()).toContain('{"data":{"hello":"hello you"}}');
  },
);

it("one client holds so many sockets and streams together, and leaves the others theirs", async () => {
  const gateway = await guardedGateway({ isStreaming: true, limits: { socket: { connectionsPerClient: 2 } } });
  const [one, other] = [await gateway.token("one", { "read:market": "*" }), await gateway.token("other", { "read:market": "*" })];
  const stream = async (token: string, method = "GET") => {
    const query = new URLSearchParams({
      query: 'subscription { ticker(category: SPOT, symbol: "BTCUSDT") { ticker { symbol } } }',
    });
    const leaving = new AbortController();
    const headers = { accept: "text/event-stream", authorization: `Bearer ${token}` };
    const address = `${gateway.url}/graphql/stream${method === "GET" ? `?${query}` : ""}`;
    const response = await fetch(address, { method, headers, signal: leaving.signal });
    const { status } = response;
    if (status === 429)
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: "RATE_LIMITED", retryable: true } }] });
    return { status, leave: () => leaving.abort() };
  };
  const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: { token: one } }));
  await once(socket, "message");
  const first = await stream(one);
  expect([first.status, (await stream(one)).status, (await stream(other)).status]).toEqual([200, 429, 200]);
  first.leave();
  await expect.poll(async () => (await stream(one)).status).toBe(200);
  // A reservation does not count before its stream is open; reservations have a separate limit.
  const reserved = [await stream(one, "PUT"), await stream(one, "PUT"), await stream(one, "PUT"), await stream(other, "PUT")];
  expect(reserved.map(({ status }) => status)).toEqual([201, 201, 503, 201]);
  socket.terminate();
  await gateway.close();
});

it("a socket beyond what its client may hold is closed with its code, and not as dead, while the client floods its others", async () => {
  const limits = { socket: { connectionsPerClient: 10, operations: 100 } };
  const gateway = await guardedGateway({ isStreaming: true, limits });
  const token = await gateway.token("one", { "read:market": "*" });
  const open = async () => {
    const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    const closed = once(socket, "close").then(([code, reason]) => `${code} ${reason}`);
    const acknowledged = once(socket, "message");
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "connection_init", payload: { token } }));
    return { socket, closed, acknowledged };
  };
  const subscribe = (socket: WebSocket, id: string): void => {
    const query = `subscription { ticker(category: SPOT, symbol: "BTCUSDT") { ${id}: ticker { symbol } } }`;
    socket.send(JSON.stringify({ type: "subscribe", id, payload: { query } }));
  };
  const held = await Promise.all(Array.from({ length: 10 }, open));
  await Promise.all(held.map(({ acknowledged }) => acknowledged));
  for (const [at, { socket }] of held.entries()) for (let id = 0; id < 100; id++) subscribe(socket, `a${at}x${id}`);
  const beyond = await Promise.all(Array.from({ length: 20 }, open));
  expect(new Set(await Promise.all(beyond.map(({ closed }) => closed)))).toEqual(new Set(["4431 more than 10 sockets at once"]));
  for (const [at, { socket }] of held.entries()) subscribe(socket, `a${at}more`);
  expect(new Set(await Promise.all(held.map(({ closed }) => closed)))).toEqual(
    new Set(["4430 more than 100 operations at once"]),
  );
  await gateway.close();
}, 30_000);

import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import type { Argument } from "@exchange-graph/contract/channels/channel";
import { ManualClock } from "@exchange-graph/contract/clock";
import { afterAll, expect, it, vi } from "vitest";
import { Transport } from "../../../src/datasources/calls/client/transport.js";
import { createStreams, type Streams } from "../../../src/datasources/streams/index.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { LIMITS } from "../../../src/limits.js";
import { ANYONE, createContext } from "../../../src/resolvers/index.js";
import { serveSockets } from "../../../src/transports/websocket/socketServer.js";
import { turn } from "../../support/eventually.js";
import { exchangeOver } from "../../support/exchangeOver.js";
import { openDoors } from "../../support/gateway/openDoors.js";
import { graph } from "../../support/graph.js";
import { searchedAudit } from "../../support/searchedLog.js";
import { ownInstrumentation } from "../../support/searchedTelemetry.js";
import { seeded } from "../../support/seeded.js";
import { FakeConnection, exchange as fakeExchange } from "../../transports/websocket/support/fakeWs.js";

const topicsAndConnections = (streams: Streams) => {
  const { topics, connections } = streams.gauges();
  return { topics, connections };
};

/**
 * The whole path of an event in one process, from the exchange's socket to the subscriber's: the sockets at both ends are
 * objects, the clock is manual, and everything open, scheduled or queued can be counted.
 */
vi.mock("ws", () => import("../../transports/websocket/support/fakeWs.js"));

/** `SUBSCRIPTION_SEEDS=10000` takes half a minute. */
const SEEDS = Number.parseInt(process.env.SUBSCRIPTION_SEEDS ?? "100", 10);

const START = Date.UTC(2026, 0, 15);
const clock = new ManualClock(START);
const envelope = (data: unknown) => ({
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify({ code: "00000", msg: "success", requestTime: clock.now(), data })),
});
vi.spyOn(Transport.prototype, "send").mockImplementation(async ({ target }) =>
  envelope(target.startsWith("/api/v3/account/settings") ? { uid: "1", accountMode: "unified" } : { list: [], cursor: null }),
);
const failures: unknown[] = [];
const instrumentation = ownInstrumentation();
listen(instrumentation, instrumentation.unread, ({ error }) => failures.push(error));
listen(instrumentation, instrumentation.unplacedPush, (push) => failures.push(push));
listen(instrumentation, instrumentation.failure, ({ error }) => failures.push(error));
const exchange = exchangeOver(new URL("http://127.0.0.1:9"), { clock, instrumentation });
const streams = createStreams({
  exchange,
  wsUrl: new URL("ws://127.0.0.1:9"),
  clock,
  random: () => 0.5,
  instrumentation,
});
let counter = 0;
fakeExchange.push = (arg: Argument) => {
  const ts = clock.now();
  if (arg.topic === "ticker") return { action: "snapshot", arg, ts, data: [{ lastPrice: `${++counter}` }] };
  if (arg.topic === "publicTrade")
    return { action: "update", arg, ts, data: [{ i: `${++counter}`, p: "1", v: "1", S: "buy", T: `${ts}` }] };
  return undefined;
};

const server = new EventEmitter();
const parts = openDoors(graph, clock, {
  contextOf: () => createContext(exchange, ANYONE, streams),
  audit: searchedAudit(undefined, instrumentation),
  instrumentation,
  nextRequestId: () => "a socket",
});
const { fanOut } = parts.engine;
const sockets = serveSockets(server as unknown as Server, parts, LIMITS.socket, (error) => failures.push(error));
afterAll(() => exchange.close());

/** A subscriber with a separate socket. */
class Listener {
  readonly connection = new FakeConnection();

  constructor() {
    const request = { url: "/graphql", headers: {}, socket: this.connection };
    server.emit("upgrade", request, this.connection, Buffer.alloc(0));
    this.say({ type: "connection_init" });
  }

  say(message: object): void {
    const { socket } = this.connection;
    if (socket.readyState === socket.OPEN) socket.emit("message", Buffer.from(JSON.stringify(message)));
  }

  leave(rudely: boolean): void {
    if (rudely) this.connection.socket.terminate();
    else this.connection.socket.close();
  }
}

const about = (symbol: string) => `category: USDT_FUTURES, symbol: "${symbol}"`;
const QUERIES = [
  `subscription { ticker(${about("BTCUSDT")}) { ticker { lastPrice } } }`,
  `subscription { ticker(${about("BTCUSDT")}, pace: { mode: LATEST, everyMs: 700 }) { ticker { lastPrice } } }`,
  `subscription { trades(${about("BTCUSDT")}) { trades { price } } }`,
  `subscription { ticker(${about("NOSUCH")}) { ticker { lastPrice } } }`,
  "subscription { orders { orders { orderId } } }",
  "{ __typename }",
  "subscription {",
];

/** A random step: of a subscriber's operations, its connection or the exchange, or only of the clock. */
function happen(roll: (sides: number) => number, listeners: readonly Listener[]): void {
  const listener = listeners[roll(listeners.length)];
  const id = `${roll(6)}`;
  const act = roll(20);
  if (act < 7) listener?.say({ id, type: "subscribe", payload: { query: QUERIES[roll(QUERIES.length)] } });
  else if (act < 10) listener?.say({ id, type: "complete" });
  else if (act === 10) listener?.leave(roll(2) === 0);
  else if (act === 11) listener?.connection.choke();
  else if (act === 12) listener?.connection.drain();
  else if (act === 13) for (const socket of [...fakeExchange.open].slice(0, 1)) socket.broken();
  else if (act < 17) for (const socket of fakeExchange.open) socket.pushAll();
  else clock.advance(roll(2_000));
}

it(`subscribing, completing and closing in every order, ${SEEDS} seeds: nothing stays behind`, { timeout: 300_000 }, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const roll = seeded(seed);
    const listeners = [new Listener(), new Listener()];
    for (let step = 0; step < 14; step++) {
      happen(roll, listeners);
      for (let turns = roll(5); turns > 0; turns--) await turn();
    }
    for (const listener of listeners) listener.leave(roll(2) === 0);
    for (let passed = 0; passed < 8; passed++) {
      await turn();
      clock.advance(3_000);
    }
    const left = {
      sockets: sockets.connections,
      groups: fanOut.groups,
      listeners: fanOut.listeners,
      ...topicsAndConnections(streams),
      atTheExchange: [fakeExchange.open.size, fakeExchange.subscriptions],
      timers: clock.pending,
      drains: listeners.map(({ connection }) => connection.listenerCount("drain")),
      failures,
    };
    if (seed === SEEDS || JSON.stringify(left) !== NOTHING) expect({ seed, ...left }).toEqual({ seed, ...JSON.parse(NOTHING) });
  }
  // The seeds covered the intended cases.
  expect(fanOut.counts.delivered).toBeGreaterThan(SEEDS);
  expect(fanOut.counts.missed).toBeGreaterThan(0);
});

const NOTHING = JSON.stringify({
  sockets: 0,
  groups: 0,
  listeners: 0,
  topics: [],
  connections: [],
  atTheExchange: [0, 0],
  timers: 0,
  drains: [0, 0],
  failures: [],
});

import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { eventually, settled } from "../../support/eventually.js";
import { connectionOf, type LiveGateway, liveGateway, wsUrlOf } from "../../support/gateway/liveGateway.js";

let gateway: LiveGateway;
beforeAll(async () => {
  gateway = await liveGateway();
});
afterAll(async () => {
  await gateway.close();
});

interface Message {
  readonly id?: string;
  readonly type: string;
  readonly payload?: unknown;
}

/** A client that sends raw protocol messages. */
class Raw {
  readonly received: Message[] = [];
  closed: number | undefined;
  readonly socket: WebSocket;

  constructor(options: { readonly origin?: string; readonly protocol?: string } = {}) {
    this.socket = new WebSocket(wsUrlOf(gateway.url), options.protocol ?? "graphql-transport-ws", {
      ...(options.origin === undefined ? {} : { origin: options.origin }),
    });
    open.push(this.socket);
    this.socket.on("message", (text) => this.received.push(JSON.parse(String(text))));
    this.socket.on("close", (code) => {
      this.closed = code;
    });
    this.socket.on("error", () => undefined);
  }

  async hello(): Promise<this> {
    await once(this.socket, "open");
    this.say({ type: "connection_init" });
    await eventually(() => this.received.length === 1);
    expect(this.received.shift()).toEqual({ type: "connection_ack" });
    return this;
  }
  say(message: Message): void {
    this.socket.send(JSON.stringify(message));
  }
  ask(id: string, query: string, variables?: object): void {
    this.say({ id, type: "subscribe", payload: { query, variables } });
  }
  of(id: string): readonly Message[] {
    return this.received.filter((message) => message.id === id);
  }
}
const open: WebSocket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate();
  await gateway.pass(15_000, 500);
  expect(await gateway.open()).toEqual({ sockets: 0, listeners: 0, groups: 0 });
  expect(gateway.sandbox.sockets.gauges).toMatchObject({ connections: 0, subscriptions: 0 });
});

const BTC = 'category: USDT_FUTURES, symbol: "BTCUSDT"';
const TICKER = `subscription { ticker(${BTC}) { ticker { lastPrice } } }`;

describe("an operation that cannot be run answers an error, and the socket stays open", () => {
  it.each([
    ["a syntax error", "subscription {", undefined, "GRAPHQL_PARSE_FAILED"],
    ["a field that is not there", "subscription { nothing }", undefined, "GRAPHQL_VALIDATION_FAILED"],
    [
      "two roots",
      `subscription { ticker(${BTC}) { ticker { symbol } } again: ticker(${BTC}) { ticker { symbol } } }`,
      undefined,
      "GRAPHQL_VALIDATION_FAILED",
    ],
    [
      "a missing variable",
      "subscription($s: String!) { ticker(category: SPOT, symbol: $s) { ticker { symbol } } }",
      {},
      "BAD_USER_INPUT",
    ],
    ["no operation of that many", "query a { __typename } query b { __typename }", undefined, "OPERATION_RESOLUTION_FAILURE"],
  ])("%s", async (_, query, variables, code) => {
    const raw = await new Raw().hello();
    raw.ask("a", query, variables);
    await eventually(() => raw.of("a").length > 0);
    expect(raw.of("a")).toMatchObject([{ type: "error", payload: [{ extensions: { code } }] }]);
    raw.ask("b", "{ __typename }");
    await eventually(() => raw.of("b").length === 2);
    expect(raw.of("b")).toEqual([
      { id: "b", type: "next", payload: { data: { __typename: "Query" } } },
      { id: "b", type: "complete" },
    ]);
  });

  it("a symbol that the exchange does not have", async () => {
    const raw = await new Raw().hello();
    raw.ask("a", 'subscription { ticker(category: SPOT, symbol: "NOSUCHSYMBOL") { ticker { symbol } } }');
    await gateway.until(() => raw.of("a").length > 0);
    const refusal = {
      message: "symbol must be a symbol of SPOT; there is no NOSUCHSYMBOL",
      path: ["ticker"],
      extensions: { code: "BAD_USER_INPUT", violations: [{ argument: "symbol" }], exchange: { code: "30001" } },
    };
    expect(raw.of("a")).toMatchObject([{ type: "error", payload: [refusal] }]);
    expect(raw.closed).toBeUndefined();
  });

  it("an unknown symbol is refused immediately, and no other topic waits for it", async () => {
    const raw = await new Raw().hello();
    const query = "subscription($s: String!) { ticker(category: SPOT, symbol: $s) { ticker { symbol } } }";
    raw.ask("long", query, { s: "A".repeat(5_000) });
    raw.ask("good", query, { s: "BTCUSDT" });
    await gateway.until(() => raw.of("good").length > 0, 5_000);
    expect(raw.of("good")).toMatchObject([{ type: "next", payload: { data: { ticker: { ticker: { symbol: "BTCUSDT" } } } } }]);
    const refusal = { path: ["ticker"], extensions: { code: "BAD_USER_INPUT", violations: [{ argument: "symbol" }] } };
    expect(raw.of("long")).toMatchObject([{ type: "next", payload: { errors: [refusal] } }, { type: "complete" }]);
  });
});

describe("the protocol's own refusals", () => {
  it("an operation before connection_init: 4401", async () => {
    const raw = new Raw();
    await once(raw.socket, "open");
    raw.ask("a", TICKER);
    await eventually(() => raw.closed !== undefined);
    expect(raw.closed).toBe(4401);
  });

  it("an id that is in use: 4409", async () => {
    const raw = await new Raw().hello();
    raw.ask("a", TICKER);
    raw.ask("a", TICKER);
    await eventually(() => raw.closed !== undefined);
    expect(raw.closed).toBe(4409);
  });

  it("a second connection_init: 4429; an invalid message: 4400", async () => {
    const [twice, babble] = [await new Raw().hello(), await new Raw().hello()];
    twice.say({ type: "connection_init" });
    babble.socket.send("hello?");
    await eventually(() => twice.closed !== undefined && babble.closed !== undefined);
    expect([twice.closed, babble.closed]).toEqual([4429, 4400]);
  });

  it("more operations than a socket may hold: 4430", async () => {
    const raw = await new Raw().hello();
    for (let id = 0; id <= 100; id++) raw.ask(`${id}`, TICKER);
    await eventually(() => raw.closed !== undefined);
    expect(raw.closed).toBe(4430);
  });

  it("a message longer than a quarter of a mebibyte: 1009", async () => {
    const raw = await new Raw().hello();
    raw.ask("a", `{ __typename } #${"x".repeat(300_000)}`);
    await eventually(() => raw.closed !== undefined);
    expect(raw.closed).toBe(1009);
  });

  it("a socket that answers no ping is closed", async () => {
    const raw = await new Raw().hello();
    raw.socket.pause();
    connectionOf(raw.socket).pause();
    await gateway.pass(30_000, 1_000);
    expect((await gateway.open()).sockets).toBe(0);
  });
});

it("takes no sockets from other people's pages", async () => {
  const [foreign, own] = [new Raw({ origin: "https://evil.example" }), new Raw({ origin: gateway.url })];
  await eventually(() => foreign.closed !== undefined);
  expect(foreign.closed).toBe(1006);
  await own.hello();
});

it("an id can be used again after its end, and gets no events of its previous operation", async () => {
  const raw = await new Raw().hello();
  for (let round = 0; round < 5; round++) {
    raw.ask("a", TICKER);
    await gateway.until(() => raw.of("a").length > 0);
    raw.say({ id: "a", type: "complete" });
    await settled();
    raw.received.length = 0;
    await gateway.pass(1_000);
    expect(raw.of("a")).toEqual([]);
  }
});

it("a reader that stops reading is closed with 4429, and delays no other", async () => {
  const [slow, healthy] = [await new Raw().hello(), await new Raw().hello()];
  const BOOK = `subscription { orderBook(${BTC}, depth: FULL, pace: { mode: ALL }) { orderBook { asks { price qty } bids { price qty } } } }`;
  for (let id = 0; id < 100; id++) slow.ask(`${id}`, BOOK);
  healthy.ask("a", BOOK);
  await gateway.until(() => slow.of("99").length > 0 && healthy.of("a").length > 0);
  connectionOf(slow.socket).pause();
  const before = healthy.of("a").length;
  let cut = false;
  for (let count = 0; count < 1_000 && !cut; count++) {
    await gateway.pass(500, 100);
    cut = /stream_messages_total\{result="cut"\} [1-9]/.test(await gateway.metrics.registry.metrics());
  }
  expect(cut).toBe(true);
  await gateway.until(() => healthy.of("a").length - before > 20);
  expect(healthy.closed).toBeUndefined();
  connectionOf(slow.socket).resume();
  await eventually(() => slow.closed !== undefined);
  expect(slow.closed).toBe(4429);
}, 60_000);

/** A small pseudorandom generator, determined by its seed. */
const dice = (seed: number) => {
  let state = seed * 2_654_435_761 + 1;
  return (sides: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 4_294_967_296) * sides);
  };
};

it("nothing stays behind after any order of subscribing, completing and disconnecting", async () => {
  const queries = [
    TICKER,
    `subscription { trades(${BTC}) { trades { price } } }`,
    "subscription { orders { orders { orderId } } }",
    "{ __typename }",
    "subscription {",
  ];
  for (let seed = 1; seed <= 60; seed++) {
    const roll = dice(seed);
    const raws = await Promise.all([new Raw().hello(), new Raw().hello(), new Raw().hello()]);
    for (let step = 0; step < 25; step++) {
      const raw = raws[roll(raws.length)];
      const id = `${roll(4)}`;
      const act = roll(10);
      if (raw?.socket.readyState !== WebSocket.OPEN) continue;
      if (act < 5) raw.ask(id, queries[roll(queries.length)] ?? TICKER);
      else if (act < 8) raw.say({ id, type: "complete" });
      else if (act === 8 && roll(3) === 0) raw.socket.close();
      else await gateway.pass(50 * roll(4));
    }
    for (const raw of raws) {
      if (roll(2) === 0) raw.socket.close();
      else raw.socket.terminate();
    }
  }
  await gateway.pass(1_000);
}, 60_000);

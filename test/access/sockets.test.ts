import { once } from "node:events";
import { ManualClock } from "@exchange-graph/contract/clock";
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Secret } from "../../src/datasources/index.js";
import { type GuardedGateway, guardedGateway } from "./support/guardedGateway.js";
import { AUDIENCE, ISSUER, signedWith } from "./support/jwtIssuer.js";

const SECRET = "a secret of more than thirty-two bytes";
const JWT = {
  keys: { kind: "secret", secret: new Secret(SECRET) },
  ...{ issuer: ISSUER, audience: AUDIENCE, clockToleranceMs: 0, accountsClaim: "accounts" },
} as const;
const TICKER = 'subscription { ticker(category: SPOT, symbol: "BTCUSDT") { ticker { symbol } } }';

let gateway: GuardedGateway;
let token: string;
beforeAll(async () => {
  gateway = await guardedGateway({ isStreaming: true, jwt: JWT });
  token = await gateway.token("listener", { "read:market": "*" });
});
afterAll(() => gateway.close());

interface Message {
  readonly type: string;
  readonly payload?: unknown;
}

/** A socket that has sent `connection_init`. */
class Connection {
  readonly messages: Message[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;

  private constructor(private readonly socket: WebSocket) {
    socket.on("message", (text) => this.messages.push(JSON.parse(String(text))));
    this.closed = once(socket, "close").then(([code, reason]) => ({ code, reason: String(reason) }));
  }

  static async open(init: unknown, headers: Record<string, string> = {}): Promise<Connection> {
    const url = `${gateway.url.replace("http", "ws")}/graphql`;
    const socket = new WebSocket(url, GRAPHQL_TRANSPORT_WS_PROTOCOL, { headers });
    const connection = new Connection(socket);
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "connection_init", ...(init === undefined ? {} : { payload: init }) }));
    return connection;
  }

  async received(type: string): Promise<Message> {
    await expect.poll(() => this.messages.map((message) => message.type)).toContain(type);
    return this.messages.find((message) => message.type === type) ?? { type };
  }

  subscribe(query: string): void {
    this.socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query } }));
  }

  /** Sends an operation and waits for its first result. */
  async ask(query: string): Promise<Message> {
    this.subscribe(query);
    return this.received("next");
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  async leave(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}

describe("a socket", () => {
  it.each<[string, () => [unknown, Record<string, string>]]>([
    ["`authorization`", () => [{ authorization: `Bearer ${token}` }, {}]],
    ["a header as browsers name it", () => [{ Authorization: `bearer ${token}` }, {}]],
    ["`token`", () => [{ token }, {}]],
    ["its own header", () => [undefined, { authorization: `Bearer ${token}` }]],
  ])("says who it is by %s", async (_, init) => {
    const connection = await Connection.open(...init());
    await connection.received("connection_ack");
    expect(await connection.ask("{ viewer { name } }")).toMatchObject({ payload: { data: { viewer: { name: "listener" } } } });
    await connection.leave();
  });

  it("says who it is by a JWT", async () => {
    const connection = await Connection.open({ token: await signedWith(SECRET, {}, Date.now()) });
    await connection.received("connection_ack");
    expect(await connection.ask("{ viewer { name } }")).toMatchObject({ payload: { data: { viewer: { name: "desk" } } } });
    await connection.leave();
  });

  it.each<[string, unknown]>([
    ["without a token", undefined],
    ["with an unknown token", { authorization: `Bearer exgt_${"A".repeat(43)}` }],
    ["with a JWT that is none", { token: "a.b.c" }],
    ["with something that is no text", { authorization: 7 }],
    ["with another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
  ])("%s is closed before anything runs", async (_, init) => {
    const before = gateway.asked();
    const connection = await Connection.open(init);
    expect(await connection.closed).toMatchObject({ code: CloseCode.Unauthorized });
    expect(connection.messages).toEqual([]);
    expect(gateway.asked()).toBe(before);
  });

  it("is closed when its token is revoked, and no other one is", async () => {
    const [short, other] = [await gateway.token("short", { "read:market": "*" }), await Connection.open({ token })];
    const connection = await Connection.open({ token: short });
    connection.subscribe(TICKER);
    await other.received("connection_ack");
    await expect.poll(() => gateway.asked()).toBeGreaterThan(0);
    await gateway.revoke("short");
    expect(await connection.closed).toEqual({ code: CloseCode.Unauthorized, reason: "the token is unknown or no longer valid" });
    expect(other.isOpen).toBe(true);
    await other.leave();
  });

  it("is closed when its token's rights change", async () => {
    const changing = await gateway.token("changing", { "read:market": "*" });
    const connection = await Connection.open({ token: changing });
    await connection.received("connection_ack");
    await gateway.grant("changing", { "read:market": "*", trade: "*" });
    expect(await connection.closed).toEqual({
      code: CloseCode.Forbidden,
      reason: "the rights of the token have changed: connect again",
    });
    const again = await Connection.open({ token: changing });
    await again.received("connection_ack");
    await again.leave();
  });
});

describe("an event stream", () => {
  it("ends when its token is revoked, with the reason as its last result", async () => {
    const streamer = await gateway.token("streamer", { "read:market": "*" });
    const response = await fetch(`${gateway.url}/graphql/stream`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", authorization: `Bearer ${streamer}` },
      body: JSON.stringify({ query: TICKER }),
    });
    expect(response.status).toBe(200);
    await gateway.revoke("streamer");
    const text = await response.text();
    const [, result = ""] = /event: next\ndata: (.+)\n\nevent: complete/.exec(text) ?? [];
    expect(JSON.parse(result)).toMatchObject({ errors: [{ extensions: { code: "UNAUTHENTICATED" } }] });
  });

  it("that many operations share ends each of them when the token of that operation ends", async () => {
    const clock = new ManualClock(Date.UTC(2028, 4, 31, 12));
    const shared = await guardedGateway({ isStreaming: true, jwt: JWT, tokenClock: clock });
    const url = `${shared.url}/graphql/stream`;
    const bearing = async (minutes: number) => {
      const claims = { scope: "read:market", exp: clock.now() / 1_000 + minutes * 60 };
      return { authorization: `Bearer ${await signedWith(SECRET, claims, clock.now())}`, accept: "text/event-stream" };
    };
    const [long, short] = [await bearing(60), await bearing(1)];
    const reserved = await fetch(url, { method: "PUT", headers: long });
    const stream = { "x-graphql-event-stream-token": await reserved.text() };
    const opened = await fetch(url, { headers: { ...long, ...stream } });
    const ask = (headers: Record<string, string>, operationId: string) =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers, ...stream },
        body: JSON.stringify({ query: TICKER, extensions: { operationId } }),
      });
    expect([(await ask(short, "short")).status, (await ask(long, "long")).status]).toEqual([202, 202]);
    clock.advance(60_000);
    let text = "";
    const reader = opened.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (!text.includes("event: complete")) text += (await reader?.read())?.value ?? "";
    expect(text).toContain("UNAUTHENTICATED");
    expect(text).toContain('event: complete\ndata: {"id":"short"}');
    expect(text).not.toContain('"long"');
    expect((await ask(long, "long")).status).toBe(409);
    await reader?.cancel();
    await shared.close();
  });
});

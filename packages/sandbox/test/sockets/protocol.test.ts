import { HOUR_MS } from "@exchange-graph/contract/clock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { credentialOf } from "../support/signedCall.js";
import type { SocketClient } from "./support/client.js";
import { openSocketWorld, type SocketPath, type SocketWorld, START } from "./support/socketWorld.js";

let world: SocketWorld;
const clients: SocketClient[] = [];
beforeAll(async () => {
  world = await openSocketWorld();
});
afterEach(() => {
  world.skewed.skewMs = 0;
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => world.close());

async function open(path: SocketPath): Promise<SocketClient> {
  const client = await world.open(path);
  clients.push(client);
  return client;
}

const main = credentialOf("main");
const classic = credentialOf("classic");
const SECONDS = Math.floor(START / 1000);
const V3_TICKER = { instType: "spot", topic: "ticker", symbol: "BTCUSDT" };
const V2_TICKER = { instType: "SPOT", channel: "ticker", instId: "BTCUSDT" };
const CONN_ID = expect.stringMatching(/^[0-9a-f]{16}$/);

describe("a login", () => {
  it.each([
    ["seconds as text", String(SECONDS)],
    ["seconds as a number", SECONDS],
    ["milliseconds as text", String(START)],
    ["milliseconds as a number", START],
  ])("takes a timestamp in %s", async (_, timestamp) => {
    const client = await open("/v2/ws/private");
    expect(await client.login(classic, timestamp).json()).toEqual({ event: "login", code: 0, msg: "" });
  });

  it("is answered with the connection's id on v3", async () => {
    const client = await open("/v3/ws/private");
    expect(await client.login(main, String(SECONDS)).json()).toEqual({ event: "login", code: 0, connId: CONN_ID });
  });

  // Each claim is wrong in every way that is checked after the one named, so the order of the checks shows.
  const spoilt = { passphrase: "wrong", timestamp: "soon", sign: "wrong" };
  it.each([
    ["key", 30011, "Invalid ACCESS_KEY", { ...spoilt, apiKey: "nobody" }],
    ["passphrase", 30012, "Invalid ACCESS_PASSPHRASE", spoilt],
    ["form of the timestamp", 30013, "Invalid ACCESS_TIMESTAMP", { timestamp: "soon", sign: "wrong" }],
    ["age of the timestamp", 30014, "Request timestamp expired", { timestamp: String(SECONDS - 31), sign: "wrong" }],
    ["signature", 30015, "Invalid sign", { sign: "wrong" }],
  ])("is refused for its %s", async (_, code, msg, changes) => {
    const client = await open("/v2/ws/private");
    expect(await client.login(classic, String(SECONDS), changes).json()).toEqual({ event: "error", code, msg });
    // The connection stays, and a right login is still taken.
    expect(await client.login(classic, String(SECONDS)).json()).toMatchObject({ event: "login" });
  });

  it("is good for thirty seconds by the exchange's clock, in both directions", async () => {
    const client = await open("/v3/ws/private");
    for (const [skewMs, event] of [
      [30_000, "login"],
      [30_001, "error"],
      [-30_000, "login"],
      [-30_001, "error"],
    ] as const) {
      world.skewed.skewMs = skewMs;
      expect(await client.login(main, START).json()).toMatchObject({ event });
    }
  });

  it("cannot turn a connection over to another user", async () => {
    const client = await open("/v2/ws/private");
    await client.login(classic, START).json();
    expect(await client.login(credentialOf("broker"), START).json()).toMatchObject({ event: "error", code: 30005 });
  });

  it("must come before private channels", async () => {
    const client = await open("/v3/ws/private");
    const refused = { event: "error", code: 30004, msg: "User not logged in", connId: CONN_ID };
    expect(await client.subscribe({ instType: "UTA", topic: "order" }).json()).toEqual(refused);
  });
});

describe("requests", () => {
  it("are answered once for each argument, which is repeated", async () => {
    const client = await open("/v2/ws/public");
    const eth = { ...V2_TICKER, instId: "ETHUSDT" };
    client.subscribe(V2_TICKER, { ...V2_TICKER, instId: "NOSUCH" }, eth);
    const texts = await client.settled();
    expect(texts.filter((text) => text.includes('"event"')).map((text) => JSON.parse(text))).toEqual([
      { event: "subscribe", arg: V2_TICKER },
      { event: "error", code: 30001, msg: "instType:SPOT,channel:ticker,instId:NOSUCH doesn't exist" },
      { event: "subscribe", arg: eth },
    ]);
  });

  it("carry the connection's id in v3's answers, refusals included", async () => {
    const client = await open("/v3/ws/public");
    expect(await client.subscribe(V3_TICKER).json()).toEqual({ event: "subscribe", arg: V3_TICKER, connId: CONN_ID });
    await client.push();
    expect(await client.unsubscribe(V3_TICKER).json()).toEqual({ event: "unsubscribe", arg: V3_TICKER, connId: CONN_ID });
    expect(await client.subscribe({ topic: "ticker", symbol: "NOSUCH", instType: "spot" }).json()).toEqual({
      event: "error",
      code: 30001,
      msg: `{"instType":"spot","symbol":"NOSUCH","topic":"ticker"} doesn't exist`,
      connId: CONN_ID,
    });
  });

  it.each([
    ["a channel that does not exist", "/v2/ws/public", { ...V2_TICKER, channel: "tickers" }],
    ["a product type that does not exist", "/v2/ws/public", { ...V2_TICKER, instType: "SP" }],
    ["a symbol in lower case", "/v2/ws/public", { ...V2_TICKER, instId: "btcusdt" }],
    ["v3's argument on v2", "/v2/ws/public", V3_TICKER],
    ["v2's argument on v3", "/v3/ws/public", V2_TICKER],
    ["a private channel on the public socket", "/v3/ws/public", { instType: "UTA", topic: "order" }],
    ["a public channel on the private socket", "/v2/ws/private", V2_TICKER],
    ["uta in lower case", "/v3/ws/private", { instType: "uta", topic: "order" }],
  ] as const)("find no %s", async (_, path, argument) => {
    const client = await open(path);
    expect(await client.subscribe(argument).json()).toMatchObject({ event: "error", code: 30001 });
  });

  it("on v2 have bars of eight hours, which no call answers", async () => {
    const client = await open("/v2/ws/public");
    client.subscribe({ ...V2_TICKER, channel: "candle8H" });
    expect(await client.json()).toMatchObject({ event: "subscribe" });
    const starts = (await client.push()).data.map((row) => Number.parseInt((row as readonly [string])[0], 10));
    expect(starts).toEqual(starts.map((_, at) => (starts[0] ?? 0) + at * 8 * HOUR_MS));
    expect((starts[0] ?? 1) % (8 * HOUR_MS)).toBe(0);
    expect(starts).toHaveLength(500);
  });

  it.each([
    ["/v2/ws/public", { ...V2_TICKER, channel: "candle7m" }],
    ["/v3/ws/public", { ...V3_TICKER, topic: "kline", interval: "7m" }],
    ["/v3/ws/public", { ...V3_TICKER, topic: "kline" }],
    ["/v3/ws/public", { ...V3_TICKER, topic: "kline", interval: "8H" }],
  ] as const)("on %s find an interval wrong that does not exist", async (path, argument) => {
    const client = await open(path);
    expect(await client.subscribe(argument).json()).toMatchObject({
      event: "error",
      code: 30016,
      msg: "Param error",
      op: "subscribe",
    });
  });

  it.each([
    ["no JSON", "{", 30002],
    ["JSON of another shape", "[]", 30002],
    ["no operation", "{}", 30002],
    ["an unknown operation", '{"op":"withdraw","args":[]}', 30003],
    ["orders without one", '{"op":"trade","topic":"place-order","args":[]}', 30016],
    ["no arguments", '{"op":"subscribe"}', 30016],
    ["an empty list of arguments", '{"op":"subscribe","args":[]}', 30016],
    ["an argument that is none", '{"op":"subscribe","args":["ticker"]}', 30016],
    ["a login without a claim", '{"op":"login","args":["me"]}', 30016],
  ])("with %s are refused, and the connection stays", async (_, text, code) => {
    const client = await open("/v2/ws/public");
    expect(await client.say(text).json()).toMatchObject({ event: "error", code });
    expect(await client.say("ping").text()).toBe("pong");
  });

  it("may have 4,096 bytes and not one more", async () => {
    const client = await open("/v2/ws/public");
    const padded = (bytes: number): string => {
      const text = JSON.stringify({ op: "subscribe", args: [V2_TICKER], pad: "" });
      return text.replace('"pad":""', `"pad":"${"x".repeat(bytes - text.length)}"`);
    };
    expect(await client.say(padded(4_097)).json()).toMatchObject({ event: "error", code: 30016, op: "subscribe" });
    expect(await client.say(padded(4_096)).json()).toMatchObject({ event: "subscribe" });
  });
});

describe("subscriptions", () => {
  it("made twice are answered twice and pushed once", async () => {
    const client = await open("/v3/ws/public");
    client.subscribe(V3_TICKER).subscribe({ symbol: "BTCUSDT", topic: "ticker", instType: "spot" });
    const texts = await client.settled();
    expect(texts.map((text) => (text.includes('"event"') ? "ack" : "push"))).toEqual(["ack", "push", "ack"]);
    world.clock.advance(200);
    expect(await client.settled()).toHaveLength(1);
  });

  it("that were never made are ended without complaint", async () => {
    const client = await open("/v2/ws/public");
    expect(await client.unsubscribe(V2_TICKER).json()).toEqual({ event: "unsubscribe", arg: V2_TICKER });
  });

  it("that have ended push nothing", async () => {
    const client = await open("/v2/ws/public");
    client.subscribe(V2_TICKER).unsubscribe(V2_TICKER);
    await client.settled();
    world.clock.advance(1_000);
    expect(await client.settled()).toEqual([]);
  });

  it("leave no work behind when the last of them has ended", async () => {
    await expect.poll(() => world.clock.pending, { interval: 1 }).toBe(0);
    const client = await open("/v2/ws/public");
    const idle = world.clock.pending;
    await client.subscribe(V2_TICKER).settled();
    expect(world.clock.pending).toBe(idle + 1);
    await client.unsubscribe(V2_TICKER).settled();
    expect(world.clock.pending).toBe(idle);
    client.subscribe(V2_TICKER).close();
    await expect.poll(() => world.clock.pending, { interval: 1 }).toBe(0);
  });

  it("of accounts are refused where the API version does not serve the account", async () => {
    const unified = await open("/v2/ws/private");
    await unified.login(main, START).json();
    const orders = { instType: "SPOT", channel: "orders", instId: "default" };
    expect(await unified.subscribe(orders).json()).toMatchObject({ event: "error", code: 40085 });
    const client = await open("/v3/ws/private");
    await client.login(classic, START).json();
    expect(await client.subscribe({ instType: "UTA", topic: "order" }).json()).toMatchObject({ event: "error", code: 40084 });
  });
});

import { once } from "node:events";
import { classicTickerChannel } from "@exchange-graph/contract/channels/ticker";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { TopicFeed } from "../../src/sockets/feeds/topicFeed.js";
import type { SocketClient } from "./support/client.js";
import { openSocketWorld, type SocketPath, type SocketWorld } from "./support/socketWorld.js";

let world: SocketWorld;
const clients: SocketClient[] = [];
beforeEach(async () => {
  world = await openSocketWorld();
});
afterEach(async () => {
  world.skewed.skewMs = 0;
  for (const client of clients.splice(0)) client.close();
  await world.close();
});

async function open(path: SocketPath = "/v2/ws/public"): Promise<SocketClient> {
  const client = await world.open(path);
  clients.push(client);
  return client;
}

/** The HTTP status that a connection is refused with. */
async function refusalOf(path: string): Promise<number | undefined> {
  const socket = new WebSocket(`${world.url}${path}`);
  socket.on("error", () => {});
  const [, response] = await once(socket, "unexpected-response");
  socket.terminate();
  return response.statusCode;
}

const MINUTE_MS = 60_000;
const BTC = { instType: "SPOT", channel: "ticker", instId: "BTCUSDT" };

describe("messages", () => {
  it("may come ten a second, pings included; a client that sends more gets an error and is disconnected", async () => {
    const client = await open();
    for (let sent = 0; sent < 10; sent++) client.say("ping");
    for (let read = 0; read < 10; read++) expect(await client.text()).toBe("pong");
    expect(await client.say("ping").json()).toMatchObject({ event: "error", code: 30006 });
    expect(await client.closed).toBe(1008);
    expect(world.sockets.gauges.violations).toBe(1);
  });

  it("are counted in every window of a second, however it lies", async () => {
    const client = await open();
    for (let sent = 0; sent < 5; sent++) await client.say("ping").text();
    world.clock.advance(600);
    for (let sent = 0; sent < 5; sent++) await client.say("ping").text();
    world.clock.advance(399);
    expect(await client.say("ping").json()).toMatchObject({ code: 30006 });
  });

  it("are let through once the second is over", async () => {
    const client = await open();
    for (let sent = 0; sent < 40; sent++) {
      expect(await client.say("ping").text()).toBe("pong");
      if (sent % 10 === 9) world.clock.advance(1_000);
    }
    expect(world.sockets.gauges).toMatchObject({ received: 40, sent: 40, violations: 0 });
  });

  it("are let through and counted where limits are not enforced", async () => {
    await world.close();
    world = await openSocketWorld({ enforceLimits: false });
    const client = await open();
    for (let sent = 0; sent < 12; sent++) expect(await client.say("ping").text()).toBe("pong");
    expect(world.sockets.gauges.violations).toBe(2);
  });
});

describe("requests to subscribe", () => {
  it("may come 240 times an hour, and the connection stays", async () => {
    const client = await open();
    for (let sent = 0; sent < 240; sent++) {
      if (sent % 3 === 0) world.clock.advance(1_000);
      client.subscribe(BTC).unsubscribe(BTC);
      await client.settled();
    }
    const refused = { event: "error", code: 30006, msg: "Too many requests", op: "subscribe" };
    world.clock.advance(1_000);
    expect(await client.subscribe(BTC).json()).toEqual(refused);
    for (let minute = 0; minute < 60; minute++) {
      world.clock.advance(MINUTE_MS);
      await client.settled();
    }
    expect(await client.subscribe(BTC).json()).toMatchObject({ event: "subscribe" });
  });
});

describe("channels", () => {
  it("are a thousand on a connection at most", async () => {
    // One symbol has not so many channels, and the market not so many symbols: here everything exists.
    const anything: TopicFeed = {
      channel: classicTickerChannel,
      subject: (argument) => ({
        channel: classicTickerChannel,
        argument,
        periodMs: undefined,
        follow: () => ({ advance: () => undefined }),
      }),
    };
    await world.close();
    world = await openSocketWorld({ feeds: [anything] });
    const client = await open();
    const all = Array.from({ length: 1_001 }, (_, at) => ({ ...BTC, instId: `COIN${at}` }));
    const events: { readonly event: string; readonly code?: number }[] = [];
    for (let at = 0; at < all.length; at += 50) {
      world.clock.advance(200);
      const texts = await client.subscribe(...all.slice(at, at + 50)).settled();
      events.push(...texts.map((text) => JSON.parse(text)));
    }
    expect(events.slice(0, 1_000).every(({ event }) => event === "subscribe")).toBe(true);
    expect(events.slice(1_000)).toMatchObject([{ event: "error", code: 30006 }]);
    expect(world.sockets.gauges.subscriptions).toBe(1_000);
    world.clock.advance(1_000);
    await client
      .unsubscribe(...all.slice(0, 1))
      .subscribe(...all.slice(-1))
      .settled();
    expect(world.sockets.gauges).toMatchObject({ subscriptions: 1_000, violations: 1 });
  });
});

describe("connections", () => {
  it("are served on the four documented paths alone", async () => {
    for (const path of ["/v2/ws/public", "/v2/ws/private", "/v3/ws/public", "/v3/ws/private"] as const) {
      expect(await (await open(path)).say("ping").text()).toBe("pong");
    }
    expect(await refusalOf("/v4/ws/public")).toBe(404);
    expect(await refusalOf("/v3/ws/public/")).toBe(404);
  });

  it("are a hundred from one address at most", async () => {
    for (let opened = 0; opened < 100; opened++) await open();
    expect(world.sockets.gauges.connections).toBe(100);
    expect(await refusalOf("/v2/ws/public")).toBe(429);
    clients[0]?.close();
    await expect.poll(() => world.sockets.gauges.connections, { interval: 1 }).toBe(99);
    expect(await (await open()).say("ping").text()).toBe("pong");
  });

  it("may be opened 300 times in five minutes", async () => {
    for (let opened = 0; opened < 300; opened++) {
      const client = await world.open("/v2/ws/public");
      client.close();
      await client.closed;
      await expect.poll(() => world.sockets.gauges.connections, { interval: 1 }).toBe(0);
    }
    expect(await refusalOf("/v2/ws/public")).toBe(429);
    world.clock.advance(5 * MINUTE_MS);
    expect(await (await open()).say("ping").text()).toBe("pong");
  });

  it("are closed after two minutes without a ping, even if other frames arrive", async () => {
    const silent = await open();
    const alive = await open();
    world.clock.advance(2 * MINUTE_MS - 1);
    await silent.subscribe(BTC).json();
    await alive.say("ping").text();
    world.clock.advance(1);
    expect(await silent.closed).toBe(1000);
    world.clock.advance(2 * MINUTE_MS - 2);
    expect(await alive.say("ping").text()).toBe("pong");
  });

  it("are closed after a day, even if active, and warned a minute before", async () => {
    const client = await open("/v3/ws/public");
    for (let minute = 1; minute < 24 * 60 - 1; minute++) {
      world.clock.advance(MINUTE_MS);
      expect(await client.say("ping").text()).toBe("pong");
    }
    world.clock.advance(MINUTE_MS);
    expect(await client.json()).toMatchObject({ event: "error", code: 30033 });
    await client.say("ping").text();
    world.clock.advance(MINUTE_MS - 1);
    expect(await client.say("ping").text()).toBe("pong");
    world.clock.advance(1);
    expect(await client.closed).toBe(1001);
  });

  it("are closed by the true clock, however wrong the exchange's is set", async () => {
    const client = await open();
    world.skewed.skewMs = 3 * MINUTE_MS;
    world.clock.advance(MINUTE_MS);
    expect(await client.say("ping").text()).toBe("pong");
  });

  it("end with the server", async () => {
    const client = await open();
    world.sockets.close();
    expect(await client.closed).toBe(1006);
    await expect.poll(() => world.sockets.gauges.connections, { interval: 1 }).toBe(0);
    expect(world.clock.pending).toBe(0);
  });
});

import { BOOK_CHANNELS, type BookChannel } from "@exchange-graph/contract/channels/book";
import { readFrame } from "@exchange-graph/contract/channels/frame";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { FaultRule } from "../../src/control/faults.js";
import type { SocketClient } from "./support/client.js";
import { RebuiltBook } from "./support/rebuiltBook.js";
import { openSocketWorld, type SocketWorld } from "./support/socketWorld.js";

let world: SocketWorld;
const clients: SocketClient[] = [];
beforeAll(async () => {
  world = await openSocketWorld();
});
afterEach(() => {
  world.faults.clear();
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => world.close());

const [BOOKS] = BOOK_CHANNELS as readonly [BookChannel];
const BTC = BOOKS.argument({ category: "USDT-FUTURES", symbol: "BTCUSDT" });
const PERIOD_MS = 600;

async function open(): Promise<SocketClient> {
  const client = await world.open("/v3/ws/public");
  clients.push(client);
  return client;
}

/** A client that follows the book; returns its frames once the given number of updates is due. */
async function follow(): Promise<{ readonly book: RebuiltBook; readonly updates: (due: number) => Promise<number> }> {
  const client = await open();
  const book = new RebuiltBook(BOOKS, BTC);
  const read = async () => {
    const frames = (await client.settled()).map(readFrame);
    for (const frame of frames) if (frame.kind === "push") book.take(frame.push);
    return frames.filter(({ kind }) => kind === "push").length;
  };
  await client.subscribe(BTC);
  await read();
  return {
    book,
    async updates(due) {
      for (let at = 0; at < due; at++) world.clock.advance(PERIOD_MS);
      return read();
    },
  };
}

const strike = (fault: FaultRule["fault"], rest: Partial<FaultRule> = { channel: "books", times: 1 }) =>
  world.faults.add({ fault, ...rest });

/** How many updates come in the time of six when nothing is wrong. */
const DUE = 6;
const dueIn = async (): Promise<number> => {
  const { updates } = await follow();
  return updates(DUE);
};

describe("a push", () => {
  it("that is left out leaves a gap", async () => {
    const { book, updates } = await follow();
    const healthy = await dueIn();
    await updates(0);
    strike({ kind: "skip" });
    expect(await updates(DUE)).toBe(healthy - 1);
    expect(book.flaws[0]).toBe("gap");
  });

  it("that is repeated comes twice in a row", async () => {
    const { book, updates } = await follow();
    strike({ kind: "repeat" });
    await updates(1);
    expect(book.flaws).toEqual(["gap"]);
  });

  it("that is out of order comes after the one behind it", async () => {
    const client = await open();
    await client.subscribe(BTC).settled();
    strike({ kind: "reorder" });
    for (let at = 0; at < 3; at++) world.clock.advance(PERIOD_MS);
    const seqs = (await client.settled()).map((text) => BigInt(/"seq":(\d+)/.exec(text)?.[1] ?? 0));
    const [first = 0n, second = 0n, ...others] = seqs;
    expect(first > second).toBe(true);
    expect(others.every((seq, at) => seq > (others[at - 1] ?? first))).toBe(true);
  });

  it("with a wrong checksum is otherwise right", async () => {
    const { book, updates } = await follow();
    strike({ kind: "wrong-checksum" });
    await updates(DUE);
    expect(book.flaws).toEqual(["checksum"]);
  });

  it("that is delayed comes so much later by the clock", async () => {
    const client = await open();
    await client.subscribe(BTC).settled();
    world.clock.advance(PERIOD_MS - (world.clock.now() % PERIOD_MS));
    await client.settled();
    strike({ kind: "delay", delayMs: 90 });
    // The market moves after 200 ms, and the book is pushed every 150: the push is due after 300.
    world.clock.advance(389);
    expect(await client.settled()).toEqual([]);
    world.clock.advance(1);
    expect(await client.settled()).toHaveLength(1);
  });

  it("strikes on the channel that the rule names and on no other", async () => {
    const client = await open();
    await client.subscribe(BTC, { ...BTC, topic: "ticker" }).settled();
    strike({ kind: "skip" }, { channel: "books" });
    for (let at = 0; at < 3; at++) world.clock.advance(PERIOD_MS);
    const texts = await client.settled();
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.every((text) => text.includes('"ticker"'))).toBe(true);
  });
});

describe("a socket", () => {
  it("that is silent takes everything and answers nothing, though it stays open", async () => {
    strike({ kind: "silent" }, { socket: "/v3/ws/public", times: 1 });
    const silent = await open();
    silent.subscribe(BTC).say("ping");
    const healthy = await open();
    expect(await healthy.say("ping").text()).toBe("pong");
    world.clock.advance(PERIOD_MS);
    await expect.poll(() => world.sockets.gauges.subscriptions, { interval: 1 }).toBe(1);
    expect(await healthy.settled()).toEqual([]);
    expect(silent.socket.readyState).toBe(silent.socket.OPEN);
    expect(silent.unread).toBe(0);
  });

  it("falls silent with a channel's next push", async () => {
    const client = await open();
    await client.subscribe(BTC).settled();
    strike({ kind: "silent" });
    world.clock.advance(10 * PERIOD_MS);
    client.say("ping");
    const other = await open();
    await other.settled();
    expect(client.unread).toBe(0);
  });

  it("is dropped as it is opened, on the path that the rule names", async () => {
    strike({ kind: "drop" }, { socket: "/v3/ws/public", times: 1 });
    const dropped = await world.open("/v3/ws/public");
    expect(await dropped.closed).toBe(1006);
    expect(await (await open()).say("ping").text()).toBe("pong");
    strike({ kind: "drop" }, { socket: "/v2/ws/private" });
    expect(await (await open()).say("ping").text()).toBe("pong");
  });

  it("is dropped with a channel's next push", async () => {
    const client = await open();
    await client.subscribe(BTC).settled();
    strike({ kind: "drop" });
    world.clock.advance(2 * PERIOD_MS);
    expect(await client.closed).toBe(1006);
  });

  it("is dropped on demand, on one path or on all", async () => {
    const [one, other] = [await open(), await world.open("/v2/ws/public")];
    expect(world.sockets.drop("/v3/ws/public")).toBe(1);
    expect(await one.closed).toBe(1006);
    expect(await other.say("ping").text()).toBe("pong");
    await expect.poll(() => world.sockets.drop(), { interval: 1 }).toBe(1);
    expect(await other.closed).toBe(1006);
  });

  it("is closed when its client does not read", async () => {
    const lenient = await openSocketWorld({ enforceLimits: false });
    const client = await lenient.open("/v3/ws/public");
    client.socket.pause();
    const kline = { instType: "usdt-futures", topic: "kline", symbol: "BTCUSDT", interval: "1m" };
    for (let round = 0; lenient.sockets.gauges.overrun === 0 && round < 2_000; round++) {
      client.subscribe(kline).unsubscribe(kline);
      await new Promise(setImmediate);
    }
    expect(lenient.sockets.gauges.overrun).toBe(1);
    await expect.poll(() => lenient.sockets.gauges.connections, { interval: 1 }).toBe(0);
    await lenient.close();
  });
});

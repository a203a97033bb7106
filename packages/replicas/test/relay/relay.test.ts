import { BOOK_CHANNELS } from "@exchange-graph/contract/channels/book";
import type { Push } from "@exchange-graph/contract/channels/channel";
import { liquidationChannel } from "@exchange-graph/contract/channels/liquidation";
import { orderChannel } from "@exchange-graph/contract/channels/order";
import { positionChannel } from "@exchange-graph/contract/channels/position";
import { publicTradeChannel } from "@exchange-graph/contract/channels/publicTrade";
import { tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { ManualClock } from "@exchange-graph/contract/clock";
import { beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../../../../src/datasources/errors/fault.js";
import { BookFeed } from "../../../../src/datasources/streams/feeds/bookFeed.js";
import type { Topic } from "../../../../src/datasources/streams/upstream/upstreamConnections.js";
import { START } from "../../../../test/datasources/streams/support/followed.js";
import { HandFedExchange, HeardTopic } from "../../../../test/datasources/streams/support/handFedTopics.js";
import { quietTurn } from "../../../../test/support/eventually.js";
import { accountNamed } from "../../../../test/support/exchangeOver.js";
import { RelayEngine } from "../../../../test/support/relayStores.js";
import { ownInstrumentation } from "../../../../test/support/searchedTelemetry.js";
import { relayOf } from "./support.js";

const [fullBook] = BOOK_CHANNELS;
if (fullBook === undefined) throw new Error("there is no book");
const MARKET = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
const streamedAccount = accountNamed("main");
const TICKER: Topic = {
  socket: tickerChannel,
  argument: tickerChannel.argument(MARKET),
  account: undefined,
};
const BOOK: Topic = { socket: fullBook, argument: fullBook.argument(MARKET), account: undefined };
const TRADES: Topic = {
  socket: publicTradeChannel,
  argument: publicTradeChannel.argument(MARKET),
  account: undefined,
};
const LIQUIDATIONS: Topic = {
  socket: liquidationChannel,
  argument: liquidationChannel.argument(MARKET),
  account: undefined,
};
const ORDERS: Topic = { socket: orderChannel, argument: orderChannel.argument({}), account: streamedAccount };

let clock: ManualClock;
let engine: RelayEngine;
let changes: string[];
/** The account's key at replicas that start now. */
let key: string;
beforeEach(() => {
  key = "first";
  changes = [];
  clock = new ManualClock(START);
  engine = new RelayEngine(clock);
});

const GROUP = "v3 usdt-futures BTCUSDT";

function replica(name: string, report?: (error: unknown) => void, random = () => 0.5) {
  const exchange = new HandFedExchange();
  const own = key;
  const store = engine.store(name);
  const relay = relayOf({
    fingerprintOf: () => own,
    connections: exchange,
    store,
    clock,
    random,
    accountNamed: (wanted) => (wanted === streamedAccount.name ? streamedAccount : undefined),
    ...(report && { report }),
    changedElsewhere: (account, words) => changes.push(`${name}: ${account} ${words.join(" ")}`),
  });
  const listen = (topic: Topic) => {
    const heard = new HeardTopic();
    return Object.assign(heard, { handle: relay.follow(topic, heard) });
  };
  return { exchange, relay, listen, store };
}

/** Moves the clock, in steps between which everything under way is dealt with. */
async function pass(ms: number): Promise<void> {
  await quietTurn();
  for (let left = ms; left > 0; left -= 250) {
    clock.advance(Math.min(left, 250));
    await quietTurn();
  }
}

/** Two replicas that listen to the same; the first of them leads. */
async function two(topic: Topic, report?: (error: unknown) => void) {
  const [a, b] = [replica("a"), replica("b", report)];
  const first = a.listen(topic);
  await pass(0);
  a.exchange.current?.sink.up();
  const second = b.listen(topic);
  await pass(0);
  return { a, b, first, second };
}

describe("a topic that two replicas listen to", () => {
  it("is subscribed at the exchange by one of them, and received by both", async () => {
    const { a, b, first, second } = await two(TICKER);
    a.exchange.push("1");
    a.exchange.push("2");
    await pass(0);
    expect(b.exchange.open).toEqual([]);
    expect(first.lines).toEqual(["up", "1", "2"]);
    expect(second.lines).toEqual(["up", "1", "2"]);
  });

  it("costs the store nothing but the lease while one alone listens", async () => {
    const a = replica("a");
    a.listen(TICKER);
    await pass(0);
    a.exchange.current?.sink.up();
    a.exchange.push("1");
    await pass(5_000);
    expect(engine.published).toBe(0);
  });

  it("begins with a new state for who comes later", async () => {
    const { a } = await two(TICKER);
    expect(a.exchange.current?.renewals).toBe(1);
    a.exchange.push("1");
    const late = replica("c").listen(TICKER);
    await pass(0);
    a.exchange.push("2");
    await pass(0);
    expect(late.lines).toEqual(["up", "1", "2"]);
  });

  it("is not subscribed again if it has no state: events in between would be missed", async () => {
    const { a, second } = await two(LIQUIDATIONS);
    a.exchange.push("1");
    await pass(0);
    expect(second.lines).toEqual(["up", "1"]);
    expect(a.exchange.current?.renewals).toBe(0);
  });

  it("is begun from a state when the log has become long", async () => {
    const { a } = await two(TICKER);
    for (let count = 1; count <= 1_000; count++) a.exchange.push(String(count));
    await pass(0);
    const late = replica("c").listen(TICKER);
    await pass(0);
    expect(late.lines).toEqual(["up", "1000"]);
  });

  it("begins with one snapshot of now for who joins, and continues from there: the past is not new", async () => {
    const { a } = await two(TRADES);
    const pushed = (action: "snapshot" | "update", ...trades: readonly string[]) =>
      a.exchange.current?.sink.push({ action, argument: TRADES.argument, data: trades, time: START }, a);
    pushed("snapshot", "2", "1");
    for (let trade = 3; trade <= 160; trade++) pushed("update", String(trade));
    await pass(20_000);
    for (let trade = 161; trade <= 200; trade++) pushed("update", String(trade));
    await pass(0);
    const pushes: Push[] = [];
    const { relay } = replica("c");
    relay.follow(TRADES, Object.assign(new HeardTopic(), { push: (push: Push) => pushes.push(push) }));
    await pass(0);
    expect(pushes).toHaveLength(1);
    expect(pushes[0]).toMatchObject({
      action: "snapshot",
      data: Array.from({ length: 100 }, (_, at) => String(200 - at)),
    });
    pushed("update", "201");
    await pass(0);
    expect(pushes.slice(1)).toMatchObject([{ action: "update", data: ["201"] }]);
  });

  it("does not begin with an update for who joins before the new state is there", async () => {
    const { a, second } = await two(TRADES);
    const pushed = (action: "snapshot" | "update", ...trades: readonly string[]) =>
      a.exchange.current?.sink.push({ action, argument: TRADES.argument, data: trades, time: START }, a);
    pushed("update", "1");
    const third = replica("c").listen(TRADES);
    await pass(0);
    pushed("snapshot", "2");
    pushed("update", "3");
    await pass(0);
    expect([second.lines, third.lines]).toEqual([
      ["up", "2", "3"],
      ["up", "2", "3"],
    ]);
  });

  it("brings who joins no event of a topic without a state from before", async () => {
    const { a } = await two(LIQUIDATIONS);
    for (const value of ["1", "2", "3"]) a.exchange.push(value);
    await pass(0);
    const late = replica("c").listen(LIQUIDATIONS);
    await pass(0);
    a.exchange.push("4");
    await pass(0);
    expect(late.lines).toEqual(["up", "4"]);
  });

  it("is in the log for who joins before the leader's own listeners have it", async () => {
    const a = replica("a");
    const lengths: number[] = [];
    a.relay.follow(TICKER, Object.assign(new HeardTopic(), { push: () => lengths.push(engine.published) }));
    await pass(0);
    a.exchange.current?.sink.up();
    replica("b").listen(TICKER);
    await pass(0);
    const before = engine.published;
    a.exchange.push("1");
    expect(lengths).toEqual([before + 1]);
  });

  it("is down for both while the exchange's connection is", async () => {
    const { a, second } = await two(TICKER);
    a.exchange.current?.sink.down();
    a.exchange.current?.sink.up();
    await pass(0);
    expect(second.lines).toEqual(["up", "down", "up"]);
  });

  it("fails for both if the exchange refuses it, and is tried again for the next listener", async () => {
    const { a, b, first, second } = await two(TICKER);
    a.exchange.current?.sink.failed(new Fault("EXCHANGE_REJECTED", "no such symbol"));
    await pass(0);
    expect([first.lines.at(-1), second.lines.at(-1)]).toEqual(["EXCHANGE_REJECTED", "EXCHANGE_REJECTED"]);
    const again = b.listen(TICKER);
    await pass(6_000);
    (b.exchange.current ?? a.exchange.current)?.sink.up();
    await pass(2_000);
    expect(again.lines).toEqual(["up"]);
  });

  it("is unsubscribed at the exchange when no replica wants it any more", async () => {
    const { a, first, second } = await two(TICKER);
    first.handle.close();
    await pass(2_000);
    expect(a.exchange.current).toBeDefined();
    second.handle.close();
    await pass(8_000);
    expect(a.exchange.current).toBeUndefined();
    expect(engine.leaderOf(GROUP)).toBeUndefined();
  });

  it("is subscribed for another replica that needs another topic of the same symbol", async () => {
    const { a, b } = await two(TICKER);
    b.listen(BOOK);
    await pass(0);
    expect(a.exchange.open.map(({ topic }) => topic.argument)).toEqual([TICKER.argument, BOOK.argument]);
    expect(b.exchange.open).toEqual([]);
  });

  it("keeps an account's topics together", async () => {
    const { a, b, first, second } = await two(ORDERS);
    a.exchange.push("an order");
    await pass(0);
    expect(b.exchange.open).toEqual([]);
    expect([first.lines, second.lines]).toEqual([
      ["up", "an order"],
      ["up", "an order"],
    ]);
    expect(a.exchange.current?.renewals).toBe(0);
  });
});

describe("an account whose key is replaced", () => {
  it("is followed by those who still have the former key when the replica that led it has another one", async () => {
    const { a, b, first, second } = await two(ORDERS);
    first.handle.close();
    a.relay.leave(streamedAccount);
    expect(a.exchange.current).toBeUndefined();
    await pass(250);
    expect(b.exchange.open.map(({ topic }) => topic.argument)).toEqual([ORDERS.argument]);
    expect(second.lines).toEqual(["up", "down"]);
    b.exchange.current?.sink.up();
    b.exchange.push("an order");
    expect(second.lines).toEqual(["up", "down", "up", "an order"]);
  });

  it("is not followed with the new key for those who have the former one", async () => {
    const { a, b, first } = await two(ORDERS);
    first.handle.close();
    a.relay.leave(streamedAccount);
    b.listen({ ...ORDERS, argument: positionChannel.argument({}), socket: positionChannel });
    await pass(5_000);
    expect(a.exchange.current).toBeUndefined();
    expect(b.exchange.open).toHaveLength(2);
  });

  it("leaves markets, and accounts whose names are alike, as they are", async () => {
    const other: Topic = { ...ORDERS, account: accountNamed("main 2") };
    const { a } = await two(TICKER);
    a.listen(other);
    await pass(0);
    a.relay.leave(streamedAccount);
    await pass(2_000);
    expect(a.exchange.open.map(({ isOpen }) => isOpen)).toEqual([true, true]);
  });
});

describe("a write", () => {
  it("is known to the other replicas before the exchange pushes it", async () => {
    const { a } = await two(ORDERS);
    a.relay.changed("main", ["orders", "positions"]);
    a.relay.changed("nobody", ["orders"]);
    await pass(0);
    expect(changes).toEqual(["b: main orders positions", "b: nobody orders"]);
  });

  it("is announced to those who follow the account by a replica that does not", async () => {
    await two(ORDERS);
    replica("c").relay.changed("main", ["orders"]);
    await pass(0);
    expect(changes.sort()).toEqual(["a: main orders", "b: main orders"]);
  });

  it("is announced to a replica that still has the account's former key", async () => {
    const { b } = await two(ORDERS);
    key = "next";
    const c = replica("c");
    c.listen(ORDERS);
    await pass(0);
    c.relay.changed("main", ["orders"]);
    await pass(0);
    expect(changes.sort()).toEqual(["a: main orders", "b: main orders"]);
    expect(b.exchange.open).toEqual([]);
  });
});

describe("entries that are lost on their way", () => {
  it("are read from the log when the next one comes", async () => {
    const { a, second } = await two(TICKER);
    engine.loses = ({ text }) => text.includes('"2"');
    for (const value of ["1", "2", "3"]) a.exchange.push(value);
    await pass(0);
    expect(second.lines).toEqual(["up", "1", "2", "3"]);
  });

  it("are found missing within two looks when none comes", async () => {
    const { a, second } = await two(TICKER);
    engine.loses = ({ text }) => text.includes('"2"');
    for (const value of ["1", "2"]) a.exchange.push(value);
    await pass(2_500);
    expect(second.lines).toEqual(["up", "1", "2"]);
  });

  it("without a known listener are a gap, which is reported", async () => {
    const { a, second } = await two(TICKER);
    a.exchange.push("1");
    engine.losesLook = (replica) => replica === "b";
    await pass(7_000);
    a.exchange.push("missed");
    engine.losesLook = () => false;
    await pass(2_000);
    a.exchange.push("2");
    await pass(0);
    expect(second.lines).toEqual(["up", "1", "down", "up", "2"]);
  });

  it("that the log has no longer are a gap, which is said", async () => {
    engine = new RelayEngine(clock, 3);
    const { a, second } = await two(TICKER);
    engine.loses = () => true;
    for (let count = 1; count <= 10; count++) a.exchange.push(String(count));
    engine.loses = () => false;
    a.exchange.push("11");
    await pass(3_000);
    expect(second.lines.slice(0, 2)).toEqual(["up", "down"]);
  });
});

describe("a leader of another version", () => {
  it("that writes entries in another format is not misread: the stream is reported as interrupted, and continues with entries that can be decoded", async () => {
    const reports: unknown[] = [];
    const { a, b, second } = await two(TICKER, (error) => reports.push(error));
    a.exchange.push("1");
    await pass(0);
    expect(second.lines).toEqual(["up", "1"]);
    const other = engine.store("a");
    const { fence } = await other.lead(GROUP, { fence: undefined, mayLead: true, leaseMs: 4_000, topics: [], wantMs: 1 });
    const key = JSON.stringify({
      apiVersion: "v3",
      access: "public",
      argument: Object.fromEntries(Object.entries(TICKER.argument).sort()),
    });
    const push = { action: "snapshot", argument: TICKER.argument, data: ["misread"], time: START };
    for (const [at, text] of [JSON.stringify({ v: 2, kind: "push", push }), "\u0001binary"].entries())
      expect(await other.publish(GROUP, key, { fence, seq: at + 1, text })).toBe(true);
    await pass(0);
    expect(second.lines).toEqual(["up", "1", "down"]);
    expect(reports).toHaveLength(2);
    expect(b.exchange.open).toEqual([]);
    const ours = { v: 1, kind: "push", push: { ...push, data: ["2"] } };
    expect(await other.publish(GROUP, key, { fence, seq: 3, text: JSON.stringify(ours) })).toBe(true);
    await pass(0);
    expect(second.lines).toEqual(["up", "1", "down", "up", "2"]);
  });
});

describe("the replica that leads", () => {
  it("is replaced soon after it was killed, and the gap is reported to all listeners", async () => {
    const { a, b, second } = await two(TICKER);
    a.exchange.push("1");
    await pass(0);
    // Killed: it says nothing any more.
    engine.steal(GROUP, "a-is-dead", 4_000);
    await pass(5_000);
    expect(second.lines).toEqual(["up", "1", "down"]);
    b.exchange.current?.sink.up();
    b.exchange.push("2");
    expect(second.lines).toEqual(["up", "1", "down", "up", "2"]);
  });

  it("is followed by another one in the moment in which its lease ends", async () => {
    const { b } = await two(TICKER);
    engine.steal(GROUP, "a-is-dead", 3_300);
    await pass(3_250);
    expect(b.exchange.open).toEqual([]);
    await pass(250);
    expect(engine.leaderOf(GROUP)).toBe("b");
  });

  it("hands over at once when it stops", async () => {
    const { a, b, second } = await two(TICKER);
    await a.relay.close();
    await pass(0);
    expect(a.exchange.current).toBeUndefined();
    b.exchange.current?.sink.up();
    expect(second.lines).toEqual(["up", "down", "up"]);
  });

  it("that is about to stop goes on until another one is ready, and no listener misses anything", async () => {
    const { a, b, first, second } = await two(TICKER);
    a.exchange.push("1");
    const leaving = a.relay.handOver();
    await pass(1_500);
    a.exchange.push("2");
    b.exchange.current?.sink.up();
    await pass(1_000);
    // Its state is still missing.
    expect(engine.leaderOf(GROUP)).toBe("a");
    for (const { exchange } of [a, b]) exchange.push("3");
    await pass(0);
    expect(engine.leaderOf(GROUP)).toBe("b");
    await leaving;
    for (const { exchange } of [a, b]) exchange.push("4");
    await pass(8_000);
    expect(first.lines).toEqual(["up", "1", "2", "3", "4"]);
    // While both bring it, it comes twice.
    expect(second.lines).toEqual(["up", "1", "2", "3", "3", "4"]);
    expect([engine.leaderOf(GROUP), b.exchange.current?.renewals]).toEqual(["b", 0]);
  });

  it("that is about to stop is replaced by exactly one: the others report the change, and do not connect to the exchange", async () => {
    const { a, b, second } = await two(TICKER);
    const c = replica("c");
    const third = c.listen(TICKER);
    await pass(0);
    a.exchange.push("1");
    const leaving = a.relay.handOver();
    await pass(0);
    for (const { exchange } of [b, c]) exchange.current?.sink.up();
    b.exchange.push("2");
    await pass(0);
    await leaving;
    expect(engine.leaderOf(GROUP)).toBe("b");
    expect(c.exchange.current).toBeUndefined();
    b.exchange.push("3");
    await pass(3_000);
    expect(second.lines).toEqual(["up", "1", "2", "3"]);
    expect(third.lines).toEqual(["up", "1", "down", "up", "2", "3"]);
  });

  it("that is about to stop releases the lease after a while if no replica gets ready", async () => {
    const { a, b, second } = await two(TICKER);
    const leaving = a.relay.handOver();
    await pass(2_500);
    expect(engine.leaderOf(GROUP)).toBe("a");
    await pass(500);
    await leaving;
    expect(engine.leaderOf(GROUP)).toBe("b");
    b.exchange.current?.sink.up();
    b.exchange.push("1");
    expect(second.lines).toEqual(["up", "down", "up", "1"]);
  });

  it("that is about to stop is not waited for without another listener", async () => {
    const a = replica("a");
    const heard = a.listen(TICKER);
    await pass(0);
    a.exchange.current?.sink.up();
    await a.relay.handOver();
    expect(engine.leaderOf(GROUP)).toBeUndefined();
    a.exchange.push("1");
    expect(heard.lines).toEqual(["up", "1"]);
  });

  it("sends the snapshot once to a replica that joins after it has lost its lease and got another one", async () => {
    const { a } = await two(TICKER);
    a.exchange.push("1");
    await pass(0);
    engine.steal(GROUP, "a", 4_000);
    a.exchange.push("2");
    await pass(0);
    const late = replica("c").listen(TICKER);
    await pass(0);
    a.exchange.push("3");
    await pass(0);
    expect(late.lines).toEqual(["up", "2", "3"]);
  });

  it("has published nothing of a topic that is new to it: what a former one has published is not current", async () => {
    const { a, second } = await two(TICKER);
    a.exchange.push("1");
    await pass(0);
    second.handle.close();
    await a.relay.close();
    await pass(20_000);
    const c = replica("c");
    c.listen(BOOK);
    await pass(0);
    const late = replica("d").listen(TICKER);
    await pass(1_000);
    expect(late.lines).toEqual([]);
    for (const { sink } of c.exchange.open) sink.up();
    c.exchange.push("2");
    await pass(0);
    expect(late.lines).toEqual(["up", "2"]);
  });

  it("says that a topic ends which nobody wants any more: what it has published is not current for who comes later", async () => {
    const a = replica("a");
    const own = a.listen(BOOK);
    await pass(0);
    for (const { sink } of a.exchange.open) sink.up();
    const wanting = replica("b").listen(TICKER);
    await pass(0);
    a.exchange.current?.sink.up();
    a.exchange.push("1");
    await pass(0);
    expect(wanting.lines).toEqual(["up", "1"]);
    wanting.handle.close();
    await pass(20_000);
    expect(a.exchange.current?.topic).toBe(BOOK);
    const late = replica("c").listen(TICKER);
    await pass(1_000);
    expect(late.lines).toEqual([]);
    a.exchange.current?.sink.up();
    a.exchange.push("2");
    await pass(2_000);
    expect(late.lines).toEqual(["up", "2"]);
    expect(own.lines).toEqual(["up"]);
  });

  it("continues the log of a topic that is wanted again, and interrupts no other topic for it", async () => {
    const { a, b, second } = await two(BOOK);
    const wanting = b.listen(TICKER);
    await pass(0);
    wanting.handle.close();
    await pass(20_000);
    second.lines.length = 0;
    const again = b.listen(TICKER);
    await pass(0);
    a.exchange.current?.sink.up();
    a.exchange.push("1");
    await pass(2_000);
    expect(again.lines).toEqual(["up", "1"]);
    expect(second.lines).toEqual([]);
  });

  it("that was paused finds out when it wakes, and follows the other", async () => {
    const { a, first } = await two(TICKER);
    const c = replica("c");
    engine.steal(GROUP, "c", 4_000);
    const third = c.listen(TICKER);
    await pass(0);
    a.exchange.push("from a leader that was");
    await pass(1_500);
    expect(a.exchange.current).toBeDefined();
    c.exchange.current?.sink.up();
    c.exchange.push("1");
    await pass(1_500);
    expect(a.exchange.current).toBeUndefined();
    expect(third.lines).toEqual(["up", "1"]);
    expect(first.lines.slice(0, 2)).toEqual(["up", "from a leader that was"]);
    expect(first.lines.slice(2)).toEqual(["down", "up", "1"]);
  });
});

describe("pushes that are overdue", () => {
  it("are reported at every replica, also at one that joins meanwhile, until all have arrived", async () => {
    const { a, first, second } = await two(TICKER);
    a.exchange.push("1");
    a.exchange.current?.sink.stalled(true);
    await pass(0);
    const third = replica("c").listen(TICKER);
    await pass(0);
    a.exchange.push("2");
    a.exchange.current?.sink.stalled(false);
    await pass(0);
    const lines = ["up", "1", "stalled", "2", "caught up"];
    expect([first.lines, second.lines, third.lines]).toEqual([lines, lines, lines]);
  });

  it("are reported to a listener that joins at the leader", async () => {
    const { a, b, first, second } = await two(TICKER);
    first.handle.close();
    await pass(0);
    a.exchange.current?.sink.stalled(true);
    const again = a.listen(TICKER);
    await pass(0);
    clock.advance(1);
    expect(again.lines).toEqual(["up", "stalled"]);
    expect(second.lines).toEqual(["up", "stalled"]);
    expect(b.exchange.open).toEqual([]);
  });

  it("of a leader that was stopped are reported 2.5 seconds after it renewed its lease", async () => {
    const { second } = await two(TICKER);
    // Its lease is renewed once more, and then not.
    engine.steal(GROUP, "a-is-stopped", 4_000);
    let silentMs = 0;
    await pass(0);
    for (; silentMs < 4_000 && second.lines.at(-1) !== "down"; silentMs += 50) {
      clock.advance(50);
      await quietTurn();
    }
    expect(second.lines).toEqual(["up", "down"]);
    expect(silentMs).toBeLessThanOrEqual(2_600);
  });
});

describe("a leader that gets nothing from the exchange", () => {
  it("lets another replica lead, whose line may be whole", async () => {
    const { a, b, first, second } = await two(TICKER);
    a.exchange.current?.sink.down();
    await pass(4_000);
    expect(engine.leaderOf(GROUP)).toBe("a");
    await pass(2_500);
    expect(engine.leaderOf(GROUP)).toBe("b");
    b.exchange.current?.sink.up();
    b.exchange.push("1");
    await pass(0);
    expect(a.exchange.current).toBeUndefined();
    for (const { lines } of [first, second]) expect(lines).toEqual(["up", "down", "up", "1"]);
    await pass(20_000);
    expect(engine.leaderOf(GROUP)).toBe("b");
  });

  it("takes turns with the others until one of them gets pushes", async () => {
    const { a, b, first, second } = await two(TICKER);
    a.exchange.current?.sink.down();
    const turns = new Set<string | undefined>();
    for (let look = 0; look < 30; look++) {
      await pass(1_000);
      turns.add(engine.leaderOf(GROUP));
    }
    expect([...turns]).toEqual(expect.arrayContaining(["a", "b"]));
    b.exchange.current?.sink.up();
    await pass(8_000);
    b.exchange.push("1");
    await pass(0);
    expect(engine.leaderOf(GROUP)).toBe("b");
    expect(a.exchange.current).toBeUndefined();
    expect([first.lines.at(-1), second.lines.at(-1)]).toEqual(["1", "1"]);
  });

  it("continues without another listener", async () => {
    const a = replica("a");
    a.listen(TICKER);
    await pass(20_000);
    expect([engine.leaderOf(GROUP), a.exchange.open.length]).toEqual(["a", 1]);
  });
});

describe("without the store", () => {
  it("a follower is notified at once, and subscribes to the exchange itself after a while", async () => {
    const { a, b, first, second } = await two(TICKER);
    engine.setUp(false);
    await pass(0);
    expect(second.lines).toEqual(["up", "down"]);
    await pass(10_000);
    b.exchange.current?.sink.up();
    b.exchange.push("b");
    a.exchange.push("a");
    expect(first.lines).toEqual(["up", "a"]);
    expect(second.lines).toEqual(["up", "down", "up", "b"]);
  });

  it.each([false, true])("that comes back, one leads again (emptied: %s)", async (isEmpty) => {
    const { a, b, first, second } = await two(TICKER);
    engine.setUp(false);
    await pass(10_000);
    b.exchange.current?.sink.up();
    engine.setUp(true, isEmpty);
    await pass(3_000);
    for (const { exchange } of [a, b]) if (exchange.current !== undefined) exchange.push("again");
    await pass(0);
    expect([a, b].filter(({ exchange }) => exchange.current !== undefined)).toHaveLength(1);
    expect([first.lines.at(-1), second.lines.at(-1)]).toEqual(["again", "again"]);
  });

  it("a follower keeps what it has subscribed itself until the leader's log is as new", async () => {
    const [a, b] = [replica("a"), replica("b", undefined, () => 0)];
    a.listen(TICKER);
    await pass(0);
    a.exchange.current?.sink.up();
    const second = b.listen(TICKER);
    await pass(0);
    a.exchange.push("1", START + 1_000);
    await pass(0);
    b.store.changed(false);
    await pass(4_000);
    b.exchange.current?.sink.up();
    b.exchange.push("own", START + 9_000);
    b.store.changed(true);
    await pass(1_500);
    a.exchange.push("2", START + 2_000);
    await pass(1_500);
    expect(second.lines).toEqual(["up", "1", "down", "up", "own"]);
    a.exchange.push("3", START + 9_000);
    await pass(1_500);
    expect(second.lines.slice(-3)).toEqual(["down", "up", "3"]);
    expect(b.exchange.current).toBeUndefined();
  });

  it("from the start the exchange is followed all the same", async () => {
    engine.setUp(false);
    const a = replica("a");
    const heard = a.listen(TICKER);
    await pass(10_000);
    a.exchange.current?.sink.up();
    expect(heard.lines).toEqual(["up"]);
  });
});

describe("a book behind another replica", () => {
  const level = (price: number, size: number) => [String(price), String(size)];

  it("is the same as the leader's, through late joins, lost entries and changes of hands", async () => {
    const replicas = [replica("a"), replica("b"), replica("c")];
    const feeds = replicas.map(({ relay }) => {
      const feed = new BookFeed(
        {
          connections: relay,
          clock,
          exchangeNow: () => clock.now(),
          random: () => 0.5,
          instrumentation: ownInstrumentation(),
        },
        fullBook,
        MARKET,
      );
      return feed;
    });
    const sink = {
      emit: () => undefined,
      ready: () => undefined,
      failed: (fault: Fault) => {
        throw fault;
      },
    };
    let seq = 100;
    let bids = new Map<number, number>();
    const state = () => ({
      a: [level(1_000, 1)],
      b: [...bids].sort(([one], [other]) => other - one).map(([price, size]) => level(price, size)),
      seq: String(seq),
      pseq: "0",
      ts: String(START + seq),
    });
    let random = 7;
    const drawn = (below: number) => {
      random = (random * 48_271) % 2_147_483_647;
      return random % below;
    };
    const renewals = new Map<object, number>();
    const step = () => {
      const [price, size] = [900 - drawn(40), drawn(5)];
      if (size === 0) bids.delete(price);
      else bids.set(price, size);
      const pseq = seq++;
      const update = { a: [], b: [level(price, size)], seq: String(seq), pseq: String(pseq), ts: String(START + seq) };
      for (const { exchange } of replicas)
        for (const one of exchange.open.filter(({ isOpen }) => isOpen)) {
          const known = renewals.get(one);
          const isNew = known === undefined || known < one.renewals;
          renewals.set(one, one.renewals);
          if (known === undefined) one.sink.up();
          const data = isNew ? state() : update;
          one.sink.push({ action: isNew ? "snapshot" : "update", argument: BOOK.argument, data: [data], time: START + seq }, one);
        }
    };
    bids = new Map([[850, 1]]);
    engine.loses = () => drawn(50) === 0;
    for (const [at, feed] of feeds.entries()) {
      feed.start(sink);
      for (let count = 0; count < 300; count++) {
        step();
        if (count % 10 === 0) await pass(50);
      }
      const leader = engine.leaderOf(GROUP);
      if (at === 1 && leader !== undefined) engine.steal(GROUP, "nobody", 3_000);
    }
    for (let count = 0; count < 40; count++) {
      step();
      await pass(250);
    }
    engine.loses = () => false;
    for (let count = 0; count < 12; count++) {
      step();
      await pass(250);
    }
    const wanted = state().b.map(([price]) => price);
    for (const feed of feeds) {
      expect(feed.isLive).toBe(true);
      expect(
        feed
          .current()
          ?.value.view("full")
          .bids.map(({ price }) => price),
      ).toEqual(wanted);
    }
    expect(replicas.filter(({ exchange }) => exchange.current !== undefined)).toHaveLength(1);
  });
});

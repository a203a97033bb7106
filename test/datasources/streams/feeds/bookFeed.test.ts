import { BOOK_CHANNELS, type BookChannel, CLASSIC_BOOK_CHANNELS } from "@exchange-graph/contract/channels/book";
import { beforeEach, describe, expect, it } from "vitest";
import type { OrderBook } from "../../../../src/datasources/streams/book/orderBook.js";
import { BookFeed } from "../../../../src/datasources/streams/feeds/bookFeed.js";
import { START } from "../support/followed.js";
import { type HandFed, type HandFedTopic, handFed, Written } from "../support/handFed.js";

const BTC = { category: "SPOT", symbol: "BTCUSDT" } as const;
const channelOf = (channels: readonly BookChannel[], tier: BookChannel["tier"]): BookChannel => {
  const found = channels.find((one) => one.tier === tier);
  if (found === undefined) throw new Error(`no tier ${tier}`);
  return found;
};

/** The emitted book changes later, so what it shows is recorded at once. */
class Shown extends Written<OrderBook> {
  readonly lines: string[] = [];

  override emit(event: Parameters<Written<OrderBook>["emit"]>[0]): void {
    super.emit(event);
    const { bids, asks } = event.value.view("full");
    const best = (side: typeof bids) => side.map(({ price, qty }) => `${price}x${qty}`).join(" ");
    this.lines.push(`${event.stale ? "stale" : "live"} ${best(bids)} | ${best(asks)}`);
  }
}

describe("a feed of a full book", () => {
  let world: HandFed;
  let feed: BookFeed;
  let heard: Shown;
  let topic: HandFedTopic;
  beforeEach(() => {
    world = handFed();
    feed = new BookFeed(world.upstream, channelOf(BOOK_CHANNELS, "full"), BTC);
    heard = new Shown();
    feed.start(heard);
    topic = world.topic();
    topic.sink.up();
  });
  const FIRST = { connection: 1 };
  const NEXT = { connection: 2 };
  const message = (seq: number, pseq: number, b: string[][], a: string[][]) => ({ seq, pseq, b, a, ts: String(START + seq) });
  const snapshot = (seq: number, bid: string, ask: string, source: object = FIRST) =>
    topic.push([message(seq, 0, [[bid, "1"]], [[ask, "1"]])], "snapshot", START + seq, source);
  const update = (seq: number, pseq: number, b: string[][], a: string[][] = [], source: object = FIRST) =>
    topic.push([message(seq, pseq, b, a)], "update", START + seq, source);

  it("shows the book after each message", () => {
    snapshot(10, "99", "101");
    update(11, 10, [["100", "2"]]);
    expect(heard.lines).toEqual(["live 99x1 | 101x1", "live 100x2 99x1 | 101x1"]);
    expect(feed.isLive).toBe(true);
    expect(feed.current()).toMatchObject({ stale: false, time: START + 11 });
  });

  it("shows the last good book as stale from a skipped message until a new first state", () => {
    snapshot(10, "99", "101");
    update(13, 12, [["100", "2"]]);
    update(14, 13, [["100", "3"]]);
    expect(heard.lines).toEqual(["live 99x1 | 101x1", "stale 99x1 | 101x1"]);
    expect(topic.renewals).toEqual([FIRST]);
    snapshot(20, "98", "102");
    expect(heard.lines.at(-1)).toBe("live 98x1 | 102x1");
    expect(feed.isLive).toBe(true);
  });

  it("subscribes again after longer and longer pauses while books keep breaking", () => {
    const asked: number[] = [];
    let seq = 10;
    for (let round = 0; round < 10; round++) {
      const before = topic.renewals.length;
      snapshot(seq, "99", "101");
      update(seq + 5, seq + 4, []);
      const from = world.clock.now();
      while (topic.renewals.length === before) world.clock.advance(250);
      asked.push(world.clock.now() - from);
      seq += 10;
    }
    // Half of each pause is chance, which is 0.5 here.
    expect(asked).toEqual([0, 750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000]);
    snapshot(seq, "99", "101");
    world.clock.advance(60_000);
    update(seq + 5, seq + 4, []);
    expect(topic.renewals).toHaveLength(11);
  });

  it("subscribes again when no first state comes", () => {
    world.clock.advance(10_000);
    expect(topic.renewals).toEqual([undefined]);
    snapshot(10, "99", "101");
    world.clock.advance(600_000);
    expect(topic.renewals).toHaveLength(1);
  });

  it("is stale from a break until the next first state", () => {
    snapshot(10, "99", "101");
    topic.sink.down();
    expect(heard.lines.at(-1)).toBe("stale 99x1 | 101x1");
    topic.sink.up();
    update(11, 10, [["100", "2"]], [], NEXT);
    expect(heard.lines).toHaveLength(2);
    snapshot(9, "97", "103", NEXT);
    expect(heard.lines.at(-1)).toBe("live 97x1 | 103x1");
  });

  it("is stale while its pushes are overdue, and goes on without a new first state", () => {
    snapshot(10, "99", "101");
    topic.sink.stalled(true);
    expect(feed.isLive).toBe(false);
    update(11, 10, [["98", "2"]]);
    topic.sink.stalled(false);
    expect(feed.isLive).toBe(true);
    expect(heard.events.map(({ stale }) => stale)).toEqual([false, true, true, false]);
    expect(topic.renewals).toEqual([]);
  });

  it("takes a push that cannot be read for a missing one", () => {
    snapshot(10, "99", "101");
    topic.push([{ seq: 11, pseq: 10, b: [["x", "1"]], a: [], ts: "1" }], "update", START, FIRST);
    expect(heard.lines.at(-1)).toBe("stale 99x1 | 101x1");
    expect(topic.renewals).toEqual([FIRST]);
    expect(world.unreadable).toHaveLength(1);
  });

  it("passes from one connection to the next without a step back or a double", () => {
    snapshot(10, "99", "101");
    update(12, 10, [["99", "2"]]);
    // The next connection's first state is behind: it is not shown until it has caught up.
    snapshot(11, "99", "101", NEXT);
    update(13, 12, [["99", "3"]]);
    update(12, 11, [["99", "2"]], [], NEXT);
    update(13, 12, [["99", "3"]], [], NEXT);
    update(14, 13, [["99", "4"]], [], NEXT);
    update(14, 13, [["99", "4"]]);
    update(15, 14, [["99", "5"]], [], NEXT);
    expect(heard.lines.map((line) => line.split(" ")[1])).toEqual(["99x1", "99x2", "99x3", "99x3", "99x4", "99x4", "99x5"]);
    expect(heard.lines.every((line) => line.startsWith("live"))).toBe(true);
  });

  it("goes on with the healthy connection when the other one's book breaks", () => {
    snapshot(10, "99", "101");
    snapshot(10, "99", "101", NEXT);
    update(20, 19, [], [], FIRST);
    expect(topic.renewals).toEqual([FIRST]);
    update(11, 10, [["99", "2"]], [], NEXT);
    expect(heard.lines.at(-1)).toBe("live 99x2 | 101x1");
    expect(heard.lines.filter((line) => line.startsWith("stale"))).toEqual([]);
  });

  it("leaves no timer when it is stopped", () => {
    snapshot(10, "99", "101");
    update(13, 12, []);
    feed.stop();
    expect(world.clock.pending).toBe(0);
    expect(topic.isClosed).toBe(true);
  });
});

describe("a feed of a shallow book", () => {
  it("shows each snapshot, and heals by the next one when one is crossed", () => {
    const world = handFed();
    const feed = new BookFeed(world.upstream, channelOf(CLASSIC_BOOK_CHANNELS, 5), BTC);
    const heard = new Shown();
    feed.start(heard);
    const push = (seq: number, bid: string, ask: string) =>
      world.topic().push([{ bids: [[bid, "1"]], asks: [[ask, "1"]], checksum: 0, seq, ts: String(START + seq) }], "snapshot");
    push(1, "99", "101");
    push(2, "102", "101");
    push(3, "100", "102");
    expect(heard.lines).toEqual(["live 99x1 | 101x1", "stale 99x1 | 101x1", "live 100x1 | 102x1"]);
    feed.stop();
    expect(world.clock.pending).toBe(0);
  });
});

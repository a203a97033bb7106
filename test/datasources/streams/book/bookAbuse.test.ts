import {
  BOOK_CHANNELS,
  type BookChannel,
  CLASSIC_BOOK_CHANNELS,
  type StreamedLevel,
} from "@exchange-graph/contract/channels/book";
import { bookChecksum, CHECKED_LEVELS } from "@exchange-graph/contract/channels/checksum";
import { withoutPadding } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { compareDecimals } from "../../../../src/datasources/streams/book/decimalOrder.js";
import type { OrderBook, ShownLevel } from "../../../../src/datasources/streams/book/orderBook.js";
import { BookFeed } from "../../../../src/datasources/streams/feeds/bookFeed.js";
import { seeded } from "../../../support/seeded.js";
import { START } from "../support/followed.js";
import { handFed, Written } from "../support/handFed.js";

type Levels = Map<number, StreamedLevel>;

interface Message {
  readonly seq: bigint;
  readonly pseq: bigint;
  readonly bids: StreamedLevel[];
  readonly asks: StreamedLevel[];
}

/** The exchange's own book: prices in ticks around a middle that wanders, sizes that come and go. */
class TrueBook {
  seq = 1_391_230_000_000_000_000n;
  time = START;
  middle = 50_000;
  readonly bids: Levels = new Map();
  readonly asks: Levels = new Map();
  /** What the book looked like at each number. */
  readonly history = new Map<bigint, Picture>();

  constructor(private readonly random: (below: number) => number) {
    for (let away = 1; away <= 30; away++) {
      this.bids.set(this.middle - away, this.#level(this.middle - away));
      this.asks.set(this.middle + away, this.#level(this.middle + away));
    }
    this.#remember();
  }

  sorted(side: "bids" | "asks"): StreamedLevel[] {
    const direction = side === "bids" ? -1 : 1;
    return [...this[side].entries()].sort(([a], [b]) => direction * (a - b)).map(([, level]) => level);
  }

  snapshot(): Message {
    return { seq: this.seq, pseq: 0n, bids: this.sorted("bids"), asks: this.sorted("asks") };
  }

  /** Moves on by one message. */
  step(): Message {
    const pseq = this.seq;
    this.seq += BigInt(1 + this.random(3));
    this.time += 1 + this.random(200);
    const changed = { bids: new Map<number, StreamedLevel>(), asks: new Map<number, StreamedLevel>() };
    const set = (side: "bids" | "asks", tick: number, level: StreamedLevel | undefined) => {
      changed[side].set(tick, level ?? [this.#price(tick), this.random(2) === 0 ? "0" : "0.000"]);
      if (level === undefined) this[side].delete(tick);
      else this[side].set(tick, level);
    };
    this.middle += this.random(3) - 1;
    for (const tick of [...this.bids.keys()]) if (tick >= this.middle) set("bids", tick, undefined);
    for (const tick of [...this.asks.keys()]) if (tick <= this.middle) set("asks", tick, undefined);
    for (let count = this.random(6); count > 0; count--) {
      const away = 1 + this.random(30);
      const isBid = this.random(2) === 0;
      const tick = isBid ? this.middle - away : this.middle + away;
      set(isBid ? "bids" : "asks", tick, this.random(4) === 0 ? undefined : this.#level(tick));
    }
    this.#remember();
    return { seq: this.seq, pseq, bids: [...changed.bids.values()], asks: [...changed.asks.values()] };
  }

  #price(tick: number): string {
    return `${Math.floor(tick / 10)}.${tick % 10}${"0".repeat(this.random(2))}`;
  }

  #level(tick: number): StreamedLevel {
    return [this.#price(tick), `${this.random(9)}.${1 + this.random(999)}`];
  }

  #remember(): void {
    this.history.set(this.seq, { bids: this.sorted("bids"), asks: this.sorted("asks") });
    if (this.history.size > 2_000) {
      const [oldest] = this.history.keys();
      if (oldest !== undefined) this.history.delete(oldest);
    }
  }
}

interface Picture {
  readonly bids: readonly StreamedLevel[];
  readonly asks: readonly StreamedLevel[];
}

/** Are these the best levels of a side, all that are shown of it, without the zeros at their ends? */
const areBest = (shown: readonly ShownLevel[], side: readonly StreamedLevel[], most: number): boolean =>
  shown.length === Math.min(side.length, most) &&
  shown.every(
    ({ price, qty }, at) => price === withoutPadding(side[at]?.[0] ?? "") && qty === withoutPadding(side[at]?.[1] ?? ""),
  );

interface BookApi {
  readonly channel: BookChannel;
  /** Levels per side that can be proven, and are shown. */
  readonly shown: number;
  wire(message: Message, book: TrueBook): object;
}

const [unifiedChannel] = BOOK_CHANNELS;
const [classicChannel] = CLASSIC_BOOK_CHANNELS;
if (unifiedChannel === undefined || classicChannel === undefined) throw new Error("a channel is missing");

const UNIFIED: BookApi = {
  channel: unifiedChannel,
  shown: Number.POSITIVE_INFINITY,
  wire: ({ seq, pseq, bids, asks }, { time }) => ({ a: asks, b: bids, seq: String(seq), pseq: String(pseq), ts: String(time) }),
};
/** Without the number of the message before, the checksum is all there is. */
const CLASSIC: BookApi = {
  channel: classicChannel,
  shown: CHECKED_LEVELS,
  wire: ({ seq, bids, asks }, book) => ({
    asks,
    bids,
    seq: String(seq),
    checksum: bookChecksum(book.sorted("bids"), book.sorted("asks")),
    ts: String(book.time),
  }),
};

/**
 * Sends `updates` messages of a wandering book over connections that skip, repeat, reorder and break, and checks at
 * every event that what is shown as live is the exchange's book at that number, whole and not crossed.
 */
function abuse(apiVersion: BookApi, seed: number, updates: number): { readonly live: number; readonly stale: number } {
  const random = seeded(seed);
  const book = new TrueBook(random);
  const world = handFed();
  const feed = new BookFeed(world.upstream, apiVersion.channel, { category: "SPOT", symbol: "BTCUSDT" });
  const counts = { live: 0, stale: 0 };
  class Checked extends Written<OrderBook> {
    override emit({ stale, value }: Parameters<Written<OrderBook>["emit"]>[0]): void {
      counts[stale ? "stale" : "live"]++;
      if (stale) return;
      const { bids, asks, seq } = value.view("full");
      const truth = book.history.get(seq ?? 0n) ?? { bids: [], asks: [] };
      // A first state is shown whole.
      const most = bids.length > apiVersion.shown || asks.length > apiVersion.shown ? Number.POSITIVE_INFINITY : apiVersion.shown;
      const [bid] = bids;
      const [ask] = asks;
      const isCrossed = bid !== undefined && ask !== undefined && compareDecimals(bid.price, ask.price) >= 0;
      // Asserting costs more than looking: only what is wrong is asserted.
      if (isCrossed || !areBest(bids, truth.bids, most) || !areBest(asks, truth.asks, most))
        expect({ bids, asks }).toEqual(truth);
    }
  }
  feed.start(new Checked());
  const topic = world.topic();
  let connection = {};
  let isUp = true;
  let renewals = 0;
  let held: object | undefined;
  const send = (message: Message, action: "snapshot" | "update") =>
    topic.push([apiVersion.wire(message, book)], action, book.time, connection);
  topic.sink.up();
  send(book.snapshot(), "snapshot");
  for (let count = 0; count < updates; count++) {
    const message = book.step();
    const wire = apiVersion.wire(message, book);
    const deliver = (what: object) => topic.push([what], "update", book.time, connection);
    const chance = random(100);
    if (isUp) {
      if (chance === 0) {
        topic.sink.down();
        isUp = false;
        held = undefined;
      } else if (chance < 3) {
        // skipped
      } else if (chance < 6) {
        deliver(wire);
        deliver(wire);
      } else if (chance < 8 && held === undefined) held = wire;
      else {
        deliver(wire);
        if (held !== undefined && chance < 50) {
          deliver(held);
          held = undefined;
        }
      }
    } else if (chance < 20) {
      connection = {};
      isUp = true;
      topic.sink.up();
      send(book.snapshot(), "snapshot");
    }
    if (topic.renewals.length > renewals && isUp) {
      renewals = topic.renewals.length;
      held = undefined;
      send(book.snapshot(), "snapshot");
    }
    world.clock.advance(100);
  }
  // Left in peace, it ends with the exchange's book.
  world.clock.advance(120_000);
  topic.sink.down();
  connection = {};
  topic.sink.up();
  send(book.snapshot(), "snapshot");
  send(book.step(), "update");
  const { bids, asks } = feed.current()?.value.view("full") ?? { bids: [], asks: [] };
  expect(areBest(bids, book.sorted("bids"), apiVersion.shown)).toBe(true);
  expect(areBest(asks, book.sorted("asks"), apiVersion.shown)).toBe(true);
  expect(feed.isLive).toBe(true);
  feed.stop();
  return counts;
}

describe("a book under abuse", () => {
  it.each([
    ["v3, verified by its sequence numbers", UNIFIED],
    ["v2, verified by its checksum", CLASSIC],
  ])(
    "of %s never shows a crossed, gapped or wrong state in 20,000 skipped, repeated, reordered updates",
    (_, apiVersion) => {
      const seeds = 20;
      let live = 0;
      let stale = 0;
      for (let seed = 0; seed < seeds; seed++) {
        const counts = abuse(apiVersion, seed, 20_000 / seeds);
        live += counts.live;
        stale += counts.stale;
      }
      expect(live).toBeGreaterThan(5_000);
      expect(stale).toBeGreaterThan(200);
    },
    60_000,
  );
});

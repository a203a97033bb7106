import {
  BOOK_CHANNELS,
  CLASSIC_BOOK_CHANNELS,
  RPI_BOOK_CHANNELS,
  type StreamedLevel,
} from "@exchange-graph/contract/channels/book";
import { CHECKED_LEVELS } from "@exchange-graph/contract/channels/checksum";
import { withoutPadding } from "@exchange-graph/contract/decimal";
import type { Market } from "@exchange-graph/sandbox/world/market/market";
import { withRetail } from "@exchange-graph/sandbox/world/market/retail";
import { randomOf } from "@exchange-graph/sandbox/world/random";
import { afterEach, expect, it } from "vitest";
import { compareDecimals } from "../../../src/datasources/streams/book/decimalOrder.js";
import type { ApiVersion } from "../../../src/datasources/streams/marketTopics.js";
import { settled } from "../../support/eventually.js";
import { type LiveGateway, liveGateway } from "../../support/gateway/liveGateway.js";

/**
 * Order books from the exchange's sockets to graphql-ws listeners, while the sockets break and messages are skipped,
 * repeated and swapped. Every event is compared with the exchange's book at that time.
 */

/** `BOOK_UPDATES=100000` breaks the sockets a hundred times and takes minutes. */
const UPDATES = Number.parseInt(process.env.BOOK_UPDATES ?? "250", 10);
const DISCONNECTS = Math.max(3, Math.floor(UPDATES / 1_000));
const STEP_MS = 100;

let gateway: LiveGateway | undefined;
afterEach(() => gateway?.close());

const QUERY = `subscription ($category: ProductCategoryInput!, $symbol: String!, $depth: BookDepth!, $rpi: Boolean!) {
  orderBook(category: $category, symbol: $symbol, depth: $depth, rpi: $rpi, pace: { mode: ALL }) {
    orderBook {
      time isStale asks { price qty rpiQty } bids { price qty rpiQty }
    }
  }
}`;

type Depth = "L1" | "L5" | "L15" | "L50" | "FULL";
const LEVELS: Readonly<Record<Depth, number>> = { L1: 1, L5: 5, L15: 15, L50: 50, FULL: Number.POSITIVE_INFINITY };

interface Followed {
  readonly market: Market;
  readonly depth: Depth;
  readonly rpi: boolean;
  last: Book | undefined;
}

interface Book {
  readonly time: string;
  readonly isStale: boolean;
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

interface Level {
  readonly price: string;
  readonly qty: string;
  readonly rpiQty: string | null;
}

/** Both sides as text, which is faster to compare than 400 levels. */
const asText = (asks: readonly Level[], bids: readonly Level[]): string =>
  [asks, bids].map((side) => side.map(({ price, qty, rpiQty }) => `${price} ${qty} ${rpiQty ?? ""}`).join()).join("|");
const level = ([price, size, rpiSize]: StreamedLevel): Level => ({
  price: withoutPadding(price),
  qty: withoutPadding(size),
  rpiQty: rpiSize === undefined ? null : withoutPadding(rpiSize),
});

/** Recent states of the exchange's books. */
class Truth {
  readonly #moments = new Map<Market, Map<number, { readonly asks: readonly Level[]; readonly bids: readonly Level[] }[]>>();

  note(market: Market, tick: number): void {
    const plain = market.depth(tick);
    const moments = this.#moments.get(market) ?? new Map();
    this.#moments.set(market, moments);
    const books = [plain, withRetail(plain, market.listing, tick)].map(({ asks, bids }) => ({
      asks: asks.map(level),
      bids: bids.map(level),
    }));
    moments.set(plain.at, books);
    const [oldest] = moments.keys();
    if (moments.size > 100 && oldest !== undefined) moments.delete(oldest);
  }

  at({ market, rpi }: Followed, time: number, count: number): string {
    const book = this.#moments.get(market)?.get(time)?.[rpi ? 1 : 0];
    return book === undefined ? "no such moment" : asText(book.asks.slice(0, count), book.bids.slice(0, count));
  }
}

/** All tiers of several symbols' books, each with a separate subscriber, distributed over ten sockets. */
class Listeners {
  readonly truth = new Truth();
  readonly all: readonly Followed[];
  readonly counts = { live: 0, stale: 0 };
  /** Errors in the received events. */
  readonly wrong: string[] = [];
  readonly #markets: readonly Market[];

  constructor(
    private readonly world: LiveGateway,
    private readonly apiVersion: ApiVersion,
    symbols: number,
    tiers: readonly { readonly depth: Depth; readonly rpi: boolean }[],
  ) {
    const { markets } = world.sandbox.world.state;
    this.#markets = markets.all.filter(({ listing }) => listing.instrument.status === "online").slice(0, symbols);
    this.#note();
    const clients = Array.from({ length: 10 }, () => world.client());
    this.all = this.#markets.flatMap((market, at) =>
      tiers.map(({ depth, rpi }) => {
        const { category, symbol } = market.listing.instrument;
        const client = clients[at % clients.length] ?? world.client();
        const one: Followed = { market, depth, rpi, last: undefined };
        const variables = { category: category.replace("-", "_"), symbol, depth, rpi };
        const ended = (why: unknown) => this.wrong.push(`${symbol} ${depth} has ended: ${JSON.stringify(why)}`);
        client.subscribe<{ readonly orderBook: { readonly orderBook: Book } }>(
          { query: QUERY, variables },
          {
            next: ({ data, errors }) => (data ? this.#look(one, data.orderBook.orderBook) : ended(errors)),
            error: ended,
            complete: () => ended("complete"),
          },
        );
        return one;
      }),
    );
  }

  /** Advances the clock and waits until sent messages have arrived. */
  async step(): Promise<void> {
    this.world.clock.advance(STEP_MS);
    this.#note();
    await settled(6);
    expect(this.wrong).toEqual([]);
  }

  async until(holds: () => boolean): Promise<void> {
    for (let count = 0; !holds(); count++) {
      if (count > 20_000) throw new Error(`it never came to hold: ${holds.toString()}`);
      await this.step();
    }
  }

  get areLive(): boolean {
    return this.all.every(({ last }) => last?.isStale === false);
  }

  /** Whether this equals the exchange's current book. */
  isUpToDate(one: Followed): boolean {
    const { at } = one.market.depth(this.world.sandbox.world.state.markets.tick);
    return one.last !== undefined && this.#isTrue(one, one.last, at);
  }

  #note(): void {
    const { tick } = this.world.sandbox.world.state.markets;
    for (const market of this.#markets) this.truth.note(market, tick);
  }

  #look(one: Followed, book: Book): void {
    const before = one.last;
    one.last = book;
    if (book.isStale) {
      this.counts.stale++;
      return;
    }
    this.counts.live++;
    const [ask] = book.asks;
    const [bid] = book.bids;
    const isCrossed = ask !== undefined && bid !== undefined && compareDecimals(bid.price, ask.price) >= 0;
    const isOlder = before !== undefined && book.time < before.time;
    const time = Date.parse(book.time);
    if (isCrossed || isOlder || !this.#isTrue(one, book, time))
      this.wrong.push(
        `${one.market.listing.instrument.symbol} ${one.depth} at ${book.time}: ${asText(book.asks, book.bids)} for ${this.truth.at(one, time, LEVELS[one.depth])}`,
      );
  }

  /** The v2 checksum covers only the best levels of an updated book. */
  #isTrue(one: Followed, { asks, bids }: Book, time: number): boolean {
    const counts = this.apiVersion === "v2" && one.depth === "FULL" ? [CHECKED_LEVELS, LEVELS.FULL] : [LEVELS[one.depth]];
    return counts.some((count) => this.truth.at(one, time, count) === asText(asks, bids));
  }
}

/** Topics whose next push breaks the connection. */
const CHANNELS = {
  v3: [...BOOK_CHANNELS, ...RPI_BOOK_CHANNELS].map(({ name }) => name),
  v2: CLASSIC_BOOK_CHANNELS.map(({ name }) => name),
};
const TIERS = {
  v3: (["L1", "L5", "L50", "FULL"] as const).flatMap((depth) => [false, true].map((rpi) => ({ depth, rpi }))),
  v2: (["L1", "L5", "L15", "FULL"] as const).map((depth) => ({ depth, rpi: false })),
};

it.each([
  ["v3", 200],
  ["v2", 100],
] as const)(
  `books over %s, %i topics, ${DISCONNECTS} disconnects in ${UPDATES} updates: never crossed, gapped or wrong, and never too fast for the exchange`,
  { timeout: 3_600_000 },
  async (apiVersion, topics) => {
    gateway = await liveGateway(apiVersion, { longestPauseMs: 1_000 });
    const { sandbox, ends, unreadable } = gateway;
    const listeners = new Listeners(gateway, apiVersion, 25, TIERS[apiVersion]);
    expect(listeners.all).toHaveLength(topics);
    await listeners.until(() => listeners.areLive);
    expect(sandbox.sockets.gauges.subscriptions).toBe(topics);

    const random = randomOf("books under abuse");
    const path = `/${apiVersion}/ws/public`;
    for (const kind of ["skip", "repeat", "reorder"] as const) sandbox.faults.add({ fault: { kind }, probability: 0.004 });
    const before = sandbox.sockets.gauges.sent;
    const sent = () => sandbox.sockets.gauges.sent - before;
    for (let cuts = 1; cuts <= DISCONNECTS || ends.length < DISCONNECTS; cuts++) {
      const due = (cuts * UPDATES) / DISCONNECTS;
      await listeners.until(() => sent() >= due);
      if (random.between(1, 5) === 1) sandbox.sockets.drop(path);
      else sandbox.faults.add({ channel: random.pick(CHANNELS[apiVersion]), fault: { kind: "drop" }, times: 1 });
      await listeners.step();
    }
    sandbox.faults.clear();
    sandbox.sockets.drop(path);
    await listeners.step();
    await listeners.until(() => listeners.areLive && listeners.all.every((one) => listeners.isUpToDate(one)));

    expect(sent()).toBeGreaterThanOrEqual(UPDATES);
    expect(ends.filter((end) => end === "lost").length).toBeGreaterThanOrEqual(DISCONNECTS);
    expect(listeners.counts.stale).toBeGreaterThan(DISCONNECTS);
    expect(listeners.counts.live).toBeGreaterThan(UPDATES / 2);
    expect({ violations: sandbox.sockets.gauges.violations, unreadable }).toEqual({ violations: 0, unreadable: [] });
  },
);

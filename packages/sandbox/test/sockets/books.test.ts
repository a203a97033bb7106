import {
  BOOK_CHANNELS,
  type BookChannel,
  CLASSIC_BOOK_CHANNELS,
  RPI_BOOK_CHANNELS,
  type StreamedLevel,
} from "@exchange-graph/contract/channels/book";
import { readFrame } from "@exchange-graph/contract/channels/frame";
import { exact } from "@exchange-graph/contract/decimal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withRetail } from "../../src/world/market/crowd.js";
import type { Market } from "../../src/world/market/market.js";
import { MAIN_UID } from "../../src/world/opening/initialAccounts.js";
import type { SocketClient } from "./support/client.js";
import { RebuiltBook } from "./support/rebuiltBook.js";
import { openSocketWorld, type SocketPath, type SocketWorld } from "./support/socketWorld.js";

let world: SocketWorld;
let market: Market;
beforeEach(async () => {
  world = await openSocketWorld();
  market = world.world.state.markets.of("USDT-FUTURES", "BTCUSDT");
});
afterEach(() => world.close());

const ALL = [...BOOK_CHANNELS, ...RPI_BOOK_CHANNELS, ...CLASSIC_BOOK_CHANNELS];
const FULL = ALL.filter(({ tier }) => tier === "full");
const SHALLOW = ALL.filter(({ tier }) => tier !== "full");

const pathOf = ({ apiVersion }: BookChannel): SocketPath => `/${apiVersion}/ws/public`;

/** A client that keeps a book from the pushes. */
async function follow(channel: BookChannel): Promise<{ readonly book: RebuiltBook; readonly catchUp: () => Promise<number> }> {
  const client: SocketClient = await world.open(pathOf(channel));
  const argument = channel.argument({ category: "USDT-FUTURES", symbol: "BTCUSDT" });
  const book = new RebuiltBook(channel, argument);
  client.subscribe(argument);
  const catchUp = async () => {
    const frames = (await client.settled()).map(readFrame);
    for (const frame of frames) if (frame.kind === "push") book.take(frame.push);
    return frames.length;
  };
  await catchUp();
  return { book, catchUp };
}

/** The sandbox's own book. */
function truth({ isRpi, tier }: BookChannel): { asks: readonly StreamedLevel[]; bids: readonly StreamedLevel[] } {
  const { tick } = world.world.state.markets;
  const depth = market.depth(tick);
  const { asks, bids } = isRpi ? withRetail(depth, market.listing, tick) : depth;
  const levels = tier === "full" ? undefined : tier;
  return { asks: asks.slice(0, levels), bids: bids.slice(0, levels) };
}

/** As text, which compares faster than four hundred levels do. */
const shown = ({ asks, bids }: RebuiltBook): string => JSON.stringify({ asks, bids });

/** Moves on to a moment at which every channel has just been pushed. */
const align = () => world.clock.advance(600 - (world.clock.now() % 600));

/** A user's order that rests a few steps beside the market, so that the book changes within a tick. */
function rest(steps: number): () => void {
  const { listing } = market;
  const price = listing.grid.price(listing.steps(world.world.state.markets.tick) - steps);
  const { order } = world.world.orders.place({
    uid: MAIN_UID,
    category: "USDT-FUTURES",
    symbol: "BTCUSDT",
    side: "buy",
    orderType: "limit",
    price,
    quantity: exact("0.0123"),
  });
  return () => {
    const isOpen = world.world.state.orders.findOpen(MAIN_UID, order) !== undefined;
    if (isOpen) world.world.orders.cancel(MAIN_UID, "USDT-FUTURES", order);
  };
}

/** Updates of each book that are followed. */
const UPDATES = Number.parseInt(process.env.SANDBOX_BOOK_UPDATES ?? "1000", 10);

describe("a book rebuilt from its snapshot and its updates", () => {
  it.each(FULL.map((channel) => [channel.name, channel] as const))(
    "%s begins with a checksum on v2 alone",
    async (_, channel) => {
      const client = await world.open(pathOf(channel));
      client.subscribe(channel.argument({ category: "USDT-FUTURES", symbol: "BTCUSDT" }));
      const [opening] = (await client.settled()).map(readFrame).flatMap((frame) => (frame.kind === "push" ? [frame.push] : []));
      const [{ checksum } = { checksum: null }] = (opening?.data ?? []) as readonly { readonly checksum: number | null }[];
      expect([typeof checksum, checksum === 0]).toEqual(["number", channel.apiVersion === "v3"]);
    },
  );

  it(`equals the sandbox's own after ${UPDATES} updates, checksums included, in both API versions and with RPI`, async () => {
    const followers = await Promise.all(FULL.map(follow));
    let cancel = () => {};
    for (let updates = 0; updates < UPDATES; ) {
      for (let step = 0; step < 40; step++) {
        world.clock.advance(150);
        if (step % 8 !== 0) continue;
        cancel();
        cancel = rest(1 + step);
      }
      align();
      for (const { catchUp } of followers) await catchUp();
      updates = Math.min(...followers.map(({ book }) => book.pushes));
      for (const { book } of followers) expect(shown(book)).toBe(JSON.stringify(truth(book.channel)));
    }
    for (const { book } of followers) expect(book.flaws).toEqual([]);
  }, 300_000);

  it("starts a later subscriber at the same sequence as the others", async () => {
    const [channel] = FULL;
    if (channel === undefined) throw new Error("there is no full book");
    const early = await follow(channel);
    world.clock.advance(10_000);
    rest(3);
    const late = await follow(channel);
    world.clock.advance(10_000);
    align();
    await early.catchUp();
    await late.catchUp();
    expect(late.book.flaws).toEqual([]);
    expect(late.book.asks).toEqual(early.book.asks);
    expect(late.book.bids).toEqual(early.book.bids);
    expect(late.book.pushes).toBeLessThan(early.book.pushes);
  });
});

describe("a shallow book", () => {
  it.each(SHALLOW.map((channel) => [channel.name, channel] as const))(
    "%s shows all of its levels each time",
    async (_, channel) => {
      const { book, catchUp } = await follow(channel);
      for (let second = 0; second < 5; second++) {
        world.clock.advance(1_000);
        rest(second);
        align();
        await catchUp();
        expect({ asks: book.asks, bids: book.bids }).toEqual(truth(channel));
      }
      expect(book.pushes).toBeGreaterThan(5);
    },
  );

  it("stays silent while its levels stay as they are", async () => {
    const { book, catchUp } = await follow(BOOK_CHANNELS[1] ?? fail());
    align();
    await catchUp();
    const before = book.pushes;
    const cancel = rest(5_000);
    world.clock.advance(100);
    cancel();
    world.clock.advance(99);
    expect(await catchUp()).toBe(0);
    expect(book.pushes).toBe(before);
  });
});

function fail(): never {
  throw new Error("no such channel");
}

import { isDeepStrictEqual } from "node:util";
import { endpoints } from "@exchange-graph/contract";
import { exact } from "@exchange-graph/contract/decimal";
import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/accounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readBalances } from "../../../../src/datasources/queries/balances.js";
import { readEveryOpenOrder } from "../../../../src/datasources/queries/openOrders.js";
import { readOpenPlanOrders } from "../../../../src/datasources/queries/planOrders.js";
import { readPositions } from "../../../../src/datasources/queries/positions.js";
import { cancelOrder } from "../../../../src/datasources/writes/mutations/cancelOrder.js";
import { placeOrder } from "../../../../src/datasources/writes/mutations/placeOrder.js";
import { START } from "../support/followed.js";
import { type StreamedSandbox, streamedSandbox } from "../support/streamedSandbox.js";

let world: StreamedSandbox;
beforeEach(async () => {
  world = await streamedSandbox("v3", {}, START, undefined, false, "auto");
});
afterEach(async () => {
  await world.close();
});

type Name = "main" | "classic";

const liveReads = () => new RequestReads(world.exchange, undefined, undefined, world.streams.live);

const FUTURES = ["USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"] as const;

type List = (reads: RequestReads, name: Name) => Promise<readonly Row<object>[]>;

/** What queries are answered from, by list. */
const LISTS: Readonly<Record<"orders" | "positions" | "balances" | "plans", List>> = {
  orders: (reads: RequestReads, name: Name) => readEveryOpenOrder(reads, world.account(name)),
  positions: (reads: RequestReads, name: Name) => readPositions(reads, world.account(name), {}),
  balances: (reads: RequestReads, name: Name) => readBalances(reads, world.account(name)),
  plans: async (reads: RequestReads, name: Name) => {
    const lists = FUTURES.map((category) => readOpenPlanOrders(reads, world.account(name), { category }, {}));
    return (await Promise.all(lists)).flatMap(({ rows }) => rows.map(({ row }) => row));
  },
};

/** Lets a promise come while time passes. */
async function within<T>(waiting: Promise<T>): Promise<T> {
  let isOver = false;
  const watched = waiting.finally(() => {
    isOver = true;
  });
  while (!isOver) await world.pass(20, 20);
  return watched;
}

const sourcesOf = ({ trace }: RequestReads) => [...new Set(trace.reads.map(({ source }) => source))].sort();
/** Asks once a second until answers are given out of the state. */
const warm = async (name: Name) => {
  for (let second = 0; second < 5; second++) {
    for (const read of Object.values(LISTS)) await within(read(liveReads(), name));
    await world.pass(1_000);
  }
};

const LIMIT = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit", qty: "0.001", price: "55000" } as const;

describe("an account that is read often", () => {
  it.each(["main", "classic"] as const)("answers %s's queries out of its state, without a call", async (name) => {
    const first = liveReads();
    await within(LISTS.orders(first, name));
    expect(sourcesOf(first)).not.toContain("STREAM");
    await warm(name);
    for (const list of [LISTS.orders, LISTS.plans]) {
      const reads = liveReads();
      await within(list(reads, name));
      expect([sourcesOf(reads), reads.trace.upstreamCalls]).toEqual([["STREAM"], 0]);
    }
    expect(world.streams.gauges().live.kept.map(({ account }) => account)).toContain(name);
  });

  it("shows the effect of a mutation in the very next query, and is live again soon after", async () => {
    await warm("main");
    const orders = async () => {
      const reads = liveReads();
      const found = await within(readEveryOpenOrder(reads, world.account("main")));
      return { ids: found.flatMap((order) => (isRead(order) ? [order.clientOid] : [])), sources: sourcesOf(reads) };
    };
    for (const clientOid of ["live-1", "live-2"]) {
      await within(placeOrder(liveReads(), world.account("main"), { ...LIMIT, clientOid }));
      expect((await orders()).ids).toContain(clientOid);
      await world.pass(1_500);
      expect(await orders()).toEqual({ ids: expect.arrayContaining([clientOid]), sources: ["STREAM"] });
      await within(cancelOrder(liveReads(), world.account("main"), { category: "SPOT", symbol: "BTCUSDT", clientOid }));
      expect((await orders()).ids).not.toContain(clientOid);
      await world.pass(1_500);
    }
  });

  it("is asked at the exchange while its line is broken", async () => {
    await warm("main");
    world.sandbox.sockets.drop();
    await world.pass(100);
    const reads = liveReads();
    await within(readEveryOpenOrder(reads, world.account("main")));
    expect(sourcesOf(reads)).not.toContain("STREAM");
    await world.pass(5_000);
    const later = liveReads();
    await within(readEveryOpenOrder(later, world.account("main")));
    expect(sourcesOf(later)).toEqual(["STREAM"]);
  });

  it("is let go once nobody has asked for a while", async () => {
    await warm("main");
    expect(world.streams.gauges().live.kept).not.toEqual([]);
    await world.pass(120_000, 1_000);
    expect(world.streams.gauges()).toMatchObject({ topics: [], connections: [], live: { kept: [] } });
  });
});

/** Random numbers that are the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** How many things happen to the accounts. */
const STEPS = Number.parseInt(process.env.LIVE_PARITY_STEPS ?? "12", 10);

/** The live rows as far as the exchange's lists say something: pushes tell more than lists do. */
const saidBy = (rest: readonly object[] = [], live: readonly object[] = []): readonly object[] =>
  live.map((row, at) => {
    const said = new Map<string, unknown>(Object.entries(rest[at] ?? {}));
    const fields = Object.entries(row).filter(([field]) => said.has(field));
    return Object.fromEntries(fields.map(([field, value]) => [field, said.get(field) === null ? null : value]));
  });

const PRIVATE = endpoints.filter(({ access }) => access === "private").map(({ name }) => name);

describe("state and exchange", () => {
  it("say the same after each of many trades, cancels and broken lines", async () => {
    const random = seeded(20_260_115);
    const { world: inner } = world.sandbox;
    const placed: { uid: string; category: "SPOT" | "USDT-FUTURES"; orderId: string }[] = [];
    const act = (): void => {
      const uid = random(2) === 0 ? MAIN_UID : CLASSIC_UID;
      const category = random(2) === 0 ? "SPOT" : "USDT-FUTURES";
      const what = random(10);
      if (what === 0) {
        world.sandbox.sockets.drop();
        return;
      }
      const at = random(Math.max(1, placed.length));
      const known = placed[at];
      if (what < 4 && known !== undefined) {
        placed.splice(at, 1);
        const isOpen = [...inner.state.orders.open(known.uid)].some(({ orderId }) => orderId === known.orderId);
        if (isOpen) inner.orders.cancel(known.uid, known.category, { orderId: known.orderId });
        return;
      }
      const { markets } = inner.state;
      const { listing } = markets.of(category, "BTCUSDT");
      const isMarket = category === "SPOT" && what === 9;
      const { order } = inner.orders.place({
        uid,
        category,
        symbol: "BTCUSDT",
        side: isMarket && random(2) === 0 ? "sell" : "buy",
        orderType: isMarket ? "market" : "limit",
        ...(isMarket ? {} : { price: listing.grid.price(listing.steps(markets.tick) - 500 - random(200)) }),
        quantity: exact("0.001"),
        ...(category === "USDT-FUTURES" && uid === CLASSIC_UID ? { marginCoin: "USDT", marginMode: "crossed" as const } : {}),
      });
      placed.push({ uid, category, orderId: order.orderId });
    };
    await warm("main");
    await warm("classic");
    const answered = { main: 0, classic: 0 };
    for (let step = 0; step < STEPS; step++) {
      act();
      // What was pushed arrives; the longer pause lets what must be read be read.
      await world.pass(random(3) === 0 ? 2_000 : 300);
      for (const name of ["main", "classic"] as const)
        for (const [list, read] of Object.entries(LISTS)) {
          const reads = liveReads();
          const live = await within(read(reads, name));
          if (sourcesOf(reads).join() !== "STREAM") continue;
          world.exchange.reader.drop(name, PRIVATE);
          const rest = await within(read(new RequestReads(world.exchange), name));
          // The calls take time: what has moved meanwhile is no difference.
          await world.pass(50);
          const again = liveReads();
          if (!isDeepStrictEqual(await within(read(again, name)), live) || sourcesOf(again).join() !== "STREAM") continue;
          answered[name]++;
          expect([step, name, list, saidBy(rowsRead(rest), rowsRead(live))]).toEqual([step, name, list, rest]);
        }
    }
    expect(answered.main).toBeGreaterThan(STEPS);
    expect(answered.classic).toBeGreaterThan(STEPS);
  });
});

import { isRead, type Row } from "@exchange-graph/contract/rows";
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

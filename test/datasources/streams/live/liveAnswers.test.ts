import { socketPath } from "@exchange-graph/contract/channels/limits";
import { DAY_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { describe, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readBalances } from "../../../../src/datasources/reads/queries/balances.js";
import { readFills } from "../../../../src/datasources/reads/queries/fills.js";
import { readEveryOpenOrder } from "../../../../src/datasources/reads/queries/openOrders.js";
import { readOpenPlanOrders } from "../../../../src/datasources/reads/queries/planOrders.js";
import { readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import { cancelOrder } from "../../../../src/datasources/writes/mutations/cancelOrder.js";
import { placeOrder } from "../../../../src/datasources/writes/mutations/placeOrder.js";
import { listen } from "../../../../src/instrumentation/instrumentation.js";
import { passing } from "../../../support/eventually.js";
import { startedForEach } from "../../../support/started.js";
import { writesOn } from "../../../support/writesOn.js";
import { START } from "../support/followed.js";
import { streamedSandbox } from "../support/streamedSandbox.js";

const world = startedForEach(() => streamedSandbox("v3", {}, START, undefined, false, "auto", true, undefined, 1_000));

type Name = "main" | "classic";

const liveReads = () => new RequestReads(world.exchange, { live: world.streams.live });

const FUTURES = ["USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"] as const;

type List = (reads: RequestReads, name: Name) => Promise<readonly Row<object>[]>;

/** What queries are answered from, by list. */
const LISTS: Readonly<Record<"orders" | "positions" | "balances" | "plans" | "fills", List>> = {
  orders: (reads: RequestReads, name: Name) => readEveryOpenOrder(reads, world.account(name)),
  positions: (reads: RequestReads, name: Name) => readPositions(reads, world.account(name), {}),
  balances: (reads: RequestReads, name: Name) => readBalances(reads, world.account(name)),
  plans: async (reads: RequestReads, name: Name) => {
    const lists = FUTURES.map((category) => readOpenPlanOrders(reads, world.account(name), { category }, {}));
    return (await Promise.all(lists)).flatMap(({ rows }) => rows.map(({ row }) => row));
  },
  fills: async (reads: RequestReads, name: Name) => {
    const { rows } = await readFills(reads, world.account(name), { category: "SPOT" }, { from: world.clock.now() - DAY_MS });
    return rows.map(({ row }) => row);
  },
};

/** Lets a promise come while time passes. */
const within = <T>(waiting: Promise<T>): Promise<T> => passing(world.clock, 20, waiting);

const FILL_READS = ["fills", "classicSpotFills", "classicFuturesFills", "classicFuturesFillHistory"];

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
    for (const list of [LISTS.orders, LISTS.plans, LISTS.fills]) {
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
      await within(placeOrder(writesOn(world.exchange), world.account("main"), { ...LIMIT, clientOid }));
      expect((await orders()).ids).toContain(clientOid);
      await world.pass(1_500);
      expect(await orders()).toEqual({ ids: expect.arrayContaining([clientOid]), sources: ["STREAM"] });
      await within(
        cancelOrder(writesOn(world.exchange), world.account("main"), { category: "SPOT", symbol: "BTCUSDT", clientOid }),
      );
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

  it("is asked at the exchange five seconds after the last sign of life of a connection that stays open", async () => {
    await warm("main");
    world.line?.lose();
    const lostAt = world.clock.now();
    world.sandbox.world.orders.place({
      ...{ uid: MAIN_UID, category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit" },
      ...{ price: exact("55000"), quantity: exact("0.001"), clientOid: "unseen" },
    });
    const seen: { readonly afterMs: number; readonly sources: readonly string[]; readonly isSeen: boolean }[] = [];
    while (world.clock.now() - lostAt < 8_000) {
      const reads = liveReads();
      const rows = await within(LISTS.orders(reads, "main"));
      const isSeen = rows.some((row) => "clientOid" in row && row.clientOid === "unseen");
      seen.push({ afterMs: world.clock.now() - lostAt, sources: sourcesOf(reads), isSeen });
      await world.pass(500);
    }
    const late = seen.filter(({ afterMs }) => afterMs > 5_000);
    expect(late.length).toBeGreaterThan(2);
    for (const { sources, isSeen } of late) expect([sources.includes("STREAM"), isSeen]).toEqual([false, true]);
    expect(world.ends).toEqual([]);
    await world.pass(6_000);
    expect(world.ends).toContain("silent");
    world.line?.mend();
    await world.pass(10_000);
    const again = liveReads();
    await within(LISTS.orders(again, "main"));
    expect(sourcesOf(again)).toEqual(["STREAM"]);
  });

  it("is asked at the exchange while its streams cannot be opened, which is said", async () => {
    const said: unknown[] = [];
    listen(world.instrumentation, world.instrumentation.liveFailure, (failure) => said.push(failure));
    world.sandbox.faults.add({ socket: socketPath("v3", "private"), fault: { kind: "drop" } });
    for (let second = 0; second < 3; second++) {
      await within(LISTS.orders(liveReads(), "main"));
      await world.pass(1_000);
    }
    await world.pass(60_000, 500);
    expect(said).toEqual([{ account: "main", kind: "orders", code: "EXCHANGE_TIMEOUT" }]);
    const reads = liveReads();
    await within(LISTS.orders(reads, "main"));
    expect(sourcesOf(reads)).toEqual(["REST"]);
  });

  it("is closed after a while without reads", async () => {
    await warm("main");
    expect(world.streams.gauges().live.kept).not.toEqual([]);
    await world.pass(120_000, 1_000);
    expect(world.streams.gauges()).toMatchObject({ topics: [], connections: [], live: { kept: [] } });
  });
});

describe("executions", () => {
  const trade = (name: Name, isFutures = false) =>
    world.sandbox.world.orders.place({
      ...{ uid: name === "main" ? MAIN_UID : CLASSIC_UID, symbol: "BTCUSDT", side: "sell", orderType: "market" },
      ...(isFutures ? { category: "USDT-FUTURES", marginMode: "crossed" } : { category: "SPOT" }),
      quantity: exact("0.001"),
    });
  const page = async (name: Name, asked: Parameters<typeof readFills>[3], category: ProductCategory = "SPOT") => {
    const reads = liveReads();
    const { rows, hasNextPage } = await within(readFills(reads, world.account(name), { category }, asked));
    return { rows, hasNextPage, sources: sourcesOf(reads) };
  };
  const often = async (name: Name) => {
    for (let look = 0; look < 5; look++) {
      await page(name, { from: START });
      await world.pass(1_000);
    }
  };
  /** What the exchange says. */
  const truthOf = async (name: Name, asked: Parameters<typeof readFills>[3], category: ProductCategory = "SPOT") => {
    world.exchange.reader.drop(name, FILL_READS);
    const { rows, hasNextPage } = await within(
      readFills(new RequestReads(world.exchange), world.account(name), { category }, asked),
    );
    return { rows, hasNextPage };
  };

  it.each(["main", "classic"] as const)("of %s are paged as the exchange pages them, past ones included", async (name) => {
    for (let count = 0; count < 5; count++) trade(name);
    await often(name);
    for (let count = 0; count < 4; count++) trade(name);
    await world.pass(500);
    const from = world.clock.now() - 6 * DAY_MS;
    let after: string | undefined;
    for (const isLast of [false, false, true]) {
      const live = await page(name, { from, first: 4, after });
      expect(live.sources).toEqual(["STREAM"]);
      expect({ ...live, sources: undefined }).toEqual({
        ...(await truthOf(name, { from, first: 4, after })),
        sources: undefined,
      });
      expect([live.hasNextPage, live.rows.length]).toEqual([!isLast, isLast ? 1 : 4]);
      after = live.rows.at(-1)?.cursor;
    }
  });

  it("of Classic futures have what the exchange's pushes leave out", async () => {
    await often("classic");
    trade("classic", true);
    await world.pass(20);
    const asked = { from: START, first: 5 };
    const [atOnce, truth] = [await page("classic", asked, "USDT-FUTURES"), await truthOf("classic", asked, "USDT-FUTURES")];
    expect([atOnce.sources, atOnce.rows]).toEqual([["REST"], truth.rows]);
    await world.pass(3_000);
    const later = await page("classic", asked, "USDT-FUTURES");
    expect(later.sources).toEqual(["STREAM"]);
    expect(later.rows).toMatchObject([{ row: { enterPointSource: "api" } }]);
  });

  it("from before what is known are asked at the exchange", async () => {
    await often("classic");
    const early = await page("classic", { from: world.clock.now() - 20 * DAY_MS }, "USDT-FUTURES");
    expect(early.sources).toContain("REST");
    // The list without times reaches back to an unknown time.
    expect((await page("classic", {}, "USDT-FUTURES")).sources).toEqual(["REST"]);
  });

  it("show an account's trade in the very next query", async () => {
    await often("main");
    for (const clientOid of ["own-1", "own-2"]) {
      const sell = { category: "SPOT", symbol: "BTCUSDT", side: "sell", orderType: "market", qty: "0.001", clientOid } as const;
      await within(placeOrder(writesOn(world.exchange), world.account("main"), sell));
      const { rows } = await page("main", { from: START });
      expect(rows[0]?.row).toMatchObject({ clientOid });
      await world.pass(2_000);
      expect((await page("main", { from: START })).sources).toEqual(["STREAM"]);
    }
  });
});

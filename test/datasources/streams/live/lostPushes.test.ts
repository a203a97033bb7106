import { exact } from "@exchange-graph/contract/decimal";
import { rowsRead } from "@exchange-graph/contract/rows";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { describe, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readBalances, readUnifiedAssets } from "../../../../src/datasources/reads/queries/balances.js";
import { readEveryOpenOrder } from "../../../../src/datasources/reads/queries/openOrders.js";
import { readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import type { LiveList } from "../../../../src/datasources/streams/live/liveList.js";
import { passing } from "../../../support/eventually.js";
import { startedForEach } from "../../../support/started.js";
import { START } from "../support/followed.js";
import { streamedSandbox } from "../support/streamedSandbox.js";

const world = startedForEach(() => streamedSandbox("v3", {}, START, undefined, false, "auto", true, undefined, 1_000));

type Name = "main" | "classic";
const UIDS = { main: MAIN_UID, classic: CLASSIC_UID };
const MINUTE_MS = 60_000;

/** Orders and positions, and whether any of them was read from the exchange. */
async function look(name: Name) {
  const reads = new RequestReads(world.exchange, { live: world.streams.live });
  const account = world.account(name);
  const reading = Promise.all([readEveryOpenOrder(reads, account), readPositions(reads, account, {})]);
  const [orders = 0, positions = 0] = (await passing(world.clock, 20, reading)).map((rows) => rowsRead<object>(rows).length);
  return { orders, positions, isStreamed: reads.trace.reads.every(({ source }) => source === "STREAM") };
}

const warm = async (name: Name) => {
  for (let second = 0; second < 6; second++) {
    await look(name);
    await world.pass(1_000, 100);
  }
  // The first readings are a minute ago.
  await world.pass(MINUTE_MS, 500);
};

/** Time until something shows that happens without a push, ms. */
async function shownAfter(name: Name, act: () => void, isShown: (seen: Awaited<ReturnType<typeof look>>) => boolean) {
  await warm(name);
  const before = await look(name);
  expect([before.isStreamed, isShown(before)]).toEqual([true, false]);
  world.line?.lose();
  const at = world.clock.now();
  act();
  await world.pass(400, 50);
  world.line?.goOn();
  while (world.clock.now() - at < 6 * MINUTE_MS) {
    if (isShown(await look(name))) return world.clock.now() - at;
    await world.pass(4_000, 500);
  }
  return Number.POSITIVE_INFINITY;
}

describe("what happens elsewhere, and whose push is lost", () => {
  it.each(["main", "classic"] as const)("an order of %s is shown within two minutes", { timeout: 120_000 }, async (name) => {
    const order = { uid: UIDS[name], category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit" } as const;
    const place = () => world.sandbox.world.orders.place({ ...order, price: exact("55000"), quantity: exact("0.001") });
    expect(await shownAfter(name, place, ({ orders }) => orders > 0)).toBeLessThanOrEqual(2 * MINUTE_MS);
  });

  it("a position of main is shown within two minutes", { timeout: 120_000 }, async () => {
    const order = { uid: MAIN_UID, category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "market" } as const;
    const place = () => world.sandbox.world.orders.place({ ...order, quantity: exact("0.01"), marginMode: "crossed" });
    expect(await shownAfter("main", place, ({ positions }) => positions > 0)).toBeLessThanOrEqual(2 * MINUTE_MS);
  });
});

describe("each list of an account", () => {
  it("shows when it was last compared with the exchange, and why it is not live", async () => {
    const readAt = world.clock.now();
    await warm("main");
    const lists = () => world.streams.gauges().live.lists();
    expect(lists().map(({ kind }) => kind)).toEqual(expect.arrayContaining(["orders", "positions", "accountUpdates"]));
    for (const { comparedAt = 0, reason } of lists()) expect([comparedAt >= readAt, reason]).toEqual([true, undefined]);
    world.sandbox.sockets.drop();
    await world.pass(100);
    expect(new Set(lists().map(({ reason }) => reason))).toEqual(new Set(["INTERRUPTED"]));
  });

  it.each(["main", "classic"] as const)("of %s dates the answers that rest on it, by the earliest of them", async (name) => {
    await warm(name);
    const balancesOf = (reads: RequestReads): Promise<unknown> =>
      name === "main" ? readUnifiedAssets(reads, world.account(name)) : readBalances(reads, world.account(name));
    const newReads = () => new RequestReads(world.exchange, { live: world.streams.live });
    for (let time = 0; time < MINUTE_MS; time += 5_000) {
      const reading = balancesOf(newReads());
      await look(name);
      await world.pass(5_000, 500);
      await reading;
    }
    const datedBy = new Map<string, (list: LiveList) => boolean>([
      ["openOrders", ({ kind }) => kind === "orders"],
      ["classicSpotOpenOrders", ({ kind, name: list }) => kind === "orders" && list.startsWith("SPOT")],
      ["classicFuturesOpenOrders", ({ kind, name: list }) => kind === "orders" && list.endsWith("FUTURES")],
      // Without a position only the list itself counts.
      ["positions", ({ kind }) => kind === "positions"],
      ["classicPositions", ({ kind }) => kind === "positions"],
      ["unifiedAssets", ({ kind }) => kind === "accountUpdates" || kind === "positions" || kind === "orders"],
      ["classicSpotAssets", ({ kind, name: list }) => kind === "accountUpdates" && list === "SPOT"],
    ]);
    const reads = newReads();
    const account = world.account(name);
    await Promise.all([readEveryOpenOrder(reads, account), readPositions(reads, account, {}), balancesOf(reads)]);
    const streamed = reads.trace.reads.filter((read) => read.source === "STREAM" && read.account === name);
    const lists = world.streams.gauges().live.lists();
    const earliest = new Map(
      [...datedBy].map(([endpoint, isOf]) => [
        endpoint,
        Math.min(...lists.filter((list) => list.account === name && isOf(list)).map(({ comparedAt = 0 }) => comparedAt)),
      ]),
    );
    expect(new Set(streamed.map(({ endpoint }) => endpoint)).size).toBeGreaterThanOrEqual(3);
    expect(new Set(lists.map(({ comparedAt }) => comparedAt)).size).toBeGreaterThan(1);
    for (const [endpoint, time] of earliest) {
      const dates = streamed.filter((read) => read.endpoint === endpoint).map(({ comparedAt = 0 }) => comparedAt);
      if (dates.length > 0) expect([endpoint, Math.min(...dates)]).toEqual([endpoint, time]);
    }
  });
});

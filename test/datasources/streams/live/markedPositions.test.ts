import { exact } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { rowsRead } from "@exchange-graph/contract/rows";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import { markedTo } from "../../../../src/datasources/reads/valuation/markToMarket.js";
import { markedPositions } from "../../../../src/datasources/streams/live/markedPositions.js";
import { startedForEach } from "../../../support/started.js";
import { Heard, streamedSandbox } from "../support/streamedSandbox.js";

const world = startedForEach(() => streamedSandbox());

const BTC = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
const trade = (side: "buy" | "sell") =>
  world.sandbox.world.orders.place({ uid: MAIN_UID, ...BTC, side, orderType: "market", quantity: exact("0.02") });

it("positions move with the mark price, and their prices are let go of with the last one", async () => {
  trade("buy");
  const heard = new Heard<readonly Position[]>();
  const whole = new Heard<readonly Position[]>();
  const leaves = [
    markedPositions(world.streams, world.account("main"), heard),
    markedPositions(world.streams, world.account("main"), whole, { isWhole: true }),
  ];
  await world.until(() => heard.events.length > 0);
  const said = heard.events[0]?.value.find(({ symbol }) => symbol === BTC.symbol);
  await world.pass(6_000);
  const updates = heard.events.slice(1);
  expect(updates.length).toBeGreaterThan(5);
  expect(new Set(updates.map(({ kind }) => kind))).toEqual(new Set(["update"]));
  expect(new Set(whole.events.map(({ kind }) => kind))).toEqual(new Set(["snapshot"]));
  for (const position of updates.flatMap(({ value }) => value)) {
    if (said === undefined || position.markPrice === null) throw new Error("the position is missing");
    const { markPrice, unrealisedPnl, margin, profitRate } = markedTo(said, position.markPrice);
    expect(position).toMatchObject({ markPrice, unrealisedPnl, margin, profitRate });
  }
  const topics = () => world.streams.gauges().topics.map(({ stream }) => stream);
  expect(topics()).toContain("ticker");
  trade("sell");
  await world.pass(8_000);
  expect(heard.events.some(({ value }) => value.some(({ qty }) => qty === "0"))).toBe(true);
  expect(topics()).not.toContain("ticker");
  for (const leave of leaves) leave();
  await world.pass(15_000, 500);
  expect(world.streams.gauges()).toMatchObject({ topics: [], connections: [] });
});

it.each([
  ["main", MAIN_UID, "4", "90"],
  ["classic", CLASSIC_UID, "2", "40"],
] as const)("the subscription shows what the query of %s computes, liquidation prices included", async (name, uid, btc, eth) => {
  for (const [symbol, quantity] of [
    ["BTCUSDT", btc],
    ["ETHUSDT", eth],
  ] as const)
    world.sandbox.world.orders.place({
      ...{ uid, category: "USDT-FUTURES", symbol, side: "buy", orderType: "market" },
      ...{ quantity: exact(quantity), marginMode: "crossed" },
    });
  const heard = new Heard<readonly Position[]>();
  const leave = markedPositions(world.streams, world.account(name), heard, { isWhole: true });
  await world.until(() => heard.events.length > 0);
  const said = new Map(heard.last.value.map(({ symbol, liquidationPrice }) => [symbol, liquidationPrice]));
  await world.pass(4_000, 200);
  const shownBy = (positions: readonly Position[]) => positions.map((one) => JSON.stringify(one, Object.keys(one).sort())).sort();
  let agreed = 0;
  const moved = new Set<string>();
  // The subscription follows within 200 ms, so at most of these moments one has seen a price that the other has not.
  for (let look = 0; look < 60; look++) {
    await world.pass(50);
    const reads = new RequestReads(world.exchange, { live: world.streams.live });
    const queried = rowsRead(await readPositions(reads, world.account(name), {}));
    if (reads.trace.upstreamCalls > 0 || shownBy(queried).join() !== shownBy(heard.last.value).join()) continue;
    agreed++;
    for (const { symbol, liquidationPrice } of queried) if (liquidationPrice !== said.get(symbol)) moved.add(symbol);
  }
  expect(agreed).toBeGreaterThan(10);
  expect(moved).toContain("ETHUSDT");
  leave();
  await world.pass(15_000, 500);
  expect(world.streams.gauges()).toMatchObject({ topics: [], connections: [] });
});

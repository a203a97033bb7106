import { exact } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { MAIN_UID } from "@exchange-graph/sandbox/world/opening/accounts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { markedPositions } from "../../../../src/datasources/streams/live/markedPositions.js";
import { markedTo } from "../../../../src/datasources/valuation/markToMarket.js";
import { Heard, type StreamedSandbox, streamedSandbox } from "../support/streamedSandbox.js";

let world: StreamedSandbox;
beforeEach(async () => {
  world = await streamedSandbox();
});
afterEach(async () => {
  await world.close();
});

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
    if (said === undefined || position.markPrice === null) throw new Error("the position is not told");
    expect(position).toEqual(markedTo(said, position.markPrice));
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

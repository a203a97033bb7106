import { mapRows, rowsRead } from "@exchange-graph/contract/rows";
import { afterEach, beforeEach, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readUnifiedAssets } from "../../../../src/datasources/queries/balances.js";
import { readMarginRules } from "../../../../src/datasources/queries/marginRules.js";
import { readPositions } from "../../../../src/datasources/queries/positions.js";
import { LiveAccount } from "../../../../src/datasources/streams/live/liveAccount.js";
import { passing } from "../../../support/eventually.js";
import { START } from "../support/followed.js";
import { type StreamedSandbox, streamedSandbox } from "../support/streamedSandbox.js";

let world: StreamedSandbox;
beforeEach(async () => {
  world = await streamedSandbox("v3", {}, START);
});
afterEach(async () => {
  await world.close();
});

/** What the exchange says of an account at this moment. */
async function facts() {
  const [reads, account] = [new RequestReads(world.exchange), world.account("main")];
  const [read, positions] = await Promise.all([readUnifiedAssets(reads, account), readPositions(reads, account, {})]);
  const unified = { ...read, assets: mapRows(read.assets, (asset) => ({ ...asset, borrowed: null })) };
  const rules = await readMarginRules(reads, rowsRead(positions));
  return { unified, positions: rowsRead(positions), rules };
}

it("an account whose figures are of no known moment is read again, with pauses that double", async () => {
  const { unified, positions, rules } = await passing(world.clock, 20, facts());
  // Whatever prices are known from here on are not those that it was read at.
  await world.pass(10_000, 500);
  const began = world.clock.now();
  const readAt: number[] = [];
  const next = () => ({ positions: {}, holdings: {}, orders: {} });
  let version = next();
  const live = new LiveAccount(
    {
      version: () => version,
      mode: () => "UNIFIED",
      positions: () => positions,
      holdings: () => ({ unified, spot: [], futures: [] }),
      orders: () => [],
      readAgain() {
        readAt.push(Math.round((world.clock.now() - began) / 1_000));
        version = next();
        live.changed();
      },
      rules: async () => rules,
      failed: (error) => {
        throw error;
      },
    },
    world.streams.market,
    world.clock,
    () => world.exchange.clock.now(),
  );
  live.changed();
  await world.pass(33_000, 500);
  live.close();
  const pauses = readAt.map((at, index) => at - (readAt[index - 1] ?? 0));
  expect(pauses).toEqual([1, 1, 1, 4, 8, 16]);
});

import { exact } from "@exchange-graph/contract/decimal";
import { rowsRead } from "@exchange-graph/contract/rows";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readUnifiedAssets } from "../../../../src/datasources/reads/queries/balances.js";
import { readFuturesAccounts } from "../../../../src/datasources/reads/queries/futuresSettings.js";
import { markedHoldings } from "../../../../src/datasources/streams/live/markedHoldings.js";
import type { AccountHoldings } from "../../../../src/datasources/streams/state/holdings.js";
import { passing } from "../../../support/eventually.js";
import { startedForEach } from "../../../support/started.js";
import { Heard, streamedSandbox } from "../support/streamedSandbox.js";

const world = startedForEach(() => streamedSandbox());

/** What the exchange says of what moves, in words that can be compared. */
async function said(name: "main" | "classic"): Promise<string> {
  world.exchange.reader.drop(name, ["unifiedAssets", "futuresAccounts"]);
  const reads = new RequestReads(world.exchange);
  const account = world.account(name);
  if (name === "main") return wordsOf(await readUnifiedAssets(reads, account));
  return wordsOf(...rowsRead(await readFuturesAccounts(reads, account, "USDT-FUTURES")));
}

const wordsOf = (...accounts: readonly { readonly equityUsdt: string | null; readonly equityBtc: string | null }[]): string =>
  accounts.map(({ equityUsdt, equityBtc }) => `${equityUsdt} ${equityBtc}`).join();

const toldBy = ({ unified, futures }: AccountHoldings): string =>
  wordsOf(...(unified === null ? futures.filter(({ category }) => category === "USDT-FUTURES") : [unified]));

it.each([
  ["main", MAIN_UID, false],
  ["classic", CLASSIC_UID, true],
] as const)("what %s is worth follows prices, to the last digit of what the exchange says", async (name, uid, isWhole) => {
  world.sandbox.world.orders.place({
    uid,
    category: "USDT-FUTURES",
    symbol: "BTCUSDT",
    side: "buy",
    orderType: "market",
    quantity: exact("0.02"),
  });
  const heard = new Heard<AccountHoldings>();
  const leave = markedHoldings(world.streams, world.account(name), heard, { isWhole });
  await world.until(() => heard.events.length > 0);
  await world.pass(4_000, 200);
  const before = heard.events.length;
  const truths = new Set<string>();
  for (let look = 0; look < 20; look++) {
    truths.add(await passing(world.clock, 10, said(name)));
    await world.pass(200, 200);
  }
  const events = heard.events.slice(before);
  expect(events.length).toBeGreaterThan(8);
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set([isWhole ? "snapshot" : "update"]));
  expect(events.filter(({ value }) => truths.has(toldBy(value))).length).toBeGreaterThan(4);
  leave();
  await world.pass(15_000, 500);
  expect(world.streams.gauges()).toMatchObject({ topics: [], connections: [] });
});

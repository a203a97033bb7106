import { exact } from "@exchange-graph/contract/decimal";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedGraph } from "./support/sharedGraph.js";
import { placeClassicFutures, placeClassicPlan, placeClassicSpot, placeUnified, placeUnifiedPlan } from "./support/trade.js";

/** Lists of current records, filtered by the time of their creation. */

const live = sharedGraph();

interface Row {
  readonly key: string;
  readonly createdTime?: string;
}
type Between = Readonly<Record<"from" | "to", string | undefined>>;

/** The rows of the list at `path` of an account, and the errors. */
async function rowsOf(account: string, path: readonly string[], list: string, fields: string, between: Partial<Between> = {}) {
  live.nextMinute();
  const times = Object.entries(between).map(([name, time]) => `${name}: "${time}"`);
  const asked = [list, ...times, "first: 100"].join(", ").replace("(, ", "(");
  const inside = `${asked}) { nodes { ${fields} } }`;
  const query = path.reduceRight((below, step) => `${step} { ${below} }`, inside);
  const { data, errors } = await live.run(`{ account(name: "${account}") { ${query} } }`);
  const found = path.reduce((at, step) => at?.[step], data.account)?.[list.slice(0, list.indexOf("("))];
  return { rows: (found?.nodes ?? []) as readonly Row[], errors };
}

const at = (agoMs: number): string => new Date(live.now() - agoMs).toISOString();
const DAY_MS = 86_400_000;

/** A price 10% below the market. */
async function below(symbol: string): Promise<string> {
  const { data } = await live.run(`{ ticker(category: USDT_FUTURES, symbol: "${symbol}") { lastPrice } }`);
  return exact(data.ticker.lastPrice).times("0.9").round(4, 0).toFixed();
}

/** Places three stop-losses on each kind of account, one per minute. */
async function placePlans(): Promise<void> {
  await placeUnified(live, { symbol: "XRPUSDT", side: "buy", qty: "100" });
  await placeClassicFutures(live, { symbol: "XRPUSDT", side: "buy", size: "100" });
  for (let placed = 0; placed < 3; placed++) {
    live.nextMinute();
    const stop = await below("XRPUSDT");
    const tpsl = { symbol: "XRPUSDT", posSide: "long", tpslMode: "partial", qty: "10" };
    await placeUnifiedPlan(live, { ...tpsl, stopLoss: stop, slTriggerBy: "mark" });
    await placeClassicPlan(live, { symbol: "XRPUSDT", planType: "loss_plan", triggerPrice: stop, holdSide: "buy", size: "10" });
  }
}

/** Places orders far from the market on each kind of account, one of each category per minute. */
async function placeOrders(): Promise<void> {
  const limit = { symbol: "ADAUSDT", side: "buy", orderType: "limit", price: await below("ADAUSDT") };
  for (let placed = 0; placed < 3; placed++) {
    live.nextMinute();
    await placeUnified(live, { ...limit, qty: "100" });
    await placeUnified(live, { ...limit, category: "SPOT", qty: "100" });
    await placeClassicFutures(live, { ...limit, size: "100", force: "gtc" });
    await placeClassicSpot(live, { ...limit, size: "100" });
  }
}

describe.each([
  ["main", [], "planOrders(category: USDT_FUTURES", "key: orderId createdTime"],
  ["classic", [], "planOrders(category: USDT_FUTURES", "key: orderId createdTime"],
  ["main", [], 'openOrders(symbol: "ADAUSDT"', "key: orderId createdTime"],
  ["classic", [], 'openOrders(symbol: "ADAUSDT"', "key: orderId createdTime"],
  ["broker", ["broker"], "subAccounts(", "key: subUid profile { createdTime }"],
] as const)("of %s %j", (account, path, list, fields) => {
  beforeAll(async () => {
    if (list.startsWith("plan")) await placePlans();
    if (list.startsWith("open")) await placeOrders();
  });

  const timeOf = (row: Row & { readonly profile?: Row }): string => row.createdTime ?? row.profile?.createdTime ?? "";

  it("are those created from a time on, up to one, and between two", async () => {
    const { rows: all, errors } = await rowsOf(account, path, list, fields);
    expect(errors).toEqual([]);
    const times = all.map(timeOf).sort();
    const middle = times[Math.floor(times.length / 2)] ?? "";
    expect(new Set(times).size).toBeGreaterThan(1);
    const expected = (isWanted: (time: string) => boolean) => all.filter((row) => isWanted(timeOf(row)));
    for (const [between, isWanted] of [
      [{ from: middle }, (time) => time >= middle],
      [{ to: middle }, (time) => time <= middle],
      [{ from: middle, to: middle }, (time) => time === middle],
    ] as const satisfies readonly (readonly [Partial<Between>, (time: string) => boolean])[]) {
      const { rows } = await rowsOf(account, path, list, fields, between);
      expect(rows).toEqual(expected(isWanted));
    }
  });

  it("are refused with an end before the start, and nothing is sent", async () => {
    await rowsOf(account, path, list, fields);
    const { errors } = await rowsOf(account, path, list, fields, { from: at(0), to: at(1) });
    expect(errors.map(({ message }) => message)).toEqual(["to must not be before from"]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });
});

it("savings are those subscribed between two times, three months apart at most", async () => {
  const holdings = (between: Partial<Between>) =>
    rowsOf("main", ["earn", "savings"], "assets(periodType: FLEXIBLE", "key: productId", between);
  const all = (await holdings({})).rows;
  expect(all.length).toBeGreaterThan(0);
  expect((await holdings({ from: at(60 * DAY_MS), to: at(0) })).rows.length).toBeLessThanOrEqual(all.length);
  expect((await holdings({ to: at(3_000 * DAY_MS) })).rows).toEqual([]);
  const { errors } = await holdings({ from: at(120 * DAY_MS), to: at(0) });
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(["BAD_USER_INPUT"]);
});

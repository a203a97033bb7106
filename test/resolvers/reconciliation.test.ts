import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { lastPrice } from "@exchange-graph/sandbox/world/state";
import { execute, parse, validate } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backfill, BalanceRecords, Curves, DailyReconciler, Recorder } from "../../src/datasources/history/index.js";
import { MAX_LOOKED_UP } from "../../src/datasources/history/reconciliation/checkFills.js";
import { RequestReads } from "../../src/datasources/index.js";
import type { HistoryEvent } from "../../src/instrumentation/events.js";
import { listen } from "../../src/instrumentation/instrumentation.js";
import { ANYONE, createContext } from "../../src/resolvers/index.js";
import type { Metrics } from "../../src/telemetry/metrics/metrics.js";
import { directHistory } from "../datasources/history/support/directHistory.js";
import { START } from "../datasources/streams/support/followed.js";
import { type StreamedSandbox, streamedSandbox } from "../datasources/streams/support/streamedSandbox.js";
import { fillAt } from "../exports/support/fillAt.js";
import { passing } from "../support/eventually.js";
import { graph } from "../support/graph.js";
import { searchedTelemetry } from "../support/searchedTelemetry.js";

/** Accounts of both modes over six days: traded through the gateway, then with planted differences, then without a gateway. */
let world: StreamedSandbox;
let store: ReturnType<typeof directHistory>;
let curves: Curves;
let recorder: Recorder;
/** Lines of the log. */
const lines: string[] = [];
let metrics: Metrics;
const reported: (HistoryEvent & { readonly kind: "reconciled" })[] = [];
/** Orders that were placed behind the gateway's back, and whose execution was taken away, by account. */
const foreign: Record<string, string> = {};
const robbed: Record<string, string> = {};
const resting: Record<string, string> = {};

const NAMES = ["main", "classic"] as const;
const UIDS = { main: MAIN_UID, classic: CLASSIC_UID } as const;
const CONTRACTS = [
  ["USDT-FUTURES", "BTCUSDT", "0.003"],
  ["USDC-FUTURES", "BTCPERP", "0.002"],
  ["COIN-FUTURES", "BTCUSD", "0.004"],
] as const;

function openRecorder(holder: string): void {
  const { exchange, streams, clock, instrumentation } = world;
  const newReads = () => new RequestReads(exchange, { priority: "background", patienceMs: MINUTE_MS });
  const ledger = new BalanceRecords(store, newReads);
  const now = () => exchange.clock.now();
  curves = new Curves({ store, ledger, clock, now, intervalMs: MINUTE_MS, backfillMs: 0 });
  const reconciler = new DailyReconciler({ store, ledger, journal: exchange.writes.journal, newReads, now, instrumentation });
  const settings = { intervalMs: MINUTE_MS, retentionMs: 400 * DAY_MS, backfillMs: 5 * DAY_MS };
  const backfill = new Backfill({ store, ledger, newReads, now, settings, instrumentation });
  const parts = { exchange, streams, store, ledger, backfill, reconciler, clock, instrumentation };
  recorder = new Recorder({ ...parts, holder, settings });
  recorder.start();
}

async function run(document: string, variableValues: Readonly<Record<string, unknown>> = {}) {
  const parsed = parse(document);
  expect(validate(graph, parsed)).toEqual([]);
  const contextValue = createContext(world.exchange, ANYONE, world.streams, undefined, undefined, curves);
  const answer = Promise.resolve(execute({ schema: graph, document: parsed, contextValue, variableValues }));
  const { data, errors = [] } = await passing(world.clock, 20, answer);
  expect(errors).toEqual([]);
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on each test's query, and its assertions check them
  return data as any;
}

/** Buys at the market through the gateway. */
async function buy(account: string, category: ProductCategory, symbol: string, amount: object): Promise<void> {
  const input = { account, category: category.replace("-", "_"), symbol, side: "BUY", orderType: "MARKET", ...amount };
  const { placeOrder } = await run(
    "mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { outcome userErrors { message } } }",
    {
      input,
    },
  );
  expect([input, placeOrder]).toEqual([input, { outcome: "ACCEPTED", userErrors: [] }]);
}

async function trade(account: (typeof NAMES)[number]): Promise<void> {
  for (const [category, symbol, qty] of CONTRACTS) await buy(account, category, symbol, { qty, marginMode: "CROSSED" });
  await buy(account, "SPOT", "ETHUSDT", { quoteQty: "50" });
  if (account === "main") await buy(account, "MARGIN", "BTCUSDT", { quoteQty: "50" });
}

/** Places a limit order through the gateway that is not filled. */
async function limit(account: string, clientOid: string, outcome = "ACCEPTED"): Promise<void> {
  const order = { category: "SPOT", symbol: "BTCUSDT", side: "BUY", orderType: "LIMIT", qty: "0.001", price: "30000" };
  const { placeOrder } = await run("mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { outcome } }", {
    input: { ...order, account, clientOid },
  });
  expect(placeOrder).toEqual({ outcome });
}

/** An order of the account's owner, placed elsewhere. */
function tradeElsewhere(uid: string): string {
  const order = { uid, category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "market", amount: exact("40") } as const;
  return world.sandbox.world.orders.place(order).order.orderId;
}

/** A limit order of the account's owner, placed elsewhere; with `orderId` its new price. */
function restElsewhere(uid: string, share: string, orderId?: string): string {
  const { orders, state } = world.sandbox.world;
  const price = lastPrice(state, "SPOT", "BTCUSDT").times(share).round(1);
  const open = orderId === undefined ? undefined : state.orders.findOpen(uid, { orderId, category: "SPOT" });
  if (open !== undefined) return orders.modify(open, { price }).orderId;
  const order = {
    uid,
    category: "SPOT",
    symbol: "BTCUSDT",
    side: "buy",
    orderType: "limit",
    price,
    quantity: exact("0.001"),
  } as const;
  return orders.place(order).order.orderId;
}

const days = async (name: (typeof NAMES)[number]) => curves.reconciled(UIDS[name], 0, Number.MAX_SAFE_INTEGER);

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; !(await holds()); passed += 6_000) {
    if (passed > 3 * HOUR_MS) throw new Error(`it did not come to hold: ${JSON.stringify(await Promise.all(NAMES.map(days)))}`);
    await world.pass(6_000, 2_000);
  }
}
const samples = async (name: (typeof NAMES)[number]): Promise<number> =>
  (await curves.read(UIDS[name], { from: 0, to: Number.MAX_SAFE_INTEGER, resolution: "MINUTE" }, false)).points.length;
async function recorded(): Promise<void> {
  const before = await Promise.all(NAMES.map(samples));
  await until(async () => (await Promise.all(NAMES.map(samples))).every((count, at) => count > (before[at] ?? 0)));
}
/** Without a gateway until twenty past midnight, so many days later. */
async function sleep(count: number): Promise<void> {
  await recorder.close();
  const until = Math.floor(world.clock.now() / DAY_MS) * DAY_MS + count * DAY_MS + 20 * MINUTE_MS;
  await world.pass(15_000, 1_000);
  while (world.clock.now() < until) world.clock.advance(Math.min(HOUR_MS, until - world.clock.now()));
  openRecorder(`${world.clock.now()}`);
}
const compared = (count: number) => until(async () => (await Promise.all(NAMES.map(days))).every((all) => all.length >= count));

const at = (day: number) => START + (day + 1) * DAY_MS;
const EQUAL = { differences: [], count: 0 };

describe("the daily reconciliation", () => {
  beforeAll(async () => {
    world = await streamedSandbox("v3", {}, START, undefined, false, "none", false, undefined, 6_000);
    metrics = searchedTelemetry(lines, { instrumentation: world.instrumentation, clock: world.clock }).metrics;
    store = directHistory(":memory:", world.clock);
    listen(world.instrumentation, world.instrumentation.history, (event) => {
      if (event.kind === "reconciled") reported.push(event);
    });
    openRecorder("first");
    await recorded();
    for (const name of NAMES) await trade(name);
    for (const name of NAMES) resting[name] = restElsewhere(UIDS[name], "0.95");
    await recorded();
    await sleep(1);
    // A day with planted differences.
    await recorded();
    const { state, transfers } = world.sandbox.world;
    for (const name of NAMES) {
      const uid = UIDS[name];
      foreign[name] = tradeElsewhere(uid);
      restElsewhere(uid, "1.01", resting[name]);
      await buy(name, "USDT-FUTURES", "ETHUSDT", { qty: "0.07", marginMode: "CROSSED" });
      const [fill] = state.orders.fills(uid);
      if (fill?.symbol !== "ETHUSDT") throw new Error("the execution is missing");
      robbed[name] = fill.orderId;
      Object.assign(fill, { orderId: "1", at: 0 });
      const ends = name === "main" ? (["funding", "unified"] as const) : (["usdt-futures", "spot"] as const);
      transfers.transfer({ uid, kind: ends[0] }, { uid, kind: ends[1] }, "USDT", exact("7.5"));
      const record = state.records.of(uid).find(({ coin, wallet }) => coin === "USDT" && wallet.endsWith(ends[1]));
      if (record === undefined || !record.amount.eq("7.5")) throw new Error("the record is missing");
      record.amount = exact("0");
    }
    await recorded();
    await compared(1);
    await sleep(3);
    await compared(4);
    // The list of orders cannot be read for more than a day.
    await recorded();
    const broken = ["orderHistory", "classicSpotOrderHistory", "classicFuturesOrderHistory"].map((endpoint) =>
      world.sandbox.faults.add({ endpoint, fault: { kind: "answer", status: 502 } }),
    );
    await sleep(1);
    await recorded();
    await recorded();
    for (const name of NAMES) expect([name, (await days(name)).length]).toEqual([name, 4]);
    await sleep(1);
    await compared(5);
    for (const rule of broken) world.sandbox.faults.remove(rule);
    await compared(6);
  }, 300_000);
  afterAll(async () => {
    await recorder.close();
    await world.close();
  });

  it.each(NAMES)("finds a day equal that was traded through the gateway in every category: %s", async (name) => {
    const [first] = await days(name);
    const orders = name === "main" ? 5 : 4;
    expect(first).toMatchObject({ at: at(0), ...EQUAL, journal: { checked: orders, reason: null }, balances: { reason: null } });
    expect(first?.fills.checked).toBeGreaterThanOrEqual(orders);
    expect(first?.balances.checked).toBeGreaterThan(2);
  });

  it.each(NAMES)("finds unknown orders, a missing execution and a balance that changed without a record: %s", async (name) => {
    const second = (await days(name))[1];
    const pool = name === "main" ? "UNIFIED" : "SPOT";
    const found = second?.differences.map(({ kind, orderId, coin, expected, found: is }) => ({
      kind,
      orderId,
      coin,
      expected,
      is,
    }));
    const unknown = { kind: "ORDER_NOT_JOURNALED", coin: null, expected: null };
    const others = found?.filter(({ kind }) => kind !== "BALANCE_UNEXPLAINED");
    expect(others?.length).toBe(3);
    expect(others).toEqual(
      expect.arrayContaining([
        { kind: "FILLS_INCOMPLETE", orderId: robbed[name], coin: null, expected: "0.07", is: "0" },
        { ...unknown, orderId: foreign[name], is: expect.stringMatching(/^0\.0/) },
        { ...unknown, orderId: resting[name], is: "0.001" },
      ]),
    );
    const [balance, ...more] = second?.differences.filter(({ kind }) => kind === "BALANCE_UNEXPLAINED") ?? [];
    expect([balance?.pool, balance?.coin, more]).toEqual([pool, "USDT", []]);
    expect(
      exact(balance?.found ?? "0")
        .minus(balance?.expected ?? "0")
        .eq("7.5"),
    ).toBe(true);
  });

  it.each(NAMES)("goes on after days without a gateway, and says what of them could not be compared: %s", async (name) => {
    const all = await days(name);
    expect(all.map((day) => day.at)).toEqual([0, 1, 2, 3, 4, 5].map(at));
    for (const day of [all[2], all[3]])
      expect(day).toMatchObject({ ...EQUAL, balances: { reason: "NOT_RECORDED" }, fills: { reason: null } });
    expect(all[4]).toMatchObject({ ...EQUAL, balances: { reason: null }, fills: { checked: 0, reason: "UNREADABLE" } });
    expect(all[4]?.journal.reason).toBe("UNREADABLE");
    expect(all[5]).toMatchObject({ ...EQUAL, balances: { reason: null }, fills: { reason: null } });
  });

  it("reports each day once", () => {
    for (const name of NAMES) {
      const own = reported.filter(({ account }) => account === name);
      expect(own.map(({ day, differences, unchecked }) => [day, differences.length, unchecked])).toEqual([
        ["2026-01-01", 0, []],
        ["2026-01-02", 4, []],
        ["2026-01-03", 0, ["balances: NOT_RECORDED"]],
        ["2026-01-04", 0, ["balances: NOT_RECORDED"]],
        ["2026-01-05", 0, ["fills: UNREADABLE", "journal: UNREADABLE"]],
        ["2026-01-06", 0, []],
      ]);
    }
  });

  it("is in the graph, without a call", async () => {
    world.sandbox.calls.clear();
    const { account } = await run(
      `query ($from: DateTime!) { account(name: "main") { reconciliation(from: $from) {
        startTime endTime checkedTime differenceCount balances { checked reason } fills { checked reason } journal { checked reason }
        differences { kind time pool coin category symbol orderId clientOid key expected found } } } }`,
      { from: new Date(START).toISOString() },
    );
    expect(account.reconciliation.length).toBe(6);
    expect(account.reconciliation[1]).toMatchObject({ startTime: "2026-01-02T00:00:00.000Z", differenceCount: 4 });
    expect(account.reconciliation[1].differences).toContainEqual(
      expect.objectContaining({ kind: "FILLS_INCOMPLETE", category: "USDT_FUTURES", symbol: "ETHUSDT", orderId: robbed.main }),
    );
  });

  describe("of days whose writes are not what they seem, that have too much, or after which the account is another one", () => {
    /** Differences and days that could not be compared, as the metrics count them. */
    const counted = async (): Promise<Readonly<Record<string, string>>> =>
      Object.fromEntries(
        [...(await metrics.registry.metrics()).matchAll(/^exchange_graph_reconcil\w+\{\w+="(\w+)"\} (\d+)$/gm)].map(
          ([, name = "", n = ""]) => [name, n],
        ),
      );
    const logged = (account: string, day: string) =>
      lines.map((line) => JSON.parse(line)).filter((line) => line.account === account && line.day === day);
    const shown = async (name: string, day: number) => {
      const { account } = await run(
        `query ($name: String!, $from: DateTime!, $to: DateTime!) { account(name: $name) { reconciliation(from: $from, to: $to) {
          startTime differenceCount balances { checked reason } fills { checked reason } journal { checked reason }
          differences { kind symbol orderId clientOid key } } } }`,
        { name, from: new Date(START + day * DAY_MS).toISOString(), to: new Date(at(day)).toISOString() },
      );
      return account.reconciliation[0];
    };
    let before: Readonly<Record<string, string>>;
    let missing = "";

    beforeAll(async () => {
      before = await counted();
      const { sandbox } = world;
      const { state, orders, modes } = sandbox.world;
      await recorded();
      // An accepted order of which the exchange has no trace any more.
      await limit("main", "gone");
      const [order] = [...state.orders.open(MAIN_UID)].filter(({ clientOid }) => clientOid === "gone");
      if (order === undefined) throw new Error("the order is missing");
      missing = order.orderId;
      orders.cancel(MAIN_UID, "SPOT", { orderId: missing });
      const finished = state.orders.finished.bind(state.orders);
      state.orders.finished = (uid) => finished(uid).filter(({ orderId }) => orderId !== missing);
      // A write whose answer is lost, while the exchange answers no look-up.
      sandbox.faults.add({ endpoint: "classicPlaceSpotOrder", fault: { kind: "lost-reply" }, times: 1 });
      const silence = sandbox.faults.add({ endpoint: "classicSpotOrderInfo", fault: { kind: "answer", status: 502 } });
      await limit("classic", "lost", "UNKNOWN");
      await recorded();
      await sleep(1);
      await compared(7);
      sandbox.faults.remove(silence);
      // More executions of orders from before than are looked up; and an account that becomes a unified one.
      await recorded();
      const now = world.clock.now();
      for (let number = 0; number <= MAX_LOOKED_UP; number++) state.orders.enterFill(fillAt(MAIN_UID, now, number));
      modes.upgrade(CLASSIC_UID);
      await recorded();
      await sleep(1);
      await compared(8);
    }, 300_000);

    it("finds an accepted order that the exchange does not have, and a write whose outcome is not known", async () => {
      const [main, classic] = [await shown("main", 6), await shown("classic", 6)];
      expect(main).toMatchObject({ differenceCount: 1, balances: { reason: null }, fills: { reason: null } });
      expect(main.differences).toEqual([
        { kind: "ORDER_MISSING", symbol: "BTCUSDT", orderId: missing, clientOid: "gone", key: expect.any(String) },
      ]);
      expect(classic).toMatchObject({ differenceCount: 1, balances: { reason: null }, fills: { reason: null } });
      expect(classic.differences).toMatchObject([{ kind: "WRITE_UNSETTLED", clientOid: "lost", key: expect.any(String) }]);
      const [[ofMain], [ofClassic]] = [logged("main", "2026-01-07"), logged("classic", "2026-01-07")];
      expect(ofMain).toMatchObject({ level: "warn", count: 1, differences: [{ kind: "ORDER_MISSING", orderId: missing }] });
      expect(ofClassic).toMatchObject({ level: "warn", count: 1, differences: [{ kind: "WRITE_UNSETTLED", clientOid: "lost" }] });
    });

    it("says of which parts there was too much, and that the account's mode has changed", async () => {
      const [main, classic] = [await shown("main", 7), await shown("classic", 7)];
      const tooMany = { checked: 0, reason: "TOO_MANY" };
      expect(main).toMatchObject({ differenceCount: 0, balances: { reason: null }, fills: tooMany, journal: tooMany });
      const changed = { checked: 0, reason: "MODE_CHANGED" };
      expect(classic).toMatchObject({ differenceCount: 0, balances: changed, fills: changed, journal: changed });
      const [[ofMain], [ofClassic]] = [logged("main", "2026-01-08"), logged("classic", "2026-01-08")];
      expect(ofMain).toMatchObject({ level: "warn", unchecked: ["fills: TOO_MANY", "journal: TOO_MANY"] });
      expect(ofClassic).toMatchObject({
        ...{ level: "warn", unchecked: ["balances: MODE_CHANGED", "fills: MODE_CHANGED", "journal: MODE_CHANGED"] },
      });
    });

    it("counts each of them", async () => {
      const after = await counted();
      const more = Object.keys(after).flatMap((name) => {
        const count = Number.parseInt(after[name] ?? "0", 10) - Number.parseInt(before[name] ?? "0", 10);
        return count === 0 ? [] : [[name, count]];
      });
      expect(Object.fromEntries(more)).toEqual({ different: 2, unchecked: 2, ORDER_MISSING: 1, WRITE_UNSETTLED: 1 });
    });
  });
});

import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { type DecimalText, exact } from "@exchange-graph/contract/decimal";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { progressOf } from "../../../src/datasources/history/backfill/progress.js";
import { Backfill, BalanceRecords, Curves, type HistoryStore, Recorder } from "../../../src/datasources/history/index.js";
import { type GapReason, isGap, type Point, pointIn } from "../../../src/datasources/history/point.js";
import { RequestReads } from "../../../src/datasources/index.js";
import type { HistoryEvent } from "../../../src/instrumentation/events.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { seeded } from "../../support/seeded.js";
import { START } from "../streams/support/followed.js";
import { RandomTrader } from "../streams/support/randomTrader.js";
import { type StreamedSandbox, streamedSandbox } from "../streams/support/streamedSandbox.js";
import { directHistory } from "./support/directHistory.js";
import { type Truth, truthOf } from "./support/truth.js";

/** The past of accounts, rebuilt over HTTP from a sandbox in which they have traded for days, beside what was recorded of these days. */

const USERS = [MAIN_UID, CLASSIC_UID];
/** Hours of trading: more than are rebuilt at once. */
const HOURS = 50;
/** Hours at whose end a recorder runs. */
const RECORDED = [37];

type Store = ReturnType<typeof directHistory>;

let world: StreamedSandbox;
/** What was recorded while it happened. */
let recorded: Store;
const truths = new Map<string, Truth[]>(USERS.map((user) => [user, []]));
const events: HistoryEvent[] = [];
const recorders: Recorder[] = [];

interface Terms {
  readonly backfillMs?: number;
  readonly holder?: string;
  readonly keptFrom?: number;
}

function recording(store: HistoryStore, { backfillMs = 89 * DAY_MS, holder = "one", keptFrom }: Terms = {}): Recorder {
  const { exchange, streams, clock, instrumentation } = world;
  const newReads = () => new RequestReads(exchange, { priority: "background", patienceMs: MINUTE_MS, live: streams.live });
  const ledger = new BalanceRecords(store, newReads);
  const settings = { intervalMs: MINUTE_MS, retentionMs: 400 * DAY_MS, backfillMs };
  const now = () => exchange.clock.now();
  // The exchange of this test has kept everything.
  const coverage = async (user: string) => {
    const all = await ledger.coverage(user);
    return all && { ...all, from: keptFrom ?? all.from };
  };
  const changes: BalanceRecords["changes"] = (...asked) => ledger.changes(...asked);
  const backfill = new Backfill({ store, ledger: { coverage, changes }, newReads, now, instrumentation, settings });
  const reconciler = { turn: async () => undefined };
  const made = new Recorder({ exchange, streams, store, ledger, backfill, reconciler, clock, instrumentation, holder, settings });
  recorders.push(made);
  made.start();
  return made;
}

type Resolution = "MINUTE" | "HOUR" | "DAY";
const points = async (store: HistoryStore, user: string, resolution: Resolution = "HOUR") =>
  (await store.points(user, resolution, { after: 0, to: Number.MAX_SAFE_INTEGER, limit: 10_000 })).map(pointIn);

const rebuilt = async (store: HistoryStore, user: string, resolution: Resolution = "HOUR"): Promise<readonly Point[]> =>
  (await points(store, user, resolution)).filter((point): point is Point => !isGap(point) && point.source === "RECONSTRUCTED");

async function until(holds: () => Promise<boolean>, withinMs = 60 * MINUTE_MS): Promise<void> {
  for (let passed = 0; !(await holds()); passed += 5_000) {
    if (passed > withinMs) throw new Error(`it did not come to hold after ${JSON.stringify(events.slice(-5), String)}`);
    await world.pass(5_000, 1_000);
  }
}

const statuses = (store: HistoryStore) => Promise.all(USERS.map(async (user) => (await progressOf(store, user))?.status));
const isComplete = async (store: HistoryStore): Promise<boolean> =>
  (await statuses(store)).every((status) => status === "COMPLETE");

/** Rebuilds both pasts into a new store. */
async function complete(terms: Terms = {}): Promise<Store> {
  const store = directHistory(":memory:", world.clock);
  const recorder = recording(store, terms);
  await until(() => isComplete(store));
  await recorder.close();
  return store;
}

const balances = (coins: Point["coins"]) =>
  Object.fromEntries(
    coins.filter(({ balance }) => balance !== "0").map(({ pool, coin, balance }) => [`${pool} ${coin}`, balance]),
  );

const apart = (one: DecimalText, other: DecimalText) => exact(one).minus(other).abs();

/** What is to be remembered of the end of an hour. */
function remember(): void {
  for (const user of USERS) truths.get(user)?.push(truthOf(world.sandbox, user));
}

/** Opens the world in which the following tests rebuild. */
async function open(start: number): Promise<void> {
  world = await streamedSandbox("v3", {}, start, undefined, false, "none", true, undefined, 6_000);
  listen(world.instrumentation, world.instrumentation.history, (event) => events.push(event));
  for (const user of USERS) truths.set(user, []);
}

afterEach(async () => {
  await Promise.all(recorders.splice(0).map((recorder) => recorder.close()));
  events.length = 0;
  world.sandbox.faults.clear();
});

async function tradeForDays(): Promise<void> {
  await open(START);
  recorded = directHistory(":memory:", world.clock);
  const random = seeded(11);
  // A position whose cost the trader itself has changed has no history.
  const trader = new RandomTrader(world.sandbox.world, (below) => (below === 80 ? 1 : random(below)));
  const margin = { uid: MAIN_UID, category: "MARGIN", symbol: "BTCUSDT", orderType: "market", quantity: exact("1.5") } as const;
  for (let hour = 1; hour <= HOURS; hour++) {
    const end = START + hour * HOUR_MS;
    for (let quarter = 0; quarter < 3; quarter++) {
      world.clock.advance(15 * MINUTE_MS);
      for (let act = 0; act < 3; act++) trader.act();
    }
    // Coins that are borrowed, and sold again many hours later.
    if (hour === 6 || hour === 20) world.sandbox.world.orders.place({ ...margin, side: hour === 6 ? "buy" : "sell" });
    world.clock.advance(end - 4 * MINUTE_MS - world.clock.now());
    const recorder = RECORDED.includes(hour) ? recording(recorded, { backfillMs: 0 }) : undefined;
    if (recorder === undefined) world.clock.advance(end - world.clock.now());
    else await world.pass(end - world.clock.now(), 1_000);
    remember();
    if (recorder === undefined) continue;
    await world.pass(30_000, 1_000);
    await recorder.close();
    // Its connections end.
    await world.pass(15_000, 1_000);
  }
}

describe("the past of accounts", () => {
  let store: Store;
  beforeAll(tradeForDays, 240_000);
  afterAll(() => world.close());

  it("is rebuilt hour by hour: balances to the last digit, debts but for their interest, equity but for the last tick", async () => {
    store = await complete();
    for (const user of USERS) {
      const found = new Map((await rebuilt(store, user)).map((point) => [point.at, point]));
      const errors: number[] = [];
      let borrowed = 0;
      for (const truth of truths.get(user) ?? []) {
        const point = found.get(truth.at);
        const was = Object.fromEntries(
          [...truth.coins].filter(([, { balance }]) => balance !== "0").map(([key, { balance }]) => [key, balance]),
        );
        expect([user, truth.at, balances(point?.coins ?? [])]).toEqual([user, truth.at, was]);
        for (const { pool, coin, debt } of point?.coins ?? []) {
          const { debt: owed = "0" } = truth.coins.get(`${pool} ${coin}`) ?? {};
          if (owed !== "0") borrowed++;
          expect([coin, debt, owed, apart(debt, owed).lte(exact(owed).times("0.001"))]).toEqual([coin, debt, owed, true]);
        }
        const error = apart(point?.equity ?? "0", truth.equity).div(truth.equity);
        errors.push(Number.parseFloat(error.toFixed(8)));
      }
      errors.sort((one, other) => one - other);
      // A price is that of the candle that ends then, and not of the tick after it.
      expect(errors.at(-1)).toBeLessThan(0.002);
      expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(0.0001);
      expect(borrowed > 0).toBe(user === MAIN_UID);
    }
  });

  it("agrees with what was recorded of the same hours, and every change in it is explained", async () => {
    const { exchange, clock } = world;
    const ledger = new BalanceRecords(store, () => new RequestReads(exchange));
    const curves = new Curves({
      store,
      ledger,
      clock,
      now: () => exchange.clock.now(),
      intervalMs: MINUTE_MS,
      backfillMs: DAY_MS,
    });
    let compared = 0;
    for (const user of USERS) {
      const past = await rebuilt(store, user);
      for (const sample of await points(recorded, user)) {
        const same = past.find(({ at }) => at === sample.at);
        if (isGap(sample) || same === undefined || sample.time < sample.at) continue;
        compared++;
        expect([user, sample.at, balances(same.coins)]).toEqual([user, sample.at, balances(sample.coins)]);
        expect(apart(same.equity, sample.equity).div(sample.equity).lt("0.002")).toBe(true);
        expect(same).toMatchObject({ mode: sample.mode, source: "RECONSTRUCTED", comparedAt: null, marginInUse: null, count: 1 });
      }
      const span = { from: START, to: clock.now(), resolution: "HOUR" } as const;
      const curve = await curves.read(user, span, true);
      const changes = curve.points.flatMap(({ source, change }) => (source === "RECONSTRUCTED" && change ? [change] : []));
      expect(changes.length).toBe(past.length - 1);
      expect(new Set(changes.map(({ unexplained }) => unexplained))).toEqual(new Set(["0"]));
      const days = await rebuilt(store, user, "DAY");
      for (const day of days) {
        const own = past.filter(({ at }) => at > day.at - DAY_MS && at <= day.at);
        const sorted = own.map(({ equity }) => exact(equity)).sort((one, other) => one.cmp(other));
        expect([day.count, day.equity, day.low, day.high].map(String)).toEqual(
          [own.length, own.at(-1)?.equity, sorted[0]?.toFixed(), sorted.at(-1)?.toFixed()].map(String),
        );
      }
      expect(days.length).toBe(3);
    }
    expect(compared).toBe(2 * RECORDED.length);
  });

  it("goes on where it was after its process was killed, under another name of the account, with one that came later", async () => {
    const { exchange } = world;
    const [main, classic] = [{ ...world.account("main") }, { ...world.account("classic") }];
    const second = directHistory(":memory:", world.clock);
    const writes: number[] = [];
    // The process that is killed: nothing of it reaches the store any more.
    let isKilled = false;
    const killed: HistoryStore = {
      ...second,
      write: async (batch) => {
        if (isKilled) throw new Error("this process is gone");
        await second.write(batch);
        if (batch.points?.some(({ resolution, body }) => resolution === "HOUR" && body.includes("RECONSTRUCTED")) ?? false) {
          writes.push(batch.points?.length ?? 0);
          isKilled = true;
        }
      },
      hold: async (...asked) => !isKilled && second.hold(...asked),
      release: async () => undefined,
    };
    await exchange.replaceAccounts([main], 1_000);
    recording(killed, { holder: "killed" });
    await until(async () => isKilled);
    const reached = (await progressOf(second, MAIN_UID))?.reached ?? 0;
    expect(await statuses(second)).toEqual(["RUNNING", undefined]);
    await exchange.replaceAccounts([{ ...main, name: "renamed" }, classic], 1_000);
    events.length = 0;
    world.sandbox.calls.clear();
    recording(second, { holder: "next" });
    await until(() => isComplete(second));
    for (const user of USERS) {
      const hours = await rebuilt(second, user);
      expect(hours.map(({ at }) => at)).toEqual(hours.map((_, index) => (hours[0]?.at ?? 0) + index * HOUR_MS));
      const before = new Map((await rebuilt(store, user)).map((point) => [point.at, point]));
      for (const hour of hours) if (before.has(hour.at)) expect(hour).toEqual(before.get(hour.at));
    }
    const stretches = events.filter((event) => event.kind === "rebuilt" && event.account === "renamed");
    const rows = stretches.reduce((sum, event) => sum + (event.kind === "rebuilt" ? event.points : 0), 0);
    const all = [...(await rebuilt(second, MAIN_UID)), ...(await rebuilt(second, MAIN_UID, "DAY"))];
    // Each point was written once: before the kill, or after it.
    expect(rows + (writes[0] ?? 0)).toBe(all.length);
    expect(all.filter(({ at }) => at >= reached).length).toBe(writes[0]);
    await exchange.replaceAccounts([main, classic], 1_000);
  });

  it("waits while the exchange is in maintenance, and goes on after it", async () => {
    const slow = directHistory(":memory:", world.clock);
    for (const endpoint of ["fills", "classicFuturesFillHistory", "candles"])
      world.sandbox.faults.add({ endpoint, fault: { kind: "answer", status: 503 } });
    recording(slow);
    await until(async () => events.filter(({ kind }) => kind === "failed").length > 1);
    await world.pass(2 * MINUTE_MS, 1_000);
    expect((await rebuilt(slow, MAIN_UID)).length + (await rebuilt(slow, CLASSIC_UID)).length).toBe(0);
    world.sandbox.faults.clear();
    await until(() => isComplete(slow));
    expect((await rebuilt(slow, MAIN_UID)).length).toBe(HOURS + 1);
  });

  it("ends where a setting says, or with a gap where the exchange keeps nothing more", async () => {
    const limited = await complete({ backfillMs: DAY_MS });
    expect((await rebuilt(limited, MAIN_UID)).length).toBe(24);
    expect((await points(limited, MAIN_UID)).filter(isGap)).toEqual([]);
    const ended = await complete({ keptFrom: START + 90 * MINUTE_MS });
    const gap = (at: number): { at: number; gap: GapReason } => ({ at, gap: "NOT_KEPT" });
    const [hours, days] = [await points(ended, MAIN_UID), await points(ended, MAIN_UID, "DAY")];
    expect([hours[0], hours[1]?.at]).toEqual([gap(START + HOUR_MS), START + 2 * HOUR_MS]);
    expect([days[0], days[1]?.at]).toEqual([gap(START), START + DAY_MS]);
    // 0.2.0 decodes the reasons that it knows.
    const [stored] = await ended.points(MAIN_UID, "DAY", { after: 0, to: Number.MAX_SAFE_INTEGER, limit: 1 });
    expect(JSON.parse(stored?.body ?? "")).toMatchObject({ gap: "NOT_RECORDED" });
  });

  it("is not rebuilt where that is switched off", async () => {
    const none = directHistory(":memory:", world.clock);
    recording(none, { backfillMs: 0 });
    await until(async () => (await points(none, MAIN_UID, "MINUTE")).length > 3);
    expect([await rebuilt(none, MAIN_UID), await statuses(none)]).toEqual([[], [undefined, undefined]]);
  });
});

/** Positions that the exchange itself closes: a quarterly contract, and a future with a high leverage. */
const DELIVERED = { category: "COIN-FUTURES", symbol: "BTCUSDH26", quantity: exact("0.01") } as const;
const LIQUIDATED = { category: "USDT-FUTURES", symbol: "SOLUSDT", quantity: exact("5") } as const;
/** When the contract is delivered. The sandbox lists it 60 days before. */
const DELIVERY = Date.UTC(2026, 2, 27, 8);
const [BEFORE, AFTER] = [18, 8];

describe("the past of accounts whose positions the exchange has closed", () => {
  beforeAll(async () => {
    await open(DELIVERY - 60 * DAY_MS);
    world.clock.advance(DELIVERY - BEFORE * HOUR_MS - world.clock.now());
    const { orders, settings, state } = world.sandbox.world;
    const order = { side: "buy", orderType: "market" } as const;
    for (const uid of USERS) {
      orders.place({ ...DELIVERED, ...order, uid, marginMode: "crossed" });
      settings.setLeverage({ uid, ...LIQUIDATED }, { crossed: 75, long: 75, short: 75 });
    }
    for (let hour = 1; hour <= BEFORE + AFTER; hour++) {
      world.clock.advance(20 * MINUTE_MS);
      for (const uid of USERS) {
        const isOpen = [...state.positions.open(uid)].some(({ symbol }) => symbol === LIQUIDATED.symbol);
        if (!isOpen && hour <= BEFORE) orders.place({ ...LIQUIDATED, ...order, uid, marginMode: "isolated" });
      }
      world.clock.advance(40 * MINUTE_MS);
      remember();
    }
    world.clock.advance(5 * MINUTE_MS);
  }, 240_000);
  afterAll(() => world.close());

  const fillsOf = (user: string) => world.sandbox.world.state.orders.fills(user);

  it("has their liquidation and delivery as they were: balances to the last digit, and no contract afterwards", async () => {
    const store = await complete({ backfillMs: 2 * DAY_MS });
    for (const user of USERS) {
      const ends = [...world.sandbox.world.state.positions.closed(user)].map(({ endedBy, symbol }) => `${symbol} ${endedBy}`);
      expect(ends).toEqual(expect.arrayContaining(["BTCUSDH26 delivery", "SOLUSDT liquidation"]));
      const found = new Map((await rebuilt(store, user)).map((point) => [point.at, point]));
      for (const truth of truths.get(user) ?? []) {
        const point = found.get(truth.at);
        const was = [...truth.coins].map(([key, { balance }]) => [key, balance]).filter(([, balance]) => balance !== "0");
        expect([user, truth.at, balances(point?.coins ?? [])]).toEqual([user, truth.at, Object.fromEntries(was)]);
        expect([
          truth.at,
          apart(point?.equity ?? "0", truth.equity)
            .div(truth.equity)
            .lt("0.002"),
        ]).toEqual([truth.at, true]);
      }
      const pool = user === MAIN_UID ? "UNIFIED" : DELIVERED.category;
      const profit = (at: number) =>
        found.get(at)?.coins.find((held) => held.pool === pool && held.coin === "BTC")?.unrealisedPnl;
      expect([profit(DELIVERY - HOUR_MS) === "0", profit(DELIVERY), profit(DELIVERY + HOUR_MS)]).toEqual([false, "0", "0"]);
      expect((await points(store, user)).filter(isGap)).toEqual([]);
    }
  });

  it("stops where an execution says not enough, with a gap that says so, and is not tried again", async () => {
    const fill = fillsOf(MAIN_UID).find(({ symbol }) => symbol === LIQUIDATED.symbol);
    if (fill === undefined) throw new Error("there is no execution");
    const { side } = fill;
    Object.assign(fill, { side: "sideways" });
    const store = directHistory(":memory:", world.clock);
    const recorder = recording(store, { backfillMs: 4 * DAY_MS });
    await until(async () => (await statuses(store)).join() === "STOPPED,COMPLETE");
    const [first, ...hours] = await points(store, MAIN_UID);
    expect(first).toMatchObject({ gap: "NOT_COMPUTABLE" });
    expect(hours.every((point) => isGap(point) || point.source === "STREAM")).toBe(true);
    expect((await points(store, MAIN_UID, "DAY"))[0]).toMatchObject({ gap: "NOT_COMPUTABLE" });
    expect(events.filter((event) => event.kind === "rebuilt" && event.status === "STOPPED").length).toBe(1);
    await recorder.close();
    Object.assign(fill, { side });
    world.sandbox.calls.clear();
    recording(store, { backfillMs: 4 * DAY_MS, holder: "later" });
    await world.pass(5 * MINUTE_MS, 1_000);
    expect(await statuses(store)).toEqual(["STOPPED", "COMPLETE"]);
    expect(world.sandbox.calls.of("candles").total).toBe(0);
  }, 90_000);

  it("stops before it has begun where what was traded since the first sample says not enough", async () => {
    const store = directHistory(":memory:", world.clock);
    recording(store, { backfillMs: DAY_MS });
    await until(async () => (await points(store, MAIN_UID, "MINUTE")).some((point) => !isGap(point)));
    const order = { ...LIQUIDATED, uid: MAIN_UID, side: "buy", orderType: "market", marginMode: "isolated" } as const;
    world.sandbox.world.orders.place(order);
    Object.assign(fillsOf(MAIN_UID)[0] ?? {}, { side: "sideways" });
    await until(async () => (await statuses(store)).join() === "STOPPED,COMPLETE");
    const [first] = await points(store, MAIN_UID);
    expect(first).toMatchObject({ gap: "NOT_COMPUTABLE" });
    expect(await rebuilt(store, MAIN_UID)).toEqual([]);
    expect(events.filter(({ kind }) => kind === "failed")).toEqual([]);
  }, 90_000);
});

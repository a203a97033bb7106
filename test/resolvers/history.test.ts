import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { execute, parse, validate } from "graphql";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CAUSES } from "../../src/datasources/history/change.js";
import {
  BalanceRecords,
  type Curve,
  type CurvePoint,
  Curves,
  DailyReconciler,
  type HistoryStore,
  Recorder,
} from "../../src/datasources/history/index.js";
import { RequestReads } from "../../src/datasources/index.js";
import { ANYONE, createContext } from "../../src/resolvers/index.js";
import { directHistory } from "../datasources/history/support/directHistory.js";
import { START } from "../datasources/streams/support/followed.js";
import { RandomTrader } from "../datasources/streams/support/randomTrader.js";
import { type StreamedSandbox, streamedSandbox } from "../datasources/streams/support/streamedSandbox.js";
import { graph } from "../support/graph.js";
import { seeded } from "../support/seeded.js";

/** The history of accounts in the graph, over a sandbox whose accounts trade while they are recorded. */

let world: StreamedSandbox;
let curves: Curves;
let store: HistoryStore;
let recorder: Recorder;
let done: Readonly<Record<string, number>>;

/** Simulated days, and what the accounts do on each. */
const DAYS = Number.parseInt(process.env.HISTORY_DAYS ?? "2", 10);
const STEPS = 40;

function openRecorder(holder: string): Recorder {
  const { exchange, streams, clock, instrumentation } = world;
  const ledger = new BalanceRecords(store, () => new RequestReads(exchange));
  curves = new Curves({ store, ledger, clock, now: () => exchange.clock.now(), intervalMs: MINUTE_MS, backfillMs: DAY_MS });
  const settings = { intervalMs: MINUTE_MS, retentionMs: 400 * DAY_MS, backfillMs: 0 };
  const [backfill, now] = [{ run: async () => true }, () => exchange.clock.now()];
  const reading = { newReads: () => new RequestReads(exchange), journal: exchange.writes.journal };
  const reconciler = new DailyReconciler({ store, ledger, ...reading, now, instrumentation });
  const parts = { exchange, streams, store, ledger, backfill, reconciler, clock, instrumentation };
  const made = new Recorder({ ...parts, holder, settings });
  made.start();
  return made;
}

const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER, resolution: "MINUTE" } as const;
const pointsOf = async (user: string): Promise<readonly CurvePoint[]> => (await curves.read(user, ALL, true)).points;

const hours = async (user: string): Promise<readonly CurvePoint[]> =>
  (await curves.read(user, { ...ALL, resolution: "HOUR" }, true)).points;

async function recorded(more: number): Promise<void> {
  const users = [MAIN_UID, CLASSIC_UID];
  const count = () => Promise.all(users.map(async (user) => (await pointsOf(user)).length));
  const before = await count();
  for (let passed = 0; ; passed += 5_000) {
    const now = await count();
    if (now.every((one, at) => one >= (before[at] ?? 0) + more)) return;
    if (passed > 30 * MINUTE_MS) {
      const gaps = await Promise.all(users.map(async (user) => (await curves.read(user, ALL, false)).gaps.at(-1)));
      throw new Error(`nothing was recorded: ${JSON.stringify([gaps, now])}`);
    }
    await world.pass(5_000, 1_000);
  }
}

async function run(document: string, variables: object = {}) {
  const parsed = parse(document);
  expect(validate(graph, parsed)).toEqual([]);
  world.sandbox.calls.clear();
  const contextValue = createContext(world.exchange, ANYONE, world.streams, undefined, undefined, curves);
  const result = await execute({ schema: graph, document: parsed, contextValue, variableValues: { ...variables } });
  const { reads } = contextValue.reads.trace;
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on each test's query, and its assertions check them
  return { data: result.data as any, errors: result.errors ?? [], calls: reads.map(({ endpoint }) => endpoint) };
}

const iso = (ms: number): string => new Date(ms).toISOString();
describe("the history of accounts", () => {
  beforeAll(
    async () => {
      world = await streamedSandbox("v3", {}, START, undefined, false, "none", true, undefined, 6_000);
      // No replica of this test gives the right to record back: each is replaced once its lease has run out.
      store = { ...directHistory(":memory:", world.clock), release: async () => undefined };
      recorder = openRecorder("0");
      const trader = new RandomTrader(world.sandbox.world, seeded(7));
      await recorded(1);
      for (let day = 1; day <= DAYS; day++) {
        for (let step = 0; step < STEPS; step++) {
          trader.act();
          await world.pass(2_000, 1_000);
        }
        world.sandbox.services.wallets.deposit(MAIN_UID, "USDT", exact("12.345678"));
        const funding = { uid: MAIN_UID, kind: "funding" } as const;
        world.sandbox.world.transfers.transfer(funding, { uid: MAIN_UID, kind: "unified" }, "USDT", exact("5.5"));
        await recorded(1);
        // A gap: pushes are lost, and the accounts trade on.
        world.line?.lose();
        for (let step = 0; step < 10; step++) {
          trader.act();
          await world.pass(10_000, 2_000);
        }
        world.line?.mend();
        await recorded(1);
        // Another replica takes over.
        await recorder.close();
        recorder = openRecorder(`${day}, later`);
        await recorded(1);
        // A night without a recorder: prices move, funding and interest are paid. Then another process records.
        await recorder.close();
        await world.pass(15_000, 1_000);
        for (let hour = 0; hour < 24; hour++) world.clock.advance(HOUR_MS);
        recorder = openRecorder(`${day}`);
        await recorded(1);
      }
      done = trader.done;
      await world.pass(2 * MINUTE_MS, 1_000);
    },
    60_000 * (DAYS + 2),
  );
  afterAll(async () => {
    await recorder.close();
    await world.close();
  });

  it("explains every change of equity to the last digit, over days of trading, gaps and restarts", async () => {
    expect(Object.keys(done)).toEqual(expect.arrayContaining([...PRODUCT_CATEGORIES]));
    for (const user of [MAIN_UID, CLASSIC_UID]) {
      const points = await pointsOf(user);
      let explainedPoints = 0;
      for (const [at, { change, equity, at: end }] of points.entries()) {
        const before = points[at - 1];
        if (before === undefined || change === undefined) continue;
        explainedPoints++;
        const sum = CAUSES.reduce((total, cause) => total.plus(change[cause]), exact("0"));
        const difference = plain(exact(equity).minus(before.equity));
        expect([user, iso(end), change.unexplained, plain(sum), change.total]).toEqual([
          user,
          iso(end),
          "0",
          difference,
          difference,
        ]);
      }
      // The changes of the last sample may not have been read yet.
      expect(explainedPoints).toBeGreaterThan(points.length / 2);
      expect((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)).toBeGreaterThan(DAYS * DAY_MS);
    }
  });

  it("finds each day equal to what the exchange has, whoever has recorded it", async () => {
    for (const user of [MAIN_UID, CLASSIC_UID]) {
      const days = await curves.reconciled(user, 0, Number.MAX_SAFE_INTEGER);
      expect(days.map(({ at }) => at)).toEqual(Array.from({ length: DAYS }, (_, day) => START + (day + 1) * DAY_MS));
      const known = { differences: [], count: 0, journal: { checked: 0, reason: "NO_WRITES" } };
      for (const day of days)
        expect([user, day]).toMatchObject([user, { ...known, fills: { reason: null }, balances: { reason: null } }]);
      expect(days.some(({ fills }) => fills.checked > 0)).toBe(true);
    }
  });

  it("answers from what was recorded, without a call", async () => {
    const { data, errors, calls } = await run(
      `query ($from: DateTime!, $to: DateTime) {
        account(name: "main") { equityHistory(from: $from, to: $to, interval: MINUTE) { ...All } }
        equityHistory(from: $from) { ...All }
        before: equityHistory(from: "1970-01-01T00:00:00Z", to: "1970-01-02T00:00:00Z") { ...All }
      }
      fragment All on EquityHistory {
        interval changesStartTime changesEndTime missingAccounts { name } gaps { startTime endTime reason }
        points { time sampledTime source comparedTime equity low high samples unrealisedPnl debt marginInUse
          coins { pool coin balance unrealisedPnl debt price equity }
          change { ${CAUSES.join(" ")} flows total } } }`,
      { from: iso(START), to: iso(START + DAY_MS / 2) },
    );
    expect([errors, calls]).toEqual([[], []]);
    const { points, interval, gaps } = data.account.equityHistory;
    expect(interval).toBe("MINUTE");
    expect(points.at(-1)).toMatchObject({ source: "STREAM", samples: 1, low: points.at(-1).equity });
    expect(points.map(({ change }: { change: { transfers: string } | null }) => change?.transfers)).toContain("5.5");
    expect(gaps.map(({ reason }: { reason: string }) => reason)).toContain("INTERRUPTED");
    const [main, classic] = await Promise.all([MAIN_UID, CLASSIC_UID].map(async (user) => hours(user)));
    const first = data.equityHistory.points[0];
    const own = [main, classic].map((all) => all?.find(({ at }) => iso(at) === first.time)?.equity ?? "0");
    expect(first.equity).toBe(plain(exact(own[0] ?? "0").plus(own[1] ?? "0")));
    expect(first.change?.unexplained ?? "0").toBe("0");
    // What a sum does not contain is named beside it.
    const missing = [data.account.equityHistory, data.equityHistory, data.before].map(({ missingAccounts }) => missingAccounts);
    expect(missing).toEqual([[], [], [{ name: "main" }, { name: "classic" }]]);
  });

  it("has the performance of an account, of all together, by month, category and symbol, and the calendar", async () => {
    const FIGURE = "{ value reason }";
    const { data, errors, calls } = await run(
      `query ($from: DateTime!) {
        main: account(name: "main") { performance(from: $from) { ...P } calendar: profitCalendar(from: $from) { ...D } }
        all: performance(from: $from) { ...P } calendar: profitCalendar(from: $from) { ...D }
        months: performance(from: $from, by: MONTH) { ...P }
        symbols: performance(from: $from, by: SYMBOL) { ...P }
        categories: performance(from: $from, by: CATEGORY) { ...P }
      }
      fragment D on ProfitDay { startTime profit flows equity dailyReturn ${FIGURE} }
      fragment P on Performance { account { name } category symbol startTime endTime equityAtStart equityAtEnd
        change { total flows unexplained fees funding }
        timeWeightedReturn ${FIGURE} moneyWeightedReturn ${FIGURE} maxDrawdown ${FIGURE} longestDrawdownSeconds volatility ${FIGURE}
        sharpe ${FIGURE} sortino ${FIGURE} calmar ${FIGURE} realised fees funding closings winRate ${FIGURE} profitFactor ${FIGURE}
        expectancy ${FIGURE} }`,
      { from: iso(START) },
    );
    expect([errors, calls]).toEqual([[], []]);
    const [own] = data.main.performance;
    expect(own).toMatchObject({ account: { name: "main" }, category: null });
    expect(own.sharpe.reason).toBe(DAYS < 5 ? "TOO_FEW_DAYS" : null);
    expect(own.change).toMatchObject({ unexplained: "0", total: plain(exact(own.equityAtEnd).minus(own.equityAtStart)) });
    expect([own.timeWeightedReturn.reason, own.moneyWeightedReturn.reason, own.maxDrawdown.reason]).toEqual([null, null, null]);
    expect(exact(own.fees).plus(own.change.fees).div("2").eq(own.fees)).toBe(true);
    expect(data.all.map(({ account }: { account: { name: string } | null }) => account?.name ?? null)).toEqual([
      "main",
      "classic",
      null,
    ]);
    expect(data.months.length).toBe(1);
    expect(data.symbols.map(({ symbol }: { symbol: string }) => symbol)).toContain("BTCUSDT");
    expect(data.categories.map(({ category }: { category: string }) => category)).toContain("USDT_FUTURES");
    const sum = (rows: readonly { readonly fees: string }[]) =>
      plain(rows.reduce((total, { fees }) => total.plus(fees), exact("0")));
    expect([sum(data.symbols), sum(data.categories)]).toEqual([data.all[2].fees, data.all[2].fees]);
    expect(data.categories[0].sharpe).toEqual({ value: null, reason: "NOT_BY_PRODUCT" });
    expect(data.main.calendar.length).toBeGreaterThanOrEqual(DAYS);
    const known = data.main.calendar.filter(({ profit }: { profit: string | null }) => profit !== null);
    expect(known.length).toBeGreaterThan(0);
  });

  it("has the same days in the calendar of a part of a range, and none before it", async () => {
    const daysFrom = async (from: number) =>
      (
        await run(
          `query ($from: DateTime!, $to: DateTime) { account(name: "main") {
            profitCalendar(from: $from, to: $to) { startTime profit flows equity dailyReturn { value reason } } } }`,
          { from: iso(from), to: iso(START + 2 * DAY_MS) },
        )
      ).data.account.profitCalendar;
    const [, second] = await daysFrom(START);
    expect(second).toMatchObject({ startTime: iso(START + DAY_MS), dailyReturn: { reason: null } });
    expect(await daysFrom(START + DAY_MS)).toEqual([second]);
    expect(await daysFrom(START + 1.5 * DAY_MS)).toEqual([second]);
  });

  it("names beside each row about all accounts those that it does not contain", async () => {
    const { read } = curves;
    const nothing: Curve = { points: [], gaps: [], coverage: undefined, begins: true };
    const one = vi.spyOn(curves, "read").mockImplementation((...asked) => {
      return asked[0] === CLASSIC_UID ? Promise.resolve(nothing) : read.apply(curves, asked);
    });
    const { data, errors } = await run(
      `query ($from: DateTime!) {
        accounts: performance(from: $from) { ...P } months: performance(from: $from, by: MONTH) { ...P }
        categories: performance(from: $from, by: CATEGORY) { ...P }
        days: profitCalendar(from: $from) { missingAccounts { name } }
      }
      fragment P on Performance { account { name } missingAccounts { name } }`,
      { from: iso(START) },
    ).finally(() => one.mockRestore());
    expect(errors).toEqual([]);
    const missingAccounts = [{ name: "classic" }];
    expect(data.accounts).toEqual([
      { account: { name: "main" }, missingAccounts: [] },
      { account: null, missingAccounts },
    ]);
    expect(data.months).toEqual([{ account: null, missingAccounts }]);
    for (const rows of [data.categories, data.days]) {
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row).toMatchObject({ missingAccounts });
    }
  });

  it("continues the curve for listeners, and refuses a range that is too long or the wrong way round", async () => {
    const received: (string | undefined)[] = [];
    const leave = curves.follow(MAIN_UID, {
      next: ({ point, gap }) => received.push(point === undefined ? gap?.reason : iso(point.at)),
      failed: (error) => received.push(String(error)),
    });
    await recorded(2);
    await world.pass(6_000, 1_000);
    leave();
    expect(new Set(received).size).toBe(received.length);
    expect(received.at(-1)).toBe(iso((await pointsOf(MAIN_UID)).at(-1)?.at ?? 0));
    const DOCUMENT =
      "query ($from: DateTime!, $to: DateTime) { equityHistory(from: $from, to: $to, interval: MINUTE) { interval } }";
    const refused = async (variables: object) => (await run(DOCUMENT, variables)).errors.map(({ message }) => message);
    expect(await refused({ from: iso(START - 30 * DAY_MS) })).toEqual([
      "from must be at most 2 days before to, or the interval longer",
    ]);
    expect(await refused({ from: iso(START), to: iso(START - 1) })).toEqual(["to must not be before from"]);
    expect(await refused({ from: "2999-01-01T00:00:00Z" })).toEqual(["from must not be in the future"]);
  });

  it("says how far the past is rebuilt, without a call", async () => {
    const asked = async () =>
      (await run('{ account(name: "main") { historyBackfill { status startTime endTime reachedTime share } } }')).data.account
        .historyBackfill;
    const times = { startTime: null, endTime: null, reachedTime: null };
    expect(await asked()).toEqual({ status: "WAITING", share: "0", ...times });
    const [from, until] = [START - 4 * DAY_MS, START];
    const held = { mode: "UNIFIED", isKeptFrom: true, purses: [], exposures: [] };
    const progress = { ...held, status: "RUNNING", from, until, reached: START - DAY_MS };
    await store.write({ notes: [{ user: MAIN_UID, name: "backfill", body: JSON.stringify(progress) }] });
    const shown = { startTime: iso(from), endTime: iso(until), reachedTime: iso(START - DAY_MS) };
    expect(await asked()).toEqual({ status: "RUNNING", share: "0.25", ...shown });
  });

  it("says so where nothing is recorded", async () => {
    const contextValue = createContext(world.exchange, ANYONE, world.streams);
    const document = parse(`{ equityHistory(from: "${iso(START)}") { interval } }`);
    const { errors = [] } = await execute({ schema: graph, document, contextValue });
    expect(errors.map(({ extensions, message }) => [extensions.code, message])).toEqual([
      ["HISTORY_UNAVAILABLE", "this gateway records no history: HISTORY_INTERVAL_MINUTES is 0"],
    ]);
  });
});

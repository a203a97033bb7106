import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Recorder } from "../../../src/datasources/history/index.js";
import { isGap, type Point, pointIn } from "../../../src/datasources/history/point.js";
import { sampleOf } from "../../../src/datasources/history/sample.js";
import { type ExchangeAccount, RequestReads } from "../../../src/datasources/index.js";
import { readTotalEquity } from "../../../src/datasources/reads/index.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { START } from "../streams/support/followed.js";
import { type StreamedSandbox, streamedSandbox } from "../streams/support/streamedSandbox.js";
import { directHistory } from "./support/directHistory.js";

const USERS = [MAIN_UID, CLASSIC_UID];
const SETTINGS = { intervalMs: MINUTE_MS, retentionMs: 400 * DAY_MS, backfillMs: 0 };

let world: StreamedSandbox;
let store: ReturnType<typeof directHistory>;
let recorders: Recorder[];
beforeEach(async () => {
  world = await streamedSandbox("v3", {}, START, undefined, false, "none", true, undefined, 6_000);
  store = directHistory(":memory:", world.clock);
  recorders = [];
});
afterEach(async () => {
  store.fails = false;
  await Promise.all(recorders.map((recorder) => recorder.close()));
  await world.close();
});

type Parts = ConstructorParameters<typeof Recorder>[0];

function recording(
  holder = "one",
  {
    turn = async () => undefined,
    exchange = world.exchange,
    streams = world.streams,
  }: Partial<Parts["reconciler"] & Pick<Parts, "exchange" | "streams">> = {},
): Recorder {
  const { clock, instrumentation } = world;
  // Why balances changed, and what was before, is asked in other tests.
  const ledger = { read: async () => undefined, readApart: async () => undefined, unchanged: async () => undefined };
  const reconciler = { turn };
  const backfill = { run: async () => true };
  const parts = { exchange, streams, clock, instrumentation, store, ledger, backfill, reconciler, holder, settings: SETTINGS };
  const recorder = new Recorder(parts);
  recorders.push(recorder);
  recorder.start();
  return recorder;
}

const everything = (user: string, resolution: "MINUTE" | "HOUR" | "DAY" = "MINUTE") =>
  store.points(user, resolution, { after: 0, to: Number.MAX_SAFE_INTEGER, limit: 10_000 });
const points = async (user: string, resolution?: "MINUTE" | "HOUR" | "DAY") => (await everything(user, resolution)).map(pointIn);
const whole = async (user: string): Promise<readonly Point[]> =>
  (await points(user)).filter((point): point is Point => !isGap(point));

/** Lets time pass until there is something in the store; a reading may take more than one interval. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; !(await holds()); passed += 5_000) {
    if (passed > 20 * MINUTE_MS) throw new Error("it did not come to hold");
    await world.pass(5_000, 1_000);
  }
}
/** Lets time pass until both users have so many samples more. */
async function recorded(more: number): Promise<void> {
  const before = await Promise.all(USERS.map(async (user) => (await whole(user)).length));
  await until(async () => {
    const now = await Promise.all(USERS.map(async (user) => (await whole(user)).length));
    return now.every((count, at) => count >= (before[at] ?? 0) + more);
  });
}
const distances = (all: readonly { readonly at: number }[]) => all.slice(1).map(({ at }, index) => at - (all[index]?.at ?? 0));

describe("the recorder", () => {
  it("records every minute what each account is worth, as the exchange says it, from proven state", async () => {
    recording();
    await recorded(2);
    for (const [at, name] of (["main", "classic"] as const).entries()) {
      const user = USERS[at] ?? "";
      const all = await whole(user);
      expect(all.map(({ at: end }) => end % MINUTE_MS)).toEqual(all.map(() => 0));
      const last = all.at(-1);
      expect(last).toMatchObject({ source: "STREAM", mode: name === "main" ? "UNIFIED" : "CLASSIC", count: 1 });
      expect((last?.time ?? 0) - (last?.at ?? 0)).toBeLessThan(MINUTE_MS / 2);
      expect(last?.comparedAt).toBeGreaterThanOrEqual(START);
      expect(last?.coins.length).toBeGreaterThan(2);
    }
    // The sum of the coins at the recorded prices is the exchange's own figure without its rounding.
    const worth = world.streams.worths.of(world.account("main"));
    if (typeof worth === "string") throw new Error(worth);
    const { equity } = sampleOf(worth, () => undefined) ?? { equity: "" };
    expect(
      exact(equity)
        .minus(worth.holdings.unified?.equityUsdt ?? "0")
        .abs()
        .lt("0.00001"),
    ).toBe(true);
    for (const [at, name] of (["main", "classic"] as const).entries()) {
      const known = (await whole(USERS[at] ?? "")).at(-1)?.equity ?? "0";
      const asked = (await readTotalEquity(new RequestReads(world.exchange), world.account(name))) ?? "0";
      // Prices have moved since.
      expect([name, exact(known).minus(asked).abs().div(asked).lt("0.001")]).toEqual([name, true]);
    }
  });

  it("sends nothing beyond what keeps the state of accounts live", async () => {
    const { exchange, streams, sandbox } = world;
    const leaves = exchange.accounts.map((account) => streams.worths.keep(account, () => undefined));
    await world.pass(6 * MINUTE_MS, 2_000);
    const called = () => new Set(Object.keys(sandbox.calls.counts()));
    const kept = called();
    sandbox.calls.clear();
    for (const leave of leaves) leave();
    recording();
    await world.pass(2 * MINUTE_MS, 1_000);
    await recorded(1);
    // The user of a Classic key is asked for once.
    expect([...called()].filter((endpoint) => !kept.has(endpoint) && endpoint !== "classicAccount")).toEqual([]);
  });

  it("stores a gap with its reason while state is not proven, and goes on after it", async () => {
    recording();
    await recorded(1);
    world.line?.lose();
    await until(async () => (await points(MAIN_UID)).some(isGap) && (await points(CLASSIC_UID)).some(isGap));
    world.line?.mend();
    await recorded(1);
    for (const user of USERS) {
      const all = await points(user);
      const kinds = all.map((point) => (isGap(point) ? point.gap : "WHOLE"));
      expect(kinds.slice(kinds.indexOf("WHOLE"))).toContain("INTERRUPTED");
      expect(kinds.at(-1)).toBe("WHOLE");
      expect(new Set(distances(all))).toEqual(new Set([MINUTE_MS]));
    }
  });

  it.each([
    ["has no answer", () => new Promise<never>(() => undefined)],
    ["fails", () => Promise.reject(new Error("a list that nobody can read"))],
  ])("begins the daily work of each account, though that of another one %s", async (_, ofOne) => {
    const begun: string[] = [];
    recording("one", {
      turn: async (user) => {
        begun.push(user);
        if (user === MAIN_UID) await ofOne();
      },
    });
    await recorded(3);
    expect(begun.filter((user) => user === CLASSIC_UID).length).toBeGreaterThan(2);
  });

  it("takes its samples in time, though an account has not been identified", async () => {
    const { exchange } = world;
    const [main] = exchange.accounts;
    if (main === undefined) throw new Error("no account");
    const silent = { ...main, name: "silent" };
    const users = {
      of: (account: ExchangeAccount) => (account === silent ? new Promise<never>(() => undefined) : exchange.users.of(account)),
      cachedUser: (account: ExchangeAccount) => (account === silent ? undefined : exchange.users.cachedUser(account)),
    };
    recording("one", { exchange: { ...exchange, accounts: [silent, ...exchange.accounts], users } });
    await recorded(2);
    for (const user of USERS) {
      const last = (await whole(user)).at(-1);
      expect((last?.time ?? 0) - (last?.at ?? 0)).toBeLessThan(10_000);
    }
  });

  it("stores each sample at once, though another account has none", async () => {
    const { worths, market } = world.streams;
    const of: typeof worths.of = (account) => (account.name === "classic" ? "INTERRUPTED" : worths.of(account));
    recording("one", { streams: { market, worths: { keep: (...kept) => worths.keep(...kept), of } } });
    for (let count = 1; count < 3; count++) {
      await until(async () => (await whole(MAIN_UID)).length >= count);
      const last = (await whole(MAIN_UID)).at(-1);
      expect(world.clock.now() - (last?.at ?? 0)).toBeLessThan(MINUTE_MS / 4);
    }
    // The other account is tried until then.
    await world.pass(MINUTE_MS / 2, 1_000);
    expect((await points(CLASSIC_UID)).map((point) => isGap(point) && point.gap)).toContain("INTERRUPTED");
  });

  it("records an account with several names once, and goes on under its next name", async () => {
    const { exchange } = world;
    recording();
    const [main, classic] = [world.account("main"), world.account("classic")];
    await exchange.replaceAccounts([main, { ...main, name: "second" }, classic], 1_000);
    await recorded(1);
    const before = (await points(MAIN_UID)).length;
    await exchange.replaceAccounts([{ ...main, name: "renamed" }, classic], 1_000);
    await recorded(2);
    const all = await points(MAIN_UID);
    expect(all.length).toBeGreaterThan(before + 1);
    expect(new Set(distances(all))).toEqual(new Set([MINUTE_MS]));
  });

  it("is one of several processes, and is replaced when it ends", async () => {
    const one = recording("one");
    await recorded(1);
    const two = recording("two");
    await recorded(1);
    expect([one.isRecording, two.isRecording]).toEqual([true, false]);
    await one.close();
    await recorded(1);
    expect(two.isRecording).toBe(true);
    expect(new Set(distances(await points(MAIN_UID)))).toEqual(new Set([MINUTE_MS]));
  });

  it("goes on after a restart within an hour, whose point has the lowest and highest equity of all its minutes", async () => {
    const first = recording("one");
    await recorded(1);
    await first.close();
    recording("two");
    await recorded(2);
    const minutes = await whole(MAIN_UID);
    const sorted = minutes.map(({ equity }) => exact(equity)).sort((a, b) => a.cmp(b));
    const end = Math.ceil((minutes[0]?.at ?? 0) / HOUR_MS) * HOUR_MS;
    const [hour] = await points(MAIN_UID, "HOUR");
    expect(minutes.at(-1)?.at).toBeLessThanOrEqual(end);
    expect(hour).toEqual({
      ...minutes.at(-1),
      at: end,
      count: minutes.length,
      low: plain(sorted[0] ?? exact("0")),
      high: plain(sorted.at(-1) ?? exact("0")),
    });
  });

  it("reports a store that fails, records again once it works, and deletes what is too old", async () => {
    const failures: unknown[] = [];
    listen(
      world.instrumentation,
      world.instrumentation.history,
      (event) => event.kind === "failed" && failures.push(event.error),
    );
    const old = world.clock.now() - 401 * DAY_MS;
    await store.write({ points: [{ user: MAIN_UID, resolution: "DAY", at: old, body: '{"gap":"NOT_RECORDED"}' }] });
    recording();
    store.fails = true;
    await until(async () => failures.length > 0);
    expect(failures.map(String)).toContain("Error: the disk is full");
    store.fails = false;
    await recorded(1);
    expect((await points(MAIN_UID, "DAY")).map(({ at }) => at)).not.toContain(old);
  });
});

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { randomOf } from "@exchange-graph/sandbox/world/random";
import SqliteDatabase from "libsql";
import { afterAll, beforeAll, describe, it } from "vitest";
import { Database } from "../../packages/replicas/src/database/database.js";
import { databaseHistory } from "../../packages/replicas/src/history/databaseHistory.js";
import { progressOf } from "../../src/datasources/history/backfill/progress.js";
import { BalanceRecords, backUpHistory, type HistoryStore, historyPathOf } from "../../src/datasources/history/index.js";
import { type Point, stored } from "../../src/datasources/history/point.js";
import { totalsOf } from "../../src/datasources/history/sample.js";
import { RequestReads, Secret } from "../../src/datasources/index.js";
import { directHistory } from "../datasources/history/support/directHistory.js";
import { truthOf } from "../datasources/history/support/truth.js";
import { fastClock } from "../datasources/writes/support/fastClock.js";
import { post } from "../support/ask.js";
import { exchangeOver } from "../support/exchangeOver.js";
import { addressOf, noPostgres, type Postgres, startPostgres } from "../support/postgres.js";
import { overSandbox } from "./desk/support.js";
import { type Product, servingProduct } from "./product.js";

/**
 * The past of accounts, rebuilt by the built product, which is killed meanwhile: over files and over PostgreSQL. What it has rebuilt is
 * the same as without a kill, in the store and in the graph. The product's time and the sandbox's pass faster than the machine's: a
 * product waits two of its minutes before it begins. The tests run at the same time, since they mostly wait.
 */

const KILLS = Number.parseInt(process.env.KILLS ?? "1", 10);
/** Each account's past is rebuilt two days at a time, and each kill comes after one or two of them. */
const DAYS = 6 + KILLS;
const SEED = "backfill kills";
const REALM = "live";
const time = { from: Date.UTC(2026, 0, 20, 12, 3), since: Date.now(), factor: 12 };
const clock = fastClock(time);
/** What sets a product's time. */
const preload = `${new URL("support/fastTime.mjs", import.meta.url)}?${new URLSearchParams({ time: JSON.stringify(time) })}`;
const random = randomOf(SEED);
const chance = (below: number): number => Math.floor((random.next() / 0x1_0000_0000) * below);

const folder = mkdtempSync(join(tmpdir(), "backfill-kills-"));
const accounts = SANDBOX_CREDENTIALS.slice(0, 2);
const users = accounts.map(({ uid }) => uid);
/** The end of the first recorded minute. */
const FIRST = clock.now() - 10 * MINUTE_MS;
const ALL = { after: 0, to: Number.MAX_SAFE_INTEGER, limit: 10_000 };

let sandbox: Sandbox;
/** A history with two samples of each account, and the changes of their balances. */
const seed = join(folder, "seed.sqlite");
let planted: HistoryStore;
const running = new Set<Product>();

/** Stores what the accounts hold now as two samples of before: nothing has changed meanwhile. */
async function plant(store: HistoryStore): Promise<void> {
  const exchange = exchangeOver(new URL(sandbox.url), {
    clock,
    deadlineMs: 300_000,
    accounts: accounts.map(({ name, key, secret, passphrase }) => ({
      name,
      credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
      isCopyTrader: false,
    })),
  });
  const ledger = new BalanceRecords(store, () => new RequestReads(exchange, { patienceMs: MINUTE_MS }));
  for (const [index, user] of users.entries()) {
    const coins = [...truthOf(sandbox, user).coins].map(([key, held]) => {
      const [pool = "", coin = ""] = key.split(" ");
      return { ...held, pool: pool as Point["coins"][number]["pool"], coin, price: "1" };
    });
    const totals = totalsOf(coins);
    const sample = (at: number): Point => ({
      ...totals,
      ...{ at, time: at, comparedAt: at, source: "STREAM", mode: index === 0 ? "UNIFIED" : "CLASSIC", marginInUse: "0", coins },
      ...{ low: totals.equity, high: totals.equity, count: 1 },
    });
    await store.write({ points: [FIRST, FIRST + MINUTE_MS].map((at) => stored(user, "MINUTE", sample(at))) });
    const account = exchange.accounts[index];
    if (account === undefined) throw new Error("the account is missing");
    await ledger.read(user, account);
  }
  await exchange.close();
}

/** What of the past is stored: each point and the progress, to the letter. */
async function pastIn(store: HistoryStore) {
  const rows = async (user: string, resolution: "HOUR" | "DAY") =>
    (await store.points(user, resolution, ALL)).filter(({ at, body }) => at < FIRST && !body.includes('"STREAM"'));
  return Promise.all(
    users.map(async (user) => ({
      hours: await rows(user, "HOUR"),
      days: await rows(user, "DAY"),
      progress: await store.note(user, "backfill"),
    })),
  );
}

interface Started extends Product {
  /** Account, share and status of each logged line about the past. */
  readonly lines: readonly string[];
  /** Resolves once it has logged so many of them. */
  logged(count: number): Promise<void>;
}

/** The product over files beside a journal, or over a database. */
async function start(where: { readonly JOURNAL_PATH: string } | { readonly DATABASE_URL: string }): Promise<Started> {
  const { JOURNAL_PATH: _, ...settings } = overSandbox(sandbox, accounts);
  const product = await servingProduct(
    { ...settings, ...where, HISTORY_BACKFILL_DAYS: `${DAYS}`, EXCHANGE_TIMEOUT_MS: "120000" },
    [process.execPath, "--import", preload, resolve("bundle/main.js")],
  );
  running.add(product);
  const lines = (): readonly string[] =>
    [...product.output().matchAll(/^.*"the past of an account's history is being rebuilt".*$/gm)].map(([line]) => {
      const { account, share, status } = JSON.parse(line);
      return `${account} ${share} ${status}`;
    });
  return {
    ...product,
    get lines() {
      return lines();
    },
    async logged(count) {
      while (lines().length < count) await pause(20);
    },
    async stop(signal) {
      running.delete(product);
      return product.stop(signal);
    },
  };
}

const isComplete = async (store: HistoryStore): Promise<boolean> =>
  (await Promise.all(users.map((user) => progressOf(store, user)))).every((progress) => progress?.status === "COMPLETE");
async function completed(store: HistoryStore): Promise<void> {
  while (!(await isComplete(store))) await pause(100);
}
const pause = (ms: number) => new Promise<void>((over) => setTimeout(over, ms));

/** A copy of the planted history, and the journal's path beside it. */
function copied(name: string) {
  mkdirSync(join(folder, name));
  const journal = join(folder, name, "journal.sqlite");
  const path = historyPathOf(journal);
  backUpHistory(seed, path);
  return { path, where: { JOURNAL_PATH: journal }, store: directHistory(path, clock, REALM) };
}

/** A killed product has the right to record for another minute and a half. */
function endLease(path: string): void {
  const file = new SqliteDatabase(path);
  file.exec("DELETE FROM holders");
  file.close();
}

const HISTORY = `query ($account: String!, $from: DateTime!, $to: DateTime!, $interval: EquityInterval!) {
  account(name: $account) {
    historyBackfill { status startTime endTime reachedTime share }
    equityHistory(from: $from, to: $to, interval: $interval) {
      gaps { startTime endTime reason }
      points {
        time sampledTime source equity low high samples unrealisedPnl debt marginInUse
        coins { pool coin balance unrealisedPnl debt price equity }
        change { total flows deposits withdrawals transfers loans earn trades fees funding interest other unrealised
          revaluation rounding unexplained }
      } } } }`;

/** What the product answers about the past before the first sample. */
async function answeredBy({ url }: Product) {
  const asked = accounts.flatMap(({ name }) => ["HOUR", "DAY"].map((interval) => ({ account: name, interval })));
  return Promise.all(
    asked.map(async (one) => {
      const variables = { ...one, from: iso(FIRST - (DAYS + 2) * DAY_MS), to: iso(Math.floor(FIRST / DAY_MS) * DAY_MS) };
      const response = await post(url, { query: HISTORY, variables });
      // biome-ignore lint/suspicious/noExplicitAny: the assertions check its fields
      return (await response.json()) as any;
    }),
  );
}
const iso = (ms: number): string => new Date(ms).toISOString();

/** The past as a product rebuilds and answers it that nobody interrupts. */
interface Whole {
  readonly past: Awaited<ReturnType<typeof pastIn>>;
  readonly answers: Awaited<ReturnType<typeof answeredBy>>;
}
let whole: Promise<Whole>;

async function uninterrupted(): Promise<Whole> {
  const { where, store } = copied("whole");
  const product = await start(where);
  await completed(store);
  const answers = await answeredBy(product);
  await product.stop("SIGKILL");
  const past = await pastIn(store);
  await store.close();
  return { past, answers };
}

beforeAll(async () => {
  sandbox = await startSandbox({ signedQuery: "decoded", clock, seed: SEED });
  planted = directHistory(seed, clock, REALM);
  await plant(planted);
  whole = uninterrupted();
}, 180_000);
afterAll(async () => {
  await Promise.all([...running].map((product) => product.stop("SIGKILL")));
  await planted.close();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

describe.concurrent("the past of accounts, rebuilt by a product that is killed", () => {
  it(`is the same to the last byte after ${KILLS} SIGKILLs and a SIGTERM: no hour is missing, and none was rebuilt twice`, async ({
    expect,
  }) => {
    const { path, where, store } = copied("killed");
    const logged: string[] = [];
    for (const signal of [...Array.from({ length: KILLS }, () => "SIGKILL" as const), "SIGTERM" as const]) {
      const product = await start(where);
      await product.logged(1 + chance(2));
      await pause(chance(150));
      expect(await product.stop(signal)).toBe(signal === "SIGTERM" ? 0 : null);
      endLease(path);
      logged.push(...product.lines);
      expect(await isComplete(store)).toBe(false);
    }
    const last = await start(where);
    await completed(store);
    const { past, answers } = await whole;
    expect(await answeredBy(last)).toEqual(answers);
    expect(await last.stop()).toBe(0);
    expect(await pastIn(store)).toEqual(past);
    await store.close();
    // Each share is reached once: what was stored before a kill is not rebuilt after it.
    const shares = [...logged, ...last.lines];
    expect(shares.length).toBe(new Set(shares).size);
  }, 180_000);

  it("has every hour, and is answered in the graph as it is stored", async ({ expect }) => {
    const { past, answers } = await whole;
    for (const { hours } of past) {
      const first = Math.ceil((FIRST - DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
      const last = Math.floor(FIRST / HOUR_MS) * HOUR_MS;
      expect(hours.map(({ at }) => at)).toEqual(
        Array.from({ length: (last - first) / HOUR_MS + 1 }, (_, hour) => first + hour * HOUR_MS),
      );
    }
    expect(answers.length).toBe(2 * accounts.length);
    for (const { data, errors } of answers) {
      expect(errors).toBeUndefined();
      expect(data.account.historyBackfill).toMatchObject({ status: "COMPLETE", share: "1" });
      const { points } = data.account.equityHistory;
      expect(points.length).toBeGreaterThanOrEqual(DAYS - 2);
      expect(new Set(points.map(({ source }: { source: string }) => source))).toEqual(new Set(["RECONSTRUCTED"]));
    }
  }, 180_000);

  it.skipIf(noPostgres() !== undefined)(
    "in PostgreSQL, by one of two replicas; the other goes on when that one is killed, to the same bytes",
    async ({ expect }) => {
      const postgres: Postgres = await startPostgres();
      const databaseUrl = await postgres.create();
      const replicas: Started[] = [];
      const database = await Database.open({ address: addressOf(databaseUrl), name: "test", clock });
      try {
        const store = databaseHistory(database)({ clock, realm: REALM });
        for (const user of users)
          await store.write({
            points: await planted.points(user, "MINUTE", ALL),
            records: await planted.records(user, ALL),
            notes: [{ user, name: "records", body: (await planted.note(user, "records")) ?? "" }],
          });
        replicas.push(...(await Promise.all(["one", "two"].map(() => start({ DATABASE_URL: databaseUrl })))));
        await Promise.race(replicas.map((replica) => replica.logged(2)));
        const [holder] = replicas.filter(({ lines }) => lines.length > 0);
        const [other, ...more] = replicas.filter((replica) => replica !== holder);
        if (holder === undefined || other === undefined) throw new Error("both have rebuilt");
        await holder.stop("SIGKILL");
        expect([other.lines, more]).toEqual([[], []]);
        // The lease runs by the server's clock, which is not the fast one.
        await postgres.ask(databaseUrl, "UPDATE exchange_graph.history_holders SET until = clock_timestamp()");
        await completed(store);
        const { past, answers } = await whole;
        expect(await answeredBy(other)).toEqual(answers);
        await other.stop("SIGKILL");
        expect(await pastIn(store)).toEqual(past);
      } finally {
        await Promise.all(replicas.map((replica) => replica.stop("SIGKILL")));
        await database.close();
        await postgres.close();
      }
    },
    180_000,
  );
});

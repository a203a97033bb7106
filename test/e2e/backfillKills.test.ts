import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { randomOf } from "@exchange-graph/sandbox/world/random";
import SqliteDatabase from "libsql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { progressOf } from "../../src/datasources/history/backfill/progress.js";
import { BalanceRecords, type HistoryStore, historyPathOf } from "../../src/datasources/history/index.js";
import { type Point, stored } from "../../src/datasources/history/point.js";
import { totalsOf } from "../../src/datasources/history/sample.js";
import { RequestReads, Secret } from "../../src/datasources/index.js";
import { directHistory } from "../datasources/history/support/directHistory.js";
import { truthOf } from "../datasources/history/support/truth.js";
import { fastClock } from "../datasources/writes/support/fastClock.js";
import { post } from "../support/ask.js";
import { exchangeOver } from "../support/exchangeOver.js";
import { inNode } from "../support/shortLived.js";
import { overSandbox } from "./desk/support.js";
import { type Product, servingProduct } from "./product.js";

/**
 * The past of accounts, rebuilt by the built product, which is killed meanwhile. That it is then the same as without a kill, to the last
 * digit, is asserted in `test/datasources/history/backfill.test.ts`. The product's time and the sandbox's pass faster than the
 * machine's: a product waits two of its minutes before it begins.
 */

const KILLS = Number.parseInt(process.env.KILLS ?? "1", 10);
/** Each account's past is rebuilt two days at a time, and each kill comes after one or two of them. */
const DAYS = 4 + KILLS;
const SEED = "backfill kills";
const REALM = "live";
const time = { from: Date.UTC(2026, 0, 20, 12, 3), since: Date.now(), factor: 24 };
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
const journal = join(folder, "journal.sqlite");
/** The history beside it: two samples of each account at first, and the changes of their balances. */
const path = historyPathOf(journal);
let store: HistoryStore;
const running = new Set<Product>();

/** Stores what the accounts hold now as two samples of before: nothing has changed meanwhile. */
async function plant(): Promise<void> {
  const exchange = exchangeOver(new URL(sandbox.url), {
    clock,
    deadlineMs: 300_000,
    accounts: accounts.map(({ name, key, secret, passphrase }) => ({
      name,
      credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
      isCopyTrader: false,
    })),
  });
  const ledger = new BalanceRecords(store, () => new RequestReads(exchange, { patienceMs: 20 * MINUTE_MS }));
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

interface Started extends Product {
  /** Account, share and status of each logged line about the past. */
  readonly lines: readonly string[];
  /** Resolves once it has logged so many of them. */
  logged(count: number): Promise<void>;
}

async function start(): Promise<Started> {
  const product = await servingProduct(
    {
      ...overSandbox(sandbox, accounts),
      ...{ JOURNAL_PATH: journal, HISTORY_BACKFILL_DAYS: `${DAYS}`, EXCHANGE_TIMEOUT_MS: "120000" },
    },
    inNode("--import", preload, resolve("bundle/main.js")),
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

const isComplete = async (): Promise<boolean> =>
  (await Promise.all(users.map((user) => progressOf(store, user)))).every((progress) => progress?.status === "COMPLETE");
const pause = (ms: number) => new Promise<void>((over) => setTimeout(over, ms));

/** A killed product has the right to record for another minute and a half. */
function endLease(): void {
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

beforeAll(async () => {
  sandbox = await startSandbox({ signedQuery: "decoded", clock, seed: SEED, marketMs: 10_000 });
  store = directHistory(path, clock, REALM);
  await plant();
}, 180_000);
afterAll(async () => {
  await Promise.all([...running].map((product) => product.stop("SIGKILL")));
  await store.close();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

it(`the past of accounts has every hour after ${KILLS} SIGKILLs, none was rebuilt twice, and it is answered in the graph`, async () => {
  const logged: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const product = await start();
    await product.logged(1 + chance(2));
    await pause(chance(150));
    expect(await product.stop("SIGKILL")).toBe(null);
    endLease();
    logged.push(...product.lines);
    expect(await isComplete()).toBe(false);
  }
  const last = await start();
  while (!(await isComplete())) await pause(100);
  // Each share is reached once: what was stored before a kill is not rebuilt after it.
  const shares = [...logged, ...last.lines];
  expect(shares.length).toBe(new Set(shares).size);
  const first = Math.ceil((FIRST - DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
  const hours = Array.from(
    { length: (Math.floor(FIRST / HOUR_MS) * HOUR_MS - first) / HOUR_MS + 1 },
    (_, at) => first + at * HOUR_MS,
  );
  for (const user of users) {
    const rows = (await store.points(user, "HOUR", ALL)).filter(({ at, body }) => at < FIRST && !body.includes('"STREAM"'));
    expect(rows.map(({ at }) => at)).toEqual(hours);
  }
  for (const { data, errors } of await answeredBy(last)) {
    expect(errors).toBeUndefined();
    expect(data.account.historyBackfill).toMatchObject({ status: "COMPLETE", share: "1" });
    const { points } = data.account.equityHistory;
    expect(points.length).toBeGreaterThanOrEqual(DAYS - 2);
    expect(new Set(points.map(({ source }: { source: string }) => source))).toEqual(new Set(["RECONSTRUCTED"]));
  }
  expect(await last.stop()).toBe(0);
}, 180_000);

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { randomOf } from "@exchange-graph/sandbox/world/random";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Database } from "../../../packages/replicas/src/database/database.js";
import { databaseHistory } from "../../../packages/replicas/src/history/databaseHistory.js";
import { progressOf } from "../../../src/datasources/history/backfill/progress.js";
import { backUpHistory, type HistoryStore, Ledger } from "../../../src/datasources/history/index.js";
import { type Point, stored } from "../../../src/datasources/history/point.js";
import { totalsOf } from "../../../src/datasources/history/sample.js";
import { RequestReads, Secret } from "../../../src/datasources/index.js";
import { exchangeOver } from "../../support/exchangeOver.js";
import { killedAtExit } from "../../support/killedAtExit.js";
import { addressOf, noPostgres, type Postgres, startPostgres } from "../../support/postgres.js";
import { fastClock } from "../writes/support/fastClock.js";
import { directHistory } from "./support/directHistory.js";
import { truthOf } from "./support/truth.js";

/** The past of accounts, rebuilt by separate processes that end by SIGKILL, over files and over PostgreSQL. */

const PROCESS = join(import.meta.dirname, "support/recordingProcess.mjs");
const KILLS = Number.parseInt(process.env.KILLS ?? "2", 10);
const DAYS = 12;
const REALM = "backfill kills";
const time = { from: Date.UTC(2026, 0, 20, 12, 3), since: Date.now(), factor: 30 };
const clock = fastClock(time);
const random = randomOf(REALM);
const chance = (below: number): number => Math.floor((random.next() / 0x1_0000_0000) * below);

const folder = mkdtempSync(join(tmpdir(), "backfill-kills-"));
const accounts = SANDBOX_CREDENTIALS.slice(0, 2).map((credential, at) => ({
  ...credential,
  name: ["main", "classic"][at] ?? "",
}));
const users = accounts.map(({ uid }) => uid);
const settings = { intervalMs: MINUTE_MS, retentionMs: 400 * DAY_MS, backfillMs: DAYS * DAY_MS };
/** The end of the first recorded minute. */
const FIRST = time.from - 10 * MINUTE_MS;
const ALL = { after: 0, to: Number.MAX_SAFE_INTEGER, limit: 10_000 };

let sandbox: Sandbox;
/** A history with two samples of each account, and the changes of their balances. */
const seed = join(folder, "seed.sqlite");
let planted: HistoryStore;
const running = new Set<ChildProcess>();

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
  const ledger = new Ledger(store, () => new RequestReads(exchange, { patienceMs: MINUTE_MS }));
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

interface Started {
  readonly lines: readonly string[];
  /** Resolves once it has printed so many lines. */
  printed(count: number): Promise<void>;
  kill(): Promise<void>;
}

function start(holder: string, where: object): Started {
  const argument = { url: sandbox.url, realm: REALM, holder, accounts, time, settings, ...where };
  const child = spawn(process.execPath, [PROCESS, JSON.stringify(argument)], { stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const forget = killedAtExit(() => child.kill("SIGKILL"));
  const ended = once(child, "close").then(() => {
    running.delete(child);
    forget();
  });
  let [text, errors] = ["", ""];
  const lines = (): readonly string[] => text.split("\n").slice(0, -1);
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    errors += more;
  });
  return {
    get lines() {
      return lines();
    },
    async printed(count) {
      while (lines().length < count) {
        const next = await Promise.race([once(child.stdout, "data"), ended]);
        if (next === undefined) throw new Error(`the process has ended: ${text}${errors}`);
      }
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const isComplete = async (store: HistoryStore): Promise<boolean> =>
  (await Promise.all(users.map((user) => progressOf(store, user)))).every((progress) => progress?.status === "COMPLETE");
async function completed(store: HistoryStore): Promise<void> {
  while (!(await isComplete(store))) await pause(100);
}
const pause = (ms: number) => new Promise<void>((over) => setTimeout(over, ms));

/** The past as a process rebuilds it that nobody interrupts. */
let whole: Awaited<ReturnType<typeof pastIn>>;

beforeAll(async () => {
  sandbox = await startSandbox({ signedQuery: "decoded", clock, seed: REALM });
  planted = directHistory(seed, clock, REALM);
  await plant(planted);
  const path = join(folder, "whole.sqlite");
  backUpHistory(seed, path);
  const store = directHistory(path, clock, REALM);
  const process = start("whole", { path });
  await completed(store);
  await process.kill();
  whole = await pastIn(store);
  await store.close();
}, 180_000);
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
});
afterAll(async () => {
  await planted.close();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

describe("the past of accounts, rebuilt by processes that are killed", () => {
  it(`is the same to the last byte after ${KILLS} kills: no hour is missing, and none was rebuilt twice`, async () => {
    for (const { hours } of whole) {
      const first = Math.ceil((FIRST - DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
      const last = Math.floor(FIRST / HOUR_MS) * HOUR_MS;
      expect(hours.map(({ at }) => at)).toEqual(
        Array.from({ length: (last - first) / HOUR_MS + 1 }, (_, hour) => first + hour * HOUR_MS),
      );
    }
    const path = join(folder, "killed.sqlite");
    backUpHistory(seed, path);
    const store = directHistory(path, clock, REALM);
    const printed: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const process = start(`killed ${kill}`, { path });
      const count = 1 + chance(3);
      await process.printed(count);
      await pause(chance(150));
      await process.kill();
      printed.push(...process.lines);
      expect(await isComplete(store)).toBe(false);
    }
    const last = start("last", { path });
    await completed(store);
    await last.kill();
    expect(await pastIn(store)).toEqual(whole);
    await store.close();
    // Each share is reached once: what was stored before a kill is not rebuilt after it.
    const shares = [...printed, ...last.lines];
    expect(shares.length).toBe(new Set(shares).size);
  }, 180_000);

  it.skipIf(noPostgres() !== undefined)(
    "in PostgreSQL, by one of two replicas; the other goes on when that one is killed, to the same bytes",
    async () => {
      const postgres: Postgres = await startPostgres();
      const databaseUrl = await postgres.create();
      const database = await Database.open({ address: addressOf(databaseUrl), name: "test", clock });
      try {
        const store = databaseHistory(database)({ clock, realm: REALM });
        for (const user of users)
          await store.write({
            points: await planted.points(user, "MINUTE", ALL),
            records: await planted.records(user, ALL),
            notes: [{ user, name: "records", body: (await planted.note(user, "records")) ?? "" }],
          });
        const replicas = ["one", "two"].map((name) => start(name, { databaseUrl }));
        await Promise.race(replicas.map((replica) => replica.printed(2)));
        const [holder] = replicas.filter(({ lines }) => lines.length > 0);
        const [other, ...more] = replicas.filter((replica) => replica !== holder);
        if (holder === undefined || other === undefined) throw new Error("both have rebuilt");
        await holder.kill();
        expect([other.lines, more]).toEqual([[], []]);
        // The lease runs by the server's clock, which is not the fast one.
        await postgres.ask(databaseUrl, "UPDATE exchange_graph.history_holders SET until = clock_timestamp()");
        await completed(store);
        await other.kill();
        expect(await pastIn(store)).toEqual(whole);
      } finally {
        for (const child of running) child.kill("SIGKILL");
        await database.close();
        await postgres.close();
      }
    },
    180_000,
  );
});

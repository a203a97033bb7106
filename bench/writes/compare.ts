import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { placeOrder as endpoint } from "@exchange-graph/contract/orderWrites";
import { readDatabaseAddress } from "../../src/datasources/database/address.js";
import { Database } from "../../src/datasources/database/database.js";
import {
  createExchange,
  type Exchange,
  type ExchangeAccount,
  type ExchangeSettings,
  RequestReads,
  Secret,
} from "../../src/datasources/index.js";
import { Scheduler } from "../../src/datasources/scheduler/scheduler.js";
import { type PlaceOrderInput, placeOrder } from "../../src/datasources/writes/mutations/placeOrder.js";
import { Child } from "../child.js";
import { table } from "../table.js";

/** What the write path (rules, journal with its sync, scheduler) adds to a bare signed call of the same order. */

const SEQUENTIAL = 400;
const PER_SECOND = 300;
const SECONDS = 8;
/** An account may place ten orders a second. */
const ACCOUNTS = 40;
const ORDER = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit", timeInForce: "ioc" } as const;
const TERMS = { ...ORDER, qty: "0.001", price: "60000" } satisfies PlaceOrderInput;

const accounts: readonly ExchangeAccount[] = Array.from({ length: ACCOUNTS }, (_, at) => ({
  name: `desk-${at}`,
  credentials: { apiKey: new Secret("key"), apiSecret: new Secret("secret"), passphrase: new Secret("passphrase") },
  isCopyTrader: false,
}));

type Way = (account: ExchangeAccount, clientOid: string) => Promise<void>;

/** The same order with and without the write path. */
function waysThrough(exchange: Exchange): Readonly<Record<"bare" | "write path", Way>> {
  return {
    bare: async (account, clientOid) => {
      await exchange.client.call(endpoint, { ...TERMS, clientOid }, account, Date.now() + 10_000);
    },
    "write path": async (account, clientOid) => {
      const { outcome, problems } = await placeOrder(new RequestReads(exchange), account, { ...TERMS, clientOid });
      if (outcome !== "ACCEPTED") throw new Error(`${outcome}: ${problems[0]?.message}`);
    },
  };
}

interface Timings {
  readonly p50: number;
  readonly p99: number;
}

function timingsOf(durations: readonly number[]): Timings {
  const sorted = durations.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

let names = 0;

async function timed(way: Way, account: ExchangeAccount): Promise<number> {
  const began = performance.now();
  await way(account, `bench-${names++}`);
  return performance.now() - began;
}

const accountAt = (at: number): ExchangeAccount => {
  const account = accounts[at % accounts.length];
  if (account === undefined) throw new RangeError(`no account ${at}`);
  return account;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One order at a time; the two ways take turns, so that neither has the better minute. */
async function oneAtATime(ways: Readonly<Record<"bare" | "write path", Way>>): Promise<readonly [Timings, Timings]> {
  const bare: number[] = [];
  const whole: number[] = [];
  for (let at = 0; at < SEQUENTIAL; at++) {
    bare.push(await timed(ways.bare, accountAt(at)));
    whole.push(await timed(ways["write path"], accountAt(at)));
    // Each account's ten a second are not what is measured here.
    await pause(3);
  }
  return [timingsOf(bare), timingsOf(whole)];
}

/** So many a second, whether or not those before have been answered. */
async function underLoad(way: Way): Promise<Timings> {
  const running: Promise<number>[] = [];
  const began = performance.now();
  for (let at = 0; at < PER_SECOND * SECONDS; at++) {
    const wait = began + (at * 1_000) / PER_SECOND - performance.now();
    if (wait > 0) await pause(wait);
    running.push(timed(way, accountAt(at)));
  }
  return timingsOf(await Promise.all(running));
}

const row = (name: string, bare: Timings, whole: Timings, more: string): readonly string[] => [
  name,
  ...[bare.p50, whole.p50, whole.p50 - bare.p50, bare.p99, whole.p99, whole.p99 - bare.p99].map((ms) => ms.toFixed(2)),
  more,
];

/** How long a commit of one row takes by itself, over a connection of the same pool. */
async function commits(database: Database): Promise<Timings> {
  await database.query("CREATE TABLE IF NOT EXISTS bench_commits (text text)");
  const durations: number[] = [];
  for (let at = 0; at < SEQUENTIAL; at++) {
    const began = performance.now();
    await database.query("INSERT INTO bench_commits VALUES ($1)", ["x".repeat(400)]);
    durations.push(performance.now() - began);
    await pause(3);
  }
  await database.query("DROP TABLE bench_commits");
  return timingsOf(durations);
}

/** The rows of one journal: in a file, or in a database. */
async function rowsOf(name: string, url: string, journal: Pick<ExchangeSettings, "journalPath" | "database">) {
  const exchange = createExchange({
    ...{ baseUrl: new URL(url), accounts, demo: false, deadlineMs: 10_000, connections: 64, cacheEntries: 1_000 },
    random: Math.random,
    // One address may make a hundred calls a second; three hundred orders come from several, or from one with a larger quota.
    scheduler: new Scheduler(systemClock, { overall: { limit: 100_000, windowMs: 60_000 } }),
    ...journal,
  });
  await exchange.writes.writer.resume();
  const ways = waysThrough(exchange);
  const syncs = () => exchange.writes.journal.state.syncs;
  /** Two notes per order: before it leaves, and when its end is known. */
  const notesPerSync = (orders: number, before: number) => ((2 * orders) / (syncs() - before)).toFixed(1);
  for (let at = 0; at < 2 * ACCOUNTS; at++) await timed(ways["write path"], accountAt(at));
  await underLoad(ways.bare);

  let before = syncs();
  const [bare, whole] = await oneAtATime(ways);
  const sequential = row(`one at a time, ${name}`, bare, whole, notesPerSync(SEQUENTIAL, before));
  const loadedBare = await underLoad(ways.bare);
  before = syncs();
  const loadedWhole = await underLoad(ways["write path"]);
  const loaded = row(`${PER_SECOND} orders/s, ${name}`, loadedBare, loadedWhole, notesPerSync(PER_SECOND * SECONDS, before));
  await exchange.close();
  return [sequential, loaded];
}

/** The journal in a file; with `DATABASE_URL` also that in a database, beside what a commit of one row takes there. */
export async function compareWrites(): Promise<string> {
  const upstream = await Child.start("./writes/servers/exchange.js");
  const folder = mkdtempSync(join(tmpdir(), "bench-writes-"));
  const rows = await rowsOf("file", upstream.url, { journalPath: join(folder, "journal.sqlite") });
  const url = process.env.DATABASE_URL;
  let commit = "";
  if (url !== undefined) {
    const address = readDatabaseAddress(url);
    if ("mistake" in address) throw new Error(`DATABASE_URL: ${address.mistake}`);
    const database = await Database.open({ address, name: "bench", clock: systemClock });
    const { p50, p99 } = await commits(database);
    rows.push(...(await rowsOf("database", upstream.url, { database })));
    commit = `\n\nA commit of one row in the database: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
    await database.close();
  }
  await upstream.stop();
  rmSync(folder, { recursive: true });
  return table(["ms", "p50 bare", "p50 write", "added", "p99 bare", "p99 write", "added", "notes/sync"], rows) + commit;
}

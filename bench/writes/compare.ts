import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { placeOrder as endpoint } from "@exchange-graph/contract/orderWrites";
import { Database } from "../../packages/replicas/src/database/database.js";
import { databaseStores } from "../../packages/replicas/src/journal/databaseStores.js";
import { Scheduler } from "../../src/datasources/calls/scheduler/scheduler.js";
import {
  createDataSource,
  type DataSource,
  type ExchangeAccount,
  type ExchangeSettings,
  Secret,
} from "../../src/datasources/index.js";
import { type PlaceOrderInput, placeOrder } from "../../src/datasources/writes/mutations/placeOrder.js";
import { addressOf, noPostgres, startPostgres } from "../../test/support/postgres.js";
import { writesOn } from "../../test/support/writesOn.js";
import { Child } from "../child.js";
import { table } from "../table.js";

/** Latency that the write path (order rules, journal with its sync, scheduler) adds to a bare signed call with the same order. */

const SEQUENTIAL = 400;
const PER_SECOND = 300;
const SECONDS = 8;
/** The exchange's limit is ten orders per second and account. */
const ACCOUNTS = 40;
const ORDER = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit", timeInForce: "ioc" } as const;
const TERMS = { ...ORDER, qty: "0.001", price: "60000" } satisfies PlaceOrderInput;

const accounts: readonly ExchangeAccount[] = Array.from({ length: ACCOUNTS }, (_, at) => ({
  name: `desk-${at}`,
  credentials: { apiKey: new Secret("key"), apiSecret: new Secret("secret"), passphrase: new Secret("passphrase") },
  isCopyTrader: false,
}));

type OrderCall = (account: ExchangeAccount, clientOid: string) => Promise<void>;
/** `unkeyed`: without an idempotency key of the client, so that no earlier write has to be looked up. */
type OrderCalls = Readonly<Record<"bare" | "write path" | "unkeyed", OrderCall>>;

/** Places the same order with and without the write path. */
function orderCallsOver(exchange: DataSource): OrderCalls {
  const place = async (account: ExchangeAccount, input: PlaceOrderInput): Promise<void> => {
    const { outcome, problems } = await placeOrder(writesOn(exchange), account, input);
    if (outcome !== "ACCEPTED") throw new Error(`${outcome}: ${problems[0]?.message}`);
  };
  return {
    bare: async (account, clientOid) => {
      await exchange.client.call(endpoint, { ...TERMS, clientOid }, account, Date.now() + 10_000);
    },
    "write path": (account, clientOid) => place(account, { ...TERMS, clientOid }),
    unkeyed: (account) => place(account, TERMS),
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

async function timed(place: OrderCall, account: ExchangeAccount): Promise<number> {
  const began = performance.now();
  await place(account, `bench-${names++}`);
  return performance.now() - began;
}

const accountAt = (at: number): ExchangeAccount => {
  const account = accounts[at % accounts.length];
  if (account === undefined) throw new RangeError(`no account ${at}`);
  return account;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A measured journal, and the calls that alternate over it. */
interface Journal {
  readonly name: string;
  readonly exchange: DataSource;
  readonly calls: OrderCalls;
}

/**
 * One order at a time. All calls over all journals and, with a database, a bare commit alternate, since the machine's speed
 * drifts.
 */
async function oneAtATime(journals: readonly Journal[], commit: (() => Promise<void>) | undefined) {
  const durations = journals.map((): Record<"bare" | "whole" | "unkeyed", number[]> => ({ bare: [], whole: [], unkeyed: [] }));
  const commits: number[] = [];
  for (let at = 0; at < SEQUENTIAL; at++) {
    for (const [index, { calls }] of journals.entries()) {
      durations[index]?.bare.push(await timed(calls.bare, accountAt(at)));
      durations[index]?.whole.push(await timed(calls["write path"], accountAt(at)));
      durations[index]?.unkeyed.push(await timed(calls.unkeyed, accountAt(at)));
      // Keeps below the limit of ten orders per second and account, so that no call waits for it.
      await pause(3);
    }
    if (commit === undefined) continue;
    const began = performance.now();
    await commit();
    commits.push(performance.now() - began);
    await pause(3);
  }
  return {
    journals: durations.map(({ bare, whole, unkeyed }) => ({
      bare: timingsOf(bare),
      whole: timingsOf(whole),
      unkeyed: timingsOf(unkeyed),
    })),
    commit: timingsOf(commits),
  };
}

/** Places orders at a constant rate, even if earlier ones are still open. */
async function underLoad(place: OrderCall): Promise<Timings> {
  const running: Promise<number>[] = [];
  const began = performance.now();
  for (let at = 0; at < PER_SECOND * SECONDS; at++) {
    const wait = began + (at * 1_000) / PER_SECOND - performance.now();
    if (wait > 0) await pause(wait);
    running.push(timed(place, accountAt(at)));
  }
  return timingsOf(await Promise.all(running));
}

const row = (name: string, bare: Timings, whole: Timings, more: string): readonly string[] => [
  name,
  ...[bare.p50, whole.p50, whole.p50 - bare.p50, bare.p99, whole.p99, whole.p99 - bare.p99].map((ms) => ms.toFixed(2)),
  more,
];

/** The write path over one journal, warmed up. */
async function openJournal(
  name: string,
  url: string,
  journal: Pick<ExchangeSettings, "journalPath" | "writeStores">,
): Promise<Journal> {
  const exchange = createDataSource({
    ...{ baseUrl: new URL(url), accounts, demo: false, deadlineMs: 10_000, connections: 64, cacheEntries: 1_000 },
    random: Math.random,
    // An address is limited to a hundred calls per second. Three hundred orders need several addresses or a larger quota.
    scheduler: new Scheduler(systemClock, { overall: { limit: 100_000, windowMs: 60_000 } }),
    ...journal,
  });
  await exchange.writes.writer.resume();
  const calls = orderCallsOver(exchange);
  for (let at = 0; at < 2 * ACCOUNTS; at++) await timed(calls["write path"], accountAt(at));
  await underLoad(calls.bare);
  return { name, exchange, calls };
}

/** The database of `DATABASE_URL`, or of a PostgreSQL that is started here; or the reason why there is none. */
async function databaseServer(): Promise<{ readonly url?: string; readonly missing?: string; close(): Promise<void> }> {
  const url = process.env.DATABASE_URL;
  if (url !== undefined) return { url, close: async () => undefined };
  const missing = noPostgres();
  if (missing !== undefined) return { missing, close: async () => undefined };
  const server = await startPostgres({ durable: true });
  return { url: await server.create(), close: () => server.close() };
}

/** Compares the journal in a file with the journal in a database, and measures a commit of one row in that database. */
export async function* compareWrites(): AsyncGenerator<string> {
  const upstream = await Child.start("./writes/servers/exchange.js");
  const folder = mkdtempSync(join(tmpdir(), "bench-writes-"));
  const server = await databaseServer();
  const database =
    server.url === undefined
      ? undefined
      : await Database.open({ address: addressOf(server.url), name: "bench", clock: systemClock });
  const journals = [await openJournal("file", upstream.url, { journalPath: join(folder, "journal.sqlite") })];
  if (database !== undefined) {
    journals.push(await openJournal("database", upstream.url, { writeStores: databaseStores(database, "bench") }));
    await database.query("CREATE TABLE IF NOT EXISTS bench_commits (text text)");
  }
  const commit =
    database && (async () => void (await database.query("INSERT INTO bench_commits VALUES ($1)", ["x".repeat(400)])));

  const syncs = ({ exchange }: Journal) => exchange.writes.journal.state.syncs;
  /** Two records per order: before it is sent, and when its outcome is known. */
  const recordsPerSync = (journal: Journal, orders: number, before: number) =>
    ((2 * orders) / (syncs(journal) - before)).toFixed(1);
  yield "## One order at a time";
  const before = journals.map(syncs);
  const alone = await oneAtATime(journals, commit);
  const rows = journals.flatMap((journal, index) => {
    const { bare, whole, unkeyed } = alone.journals[index] ?? NONES;
    const records = recordsPerSync(journal, 2 * SEQUENTIAL, before[index] ?? 0);
    return [row(journal.name, bare, whole, records), row(`${journal.name}, without an idempotency key`, bare, unkeyed, records)];
  });
  yield table(COLUMNS, rows);
  yield database === undefined
    ? `The database is left out: ${server.missing}`
    : commits(alone.commit, alone.journals[1] ?? NONES);
  yield `## ${PER_SECOND} orders/s`;
  const loaded: (readonly string[])[] = [];
  for (const journal of journals) {
    const bare = await underLoad(journal.calls.bare);
    const syncsBefore = syncs(journal);
    const whole = await underLoad(journal.calls["write path"]);
    loaded.push(row(journal.name, bare, whole, recordsPerSync(journal, PER_SECOND * SECONDS, syncsBefore)));
  }
  yield table(COLUMNS, loaded);

  for (const { exchange } of journals) await exchange.close();
  await database?.query("DROP TABLE bench_commits");
  await database?.close();
  await server.close();
  await upstream.stop();
  rmSync(folder, { recursive: true });
}

const COLUMNS = ["journal, times in ms", "p50 bare", "p50 write", "added", "p99 bare", "p99 write", "added", "records/sync"];

/** What the write path adds to a commit of one row in the database. */
const commits = ({ p50, p99 }: Timings, { bare, whole, unkeyed }: typeof NONES): string =>
  `A commit of one row in the database: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms. At the median, the write path adds ${(whole.p50 - bare.p50 - p50).toFixed(2)} ms to that commit, and ${(unkeyed.p50 - bare.p50 - p50).toFixed(2)} ms without an idempotency key.`;

const NONE: Timings = { p50: Number.NaN, p99: Number.NaN };
const NONES = { bare: NONE, whole: NONE, unkeyed: NONE };

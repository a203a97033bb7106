import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { placeOrder as endpoint } from "@exchange-graph/contract/orderWrites";
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
import { addressOf, noPostgres, startPostgres } from "../../test/support/postgres.js";
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
/** `unkeyed`: without a key of the client's, which is looked up first. */
type Ways = Readonly<Record<"bare" | "write path" | "unkeyed", Way>>;

/** The same order with and without the write path. */
function waysThrough(exchange: Exchange): Ways {
  const place = async (account: ExchangeAccount, input: PlaceOrderInput): Promise<void> => {
    const { outcome, problems } = await placeOrder(new RequestReads(exchange), account, input);
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

/** A journal under measurement, and what takes turns with it. */
interface Journal {
  readonly name: string;
  readonly exchange: Exchange;
  readonly ways: Ways;
}

/** One order at a time. All ways of all journals, and a bare commit where there is a database, take turns: none has the better minute. */
async function oneAtATime(journals: readonly Journal[], commit: (() => Promise<void>) | undefined) {
  const durations = journals.map((): Record<"bare" | "whole" | "unkeyed", number[]> => ({ bare: [], whole: [], unkeyed: [] }));
  const commits: number[] = [];
  for (let at = 0; at < SEQUENTIAL; at++) {
    for (const [index, { ways }] of journals.entries()) {
      durations[index]?.bare.push(await timed(ways.bare, accountAt(at)));
      durations[index]?.whole.push(await timed(ways["write path"], accountAt(at)));
      durations[index]?.unkeyed.push(await timed(ways.unkeyed, accountAt(at)));
      // Each account's ten a second are not what is measured here.
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

/** The write path over one journal, warmed up. */
async function openJournal(
  name: string,
  url: string,
  journal: Pick<ExchangeSettings, "journalPath" | "database">,
): Promise<Journal> {
  const exchange = createExchange({
    ...{ baseUrl: new URL(url), accounts, demo: false, deadlineMs: 10_000, connections: 64, cacheEntries: 1_000 },
    random: Math.random,
    // One address may make a hundred calls a second; three hundred orders come from several, or from one with a larger quota.
    scheduler: new Scheduler(systemClock, { overall: { limit: 100_000, windowMs: 60_000 } }),
    ...journal,
  });
  await exchange.writes.writer.resume();
  const ways = waysThrough(exchange);
  for (let at = 0; at < 2 * ACCOUNTS; at++) await timed(ways["write path"], accountAt(at));
  await underLoad(ways.bare);
  return { name, exchange, ways };
}

/** The address of a database, and how to end its server: of `DATABASE_URL`, or of a PostgreSQL that is started for it; why there is none. */
async function databaseServer(): Promise<{ readonly url?: string; readonly missing?: string; close(): Promise<void> }> {
  const url = process.env.DATABASE_URL;
  if (url !== undefined) return { url, close: async () => undefined };
  const missing = noPostgres();
  if (missing !== undefined) return { missing, close: async () => undefined };
  const server = await startPostgres({ durable: true });
  return { url: await server.create(), close: () => server.close() };
}

/** The journal in a file beside that in a database, and what a commit of one row takes there by itself. */
export async function compareWrites(): Promise<string> {
  const upstream = await Child.start("./writes/servers/exchange.js");
  const folder = mkdtempSync(join(tmpdir(), "bench-writes-"));
  const server = await databaseServer();
  const database =
    server.url === undefined
      ? undefined
      : await Database.open({ address: addressOf(server.url), name: "bench", clock: systemClock });
  const journals = [await openJournal("file", upstream.url, { journalPath: join(folder, "journal.sqlite") })];
  if (database !== undefined) {
    journals.push(await openJournal("database", upstream.url, { database }));
    await database.query("CREATE TABLE IF NOT EXISTS bench_commits (text text)");
  }
  const commit =
    database && (async () => void (await database.query("INSERT INTO bench_commits VALUES ($1)", ["x".repeat(400)])));

  const syncs = ({ exchange }: Journal) => exchange.writes.journal.state.syncs;
  /** Two notes per order: before it leaves, and when its end is known. */
  const notesPerSync = (journal: Journal, orders: number, before: number) =>
    ((2 * orders) / (syncs(journal) - before)).toFixed(1);
  const before = journals.map(syncs);
  const alone = await oneAtATime(journals, commit);
  const rows = journals.flatMap((journal, index) => {
    const { bare, whole, unkeyed } = alone.journals[index] ?? NONES;
    const notes = notesPerSync(journal, 2 * SEQUENTIAL, before[index] ?? 0);
    return [
      row(`one at a time, ${journal.name}`, bare, whole, notes),
      row(`the same without a key, ${journal.name}`, bare, unkeyed, notes),
    ];
  });
  for (const journal of journals) {
    const bare = await underLoad(journal.ways.bare);
    const noted = syncs(journal);
    const whole = await underLoad(journal.ways["write path"]);
    rows.push(row(`${PER_SECOND} orders/s, ${journal.name}`, bare, whole, notesPerSync(journal, PER_SECOND * SECONDS, noted)));
  }

  for (const { exchange } of journals) await exchange.close();
  await database?.query("DROP TABLE bench_commits");
  await database?.close();
  await server.close();
  await upstream.stop();
  rmSync(folder, { recursive: true });
  const { bare, whole, unkeyed } = alone.journals[1] ?? NONES;
  const { p50, p99 } = alone.commit;
  const ofDatabase =
    database === undefined
      ? `The database is left out: ${server.missing}`
      : `A commit of one row in the database: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms. One order at a time adds ${(whole.p50 - bare.p50 - p50).toFixed(2)} ms to it in the median, and ${(unkeyed.p50 - bare.p50 - p50).toFixed(2)} ms without a key of its client.`;
  return `${table(["ms", "p50 bare", "p50 write", "added", "p99 bare", "p99 write", "added", "notes/sync"], rows)}\n\n${ofDatabase}`;
}

const NONE: Timings = { p50: Number.NaN, p99: Number.NaN };
const NONES = { bare: NONE, whole: NONE, unkeyed: NONE };

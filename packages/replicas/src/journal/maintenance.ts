import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import Libsql from "libsql";
import { z } from "zod";
import { checkJournal, type JournalCheck, openFile } from "../../../../src/datasources/writes/index.js";
import type { Database } from "../database/database.js";
import { VERSION } from "../database/schema.js";
import type { Transaction, Value } from "../database/transaction.js";

/** Entries per batch. */
const AT_ONCE = 1_000;
/** Columns of an entry except its number, exchange and owner: those of a file, and those of the database. */
const COLUMNS = [
  ..."user account who mutation endpoint key digest clientOid values charge".split(" "),
  ..."state reply problem sentAt validUntil settledAt traceparent".split(" "),
].map((name) => [name, name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)] as const);
const NUMBERS: ReadonlySet<string> = new Set(["sentAt", "validUntil", "settledAt"]);

const cell = z.union([z.string(), z.number(), z.null()]);
const rows = z.array(z.record(z.string(), cell));
const counts = z.array(z.object({ realm: z.string(), state: z.string(), count: z.int() }));
const versions = z.tuple([z.object({ version: z.int(), owners: z.int() })]);
const users = z.array(z.object({ key: z.string(), user: z.string() }));

const FIGURES = `SELECT w.realm, (w.sent_at / 86400000)::int AS day, k.kind, k.whose, u.unit, sum(u.used) AS used
  FROM exchange_graph.writes w,
    LATERAL (VALUES ('account', w."user"), ('client', coalesce(w.who, 'anyone'))) AS k (kind, whose),
    LATERAL (VALUES ('', coalesce((w.charge::json ->> 'value')::numeric, 0)),
      (w.charge::json ->> 'coin', (w.charge::json ->> 'qty')::numeric)) AS u (unit, used)
  WHERE w.charge IS NOT NULL AND w.state NOT IN ('REJECTED', 'UNSENT') GROUP BY 1, 2, 3, 4, 5`;

/** Checks the journal of a database, which may be in use. */
export async function checkDatabase(database: Database): Promise<JournalCheck> {
  const [{ version, owners }] = versions.parse(
    await database.query(`SELECT version, (SELECT count(DISTINCT owner)::int FROM exchange_graph.writes
      WHERE state IN ('SENT', 'UNKNOWN') AND lease_until >= clock_timestamp()) AS owners FROM exchange_graph.format`),
  );
  const entries = counts.parse(
    await database.query("SELECT realm, state, count(*)::int AS count FROM exchange_graph.writes GROUP BY 1, 2 ORDER BY 1, 2"),
  );
  const differing = await database.query(
    `SELECT 1 AS one FROM (${FIGURES}) f FULL JOIN exchange_graph.day_figures d
       ON (d.realm, d.day, d.kind, d.whose, d.unit) = (f.realm, f.day, f.kind, f.whose, f.unit)
     WHERE coalesce(d.used, 0) <> coalesce(f.used, 0) AND coalesce(f.day, d.day) = (SELECT max(day) FROM exchange_graph.day_figures)`,
  );
  const problems = differing.length === 0 ? [] : [`${differing.length} figures of the last day differ from what its entries say`];
  if (version > VERSION) problems.push(`its version is ${version}, and this gateway knows version ${VERSION}`);
  return { version, entries, owners, problems };
}

/**
 * Copies the journal of a database, which may be in use, into a file in the format of a gateway without a database. The file is there
 * as a whole or not at all.
 */
export async function backUpDatabase(database: Database, target: string, now: number): Promise<JournalCheck> {
  if (existsSync(target)) throw new Error(`${target} exists already: name another file`);
  const draft = `${target}.new`;
  removeDatabase(draft);
  try {
    await copyInto(draft, database);
    renameSync(draft, target);
  } finally {
    removeDatabase(draft);
  }
  return checkJournal(target, now);
}

function removeDatabase(path: string): void {
  for (const ending of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${ending}`, { force: true });
}

async function copyInto(path: string, database: Database): Promise<void> {
  const file = openFile(path);
  try {
    const names = COLUMNS.map(([name]) => `"${name}"`);
    const realm = file.prepare("INSERT OR IGNORE INTO realms (name) VALUES (?)");
    const insert = file.prepare(
      `INSERT INTO writes (seq, realm, ${names.join(", ")})
       VALUES (?, (SELECT id FROM realms WHERE name = ?), ${names.map(() => "?").join(", ")})`,
    );
    const user = file.prepare("INSERT INTO users (key, user) VALUES (?, ?)");
    await database.transaction(async (transaction) => {
      await transaction.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      for await (const page of pages(transaction)) {
        file.exec("BEGIN");
        for (const row of page) {
          realm.run(row.realm ?? null);
          insert.run(row.seq ?? null, row.realm ?? null, ...COLUMNS.map(([, name]) => row[name] ?? null));
        }
        file.exec("COMMIT");
      }
      for (const { key, user: whose } of users.parse(await transaction.query('SELECT key, "user" FROM exchange_graph.users')))
        user.run(key, whose);
    });
    // Leaves a single file without a WAL file.
    file.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
  } finally {
    file.close();
  }
}

/**
 * Restores the entries of a file that the database does not have, with new numbers; removes nothing. Open entries are looked up
 * again by a gateway. Returns the number of restored entries.
 */
export async function restoreDatabase(database: Database, backup: string, now: number): Promise<number> {
  const found = checkJournal(backup, now).problems.filter((problem) => !problem.startsWith("its version"));
  if (found.length > 0) throw new Error(`${backup} cannot be used: ${found.join("; ")}`);
  const copy = `${backup}.restoring`;
  copyFileSync(backup, copy);
  try {
    // Migrates it to this version.
    openFile(copy).close();
    const file = new Libsql(copy);
    try {
      return await database.transaction((transaction) => merge(transaction, file));
    } finally {
      file.close();
    }
  } finally {
    removeDatabase(copy);
  }
}

async function merge(transaction: Transaction, file: Libsql.Database): Promise<number> {
  const names = COLUMNS.map(([name]) => `w."${name}"`).join(", ");
  const read = file.prepare(
    `SELECT w.seq, r.name AS realm, ${names} FROM writes w JOIN realms r ON r.id = w.realm
     WHERE w.state <> 'UNSENT' AND w.seq > ? ORDER BY w.seq LIMIT ?`,
  );
  const lists = COLUMNS.map(([name], at) => `$${at + 2}::${NUMBERS.has(name) ? "bigint" : "text"}[]`);
  const columns = COLUMNS.map(([, name]) => `"${name}"`).join(", ");
  const write = `INSERT INTO exchange_graph.writes (owner, lease_until, realm, ${columns})
    SELECT 'restored', '-infinity', * FROM unnest($1::text[], ${lists.join(", ")}) ON CONFLICT DO NOTHING RETURNING 1 AS one`;
  let added = 0;
  for (let last = 0; ; ) {
    const page = rows.parse(read.all(last, AT_ONCE));
    if (page.length === 0) break;
    last = Number.parseInt(String(page.at(-1)?.seq), 10);
    const cells: readonly Value[] = COLUMNS.map(([name]) => page.map((row) => row[name] ?? null));
    added += (await transaction.query(write, [page.map(({ realm }) => realm ?? null), ...cells])).length;
  }
  for (const { key, user } of users.parse(file.prepare("SELECT key, user FROM users").all()))
    await transaction.query("INSERT INTO exchange_graph.users VALUES ($1, $2) ON CONFLICT DO NOTHING", [key, user]);
  await transaction.query("LOCK TABLE exchange_graph.day_figures IN EXCLUSIVE MODE");
  await transaction.query("DELETE FROM exchange_graph.day_figures");
  await transaction.query(`INSERT INTO exchange_graph.day_figures (realm, day, kind, whose, unit, used) ${FIGURES}`);
  return added;
}

async function* pages(transaction: Transaction) {
  const columns = COLUMNS.map(([, name]) => `"${name}"`).join(", ");
  const text = `SELECT seq, realm, ${columns} FROM exchange_graph.writes WHERE seq > $1 ORDER BY seq LIMIT ${AT_ONCE}`;
  for (let last = 0; ; ) {
    const page = rows.parse(await transaction.query(text, [last]));
    if (page.length === 0) return;
    yield page;
    last = Number.parseInt(String(page.at(-1)?.seq), 10);
  }
}

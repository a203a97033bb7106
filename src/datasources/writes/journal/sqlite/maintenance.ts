import { chmodSync, closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import Database from "libsql";
import { z } from "zod";
import { openFile, reasonOf, VERSION, versionOf } from "./file.js";
import { tornTail } from "./walTail.js";

/** Another process may write meanwhile, for a moment at a time. */
const BUSY_MS = 5_000;

/** What a journal file holds, and what is wrong with it. */
export interface JournalCheck {
  readonly version: number;
  /** How many entries there are in each state, by exchange. */
  readonly entries: readonly { readonly realm: string; readonly state: string; readonly count: number }[];
  /** Processes that say that they use it. */
  readonly owners: number;
  readonly problems: readonly string[];
}

const counts = z.array(z.object({ realm: z.string(), state: z.string(), count: z.int() }));
const findings = z.array(z.object({ integrity_check: z.string() }));

/** Reads all of a journal, which may be in use. Throws an `Error` that names the file when it cannot be read. */
export function checkJournal(path: string, now: number): JournalCheck {
  if (!existsSync(path)) throw new Error(`there is no journal in ${path}`);
  const torn = tornTail(path);
  const hasLog = existsSync(`${path}-wal`);
  return using(path, (database) => {
    const version = versionOf(database);
    const found = findings.parse(database.pragma("integrity_check")).map(({ integrity_check }) => integrity_check);
    const problems = found.filter((finding) => finding !== "ok");
    if (version !== VERSION) problems.push(`its version is ${version}, not ${VERSION}: a gateway has to open it first`);
    if (version !== VERSION) return { version, entries: [], owners: 0, problems };
    const owners = count(database, "SELECT count(*) AS count FROM owners WHERE livesUntil >= ?", now);
    const left = count(database, "SELECT count(*) AS count FROM owners WHERE livesUntil > 0");
    if (left > 0 && !hasLog) problems.push("the log beside it has gone, and with it the last writes");
    // Of a file in use the end may be on its way.
    if (torn > 0 && owners === 0) problems.push(`it ends in the middle of an entry: ${torn} bytes of it are lost`);
    const entries = counts.parse(
      database
        .prepare(
          "SELECT name AS realm, state, count(*) AS count FROM writes JOIN realms ON id = realm GROUP BY 1, 2 ORDER BY 1, 2",
        )
        .all(),
    );
    bury(database, now);
    return { version, entries, owners, problems };
  });
}

/** Makes a whole copy of a journal, which may be in use: what is durable when it begins. Throws when there is a file already. */
export function backUpJournal(path: string, target: string, now: number): JournalCheck {
  if (!existsSync(path)) throw new Error(`there is no journal in ${path}`);
  if (existsSync(target)) throw new Error(`${target} is there already: give another name`);
  using(path, (database) => {
    database.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
    bury(database, now);
  });
  chmodSync(target, 0o600);
  const file = openSync(target, "r+");
  fsyncSync(file);
  closeSync(file);
  using(target, (copy) => copy.exec("UPDATE owners SET livesUntil = 0"));
  return checkJournal(target, now);
}

/** What a restoration has done. */
interface Restored {
  /** Entries that the journal did not have. */
  readonly added: number;
  /** Where the former file lies, if it was replaced. */
  readonly aside: string | undefined;
}

/**
 * Puts back what a backup has and the journal has not; nothing is taken from the journal, which may be in use. Entries that
 * were open when the backup was made are looked up again, to the same end. A journal that cannot be read is moved aside and
 * replaced as a whole, if `replace` says so: nobody may use it then.
 */
export function restoreJournal(path: string, backup: string, { replace, now }: { replace: boolean; now: number }): Restored {
  const next = `${path}.restoring`;
  const found = checkJournal(backup, now).problems.filter((problem) => !problem.startsWith("its version"));
  if (found.length > 0) throw new Error(`${backup} cannot be used: ${found.join("; ")}`);
  copyFileSync(backup, next);
  try {
    // Brings it to this version.
    openFile(next).database.close();
    const why = whyBroken(path, now);
    if (why === undefined) return { added: merge(path, next), aside: undefined };
    if (!replace && existsSync(path))
      throw new Error(`${path} cannot be read (${why}): stop what uses it, and replace it with --replace`);
    const aside = moveAside(path, now);
    renameSync(next, path);
    return { added: using(path, (database) => count(database, "SELECT count(*) AS count FROM writes")), aside };
  } finally {
    for (const ending of ["", "-wal", "-shm"]) rmSync(`${next}${ending}`, { force: true });
  }
}

const columnsOf = z.array(z.object({ name: z.string() }));
/** What an entry is here and not in the other file: its number, the number of its exchange, and whose it is. */
const LOCAL: ReadonlySet<string> = new Set(["seq", "realm", "owner"]);

function merge(path: string, from: string): number {
  return using(path, (database) => {
    database.exec(`ATTACH '${from.replaceAll("'", "''")}' AS backup; BEGIN IMMEDIATE;`);
    try {
      database.exec("INSERT OR IGNORE INTO main.realms (name) SELECT name FROM backup.realms");
      const columns = columnsOf
        .parse(database.pragma("table_info(writes)"))
        .map(({ name }) => `"${name}"`)
        .filter((name) => !LOCAL.has(name.slice(1, -1)));
      const { changes } = database
        .prepare(
          `INSERT INTO main.writes (seq, realm, ${columns.join(", ")})
           SELECT iif(EXISTS (SELECT 1 FROM main.writes x WHERE x.seq = w.seq), NULL, w.seq), r.id,
             ${columns.map((column) => `w.${column}`).join(", ")}
           FROM backup.writes w JOIN backup.realms b ON b.id = w.realm JOIN main.realms r ON r.name = b.name
           WHERE w.state <> 'UNSENT' AND NOT EXISTS (
             SELECT 1 FROM main.writes x
             WHERE x.key = w.key AND (x.user = w.user OR x.account = w.account) AND x.realm = r.id AND x.state <> 'UNSENT'
           ) ORDER BY w.seq`,
        )
        .run();
      // An owner that has gone: whoever uses the journal looks for what it has left open.
      database.exec("INSERT INTO main.owners (realm, livesUntil) SELECT id, 0 FROM main.realms; COMMIT;");
      return changes;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  });
}

/** Why a journal cannot be used; `undefined` when it can. */
function whyBroken(path: string, now: number): string | undefined {
  try {
    openFile(path).database.close();
    const { problems } = checkJournal(path, now);
    return problems.find((problem) => !problem.startsWith("the log") && !problem.startsWith("it ends"));
  } catch (error) {
    return reasonOf(error);
  }
}

function moveAside(path: string, now: number): string | undefined {
  if (!existsSync(path)) return undefined;
  const aside = `${path}.damaged-${now}`;
  for (const ending of ["", "-wal", "-shm"])
    if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${aside}${ending}`);
  return aside;
}

/**
 * Whoever closes a file last takes its log away with all that was in it: owners whose lease has run out have to count as
 * closed then, or the log would be missed.
 */
const bury = (database: Database.Database, now: number): void => {
  database.prepare("UPDATE owners SET livesUntil = 0 WHERE livesUntil > 0 AND livesUntil < ?").run(now);
};

const count = (database: Database.Database, sql: string, ...values: number[]): number =>
  z.object({ count: z.int() }).parse(database.prepare(sql).get(...values)).count;

function using<T>(path: string, use: (database: Database.Database) => T): T {
  const database = new Database(path, { timeout: BUSY_MS });
  try {
    return use(database);
  } catch (error) {
    throw new Error(`${path}: ${reasonOf(error)}`, { cause: error });
  } finally {
    database.close();
  }
}

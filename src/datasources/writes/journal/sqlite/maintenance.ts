import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import Database from "libsql";
import { z } from "zod";
import { copyDatabase } from "../../../../files/copyDatabase.js";
import { openFile, reasonOf } from "./file.js";
import { lossOf, lossText, resetMarks } from "./mark.js";
import { tooNew, VERSION, versionOf } from "./migrations.js";
import { lastEntry } from "./statements.js";
import { tornTail } from "./walTail.js";

/** Maximum wait for other processes, which lock the file for moments. */
const BUSY_MS = 5_000;

/** Content of a journal file, and problems with it. */
export interface JournalCheck {
  readonly version: number;
  /** What the next start does to a healthy file of a former format. */
  readonly note?: string | undefined;
  /** Number of entries in each state, by exchange. */
  readonly entries: readonly { readonly realm: string; readonly state: string; readonly count: number }[];
  readonly owners: number;
  readonly problems: readonly string[];
}

/** The first format with a table of owners. */
const WITH_OWNERS = 2;

const counts = z.array(z.object({ realm: z.string(), state: z.string(), count: z.int() }));
const findings = z.array(z.object({ integrity_check: z.string() }));

/** Checks a journal, which may be in use. Throws an `Error` that names the file if it cannot be read. */
export function checkJournal(path: string, now: number): JournalCheck {
  const torn = tornTail(path);
  return using(path, (database) => {
    const version = versionOf(database);
    const found = findings.parse(database.pragma("integrity_check")).map(({ integrity_check }) => integrity_check);
    const problems = found.filter((finding) => finding !== "ok");
    const refusal = tooNew(database);
    if (refusal !== undefined || version === 0)
      return { version, entries: [], owners: 0, problems: [...problems, refusal ?? "it has no tables"] };
    const note = version < VERSION ? `old, and usable: the next start migrates it to version ${VERSION}` : undefined;
    const owners = version < WITH_OWNERS ? 0 : count(database, "SELECT count(*) AS count FROM owners WHERE livesUntil >= ?", now);
    const loss = lossOf(path, () => lastEntry(database), now);
    if (loss !== undefined) problems.push(lossText(loss));
    // While a file is in use its last entry may be incomplete.
    else if (torn > 0 && owners === 0) problems.push(`it ends in a partial entry: ${torn} bytes are lost`);
    const entries = counts.parse(
      database
        .prepare(
          "SELECT name AS realm, state, count(*) AS count FROM writes JOIN realms ON id = realm GROUP BY 1, 2 ORDER BY 1, 2",
        )
        .all(),
    );
    return { version, note, entries, owners, problems };
  });
}

/** Makes a copy of a journal, which may be in use, as of the start of the copy. Throws if the target exists. */
export function backUpJournal(path: string, target: string, now: number): JournalCheck {
  if (existsSync(target)) throw new Error(`${target} exists already: name another file`);
  using(path, (database) => copyDatabase(database, target));
  using(target, (copy) => copy.exec("UPDATE owners SET livesUntil = 0"));
  return checkJournal(target, now);
}

interface Restored {
  /** Entries that the journal did not have. */
  readonly added: number;
  /** Path of the former file, if it was replaced. */
  readonly aside: string | undefined;
}

/**
 * Restores the entries of a backup that the journal does not have; removes nothing. The journal may be in use. Entries that were
 * open in the backup are looked up again. With `replace`, a journal that cannot be read is moved aside and replaced; then it must
 * not be in use.
 */
export function restoreJournal(path: string, backup: string, { replace, now }: { replace: boolean; now: number }): Restored {
  const next = `${path}.restoring`;
  const found = checkJournal(backup, now).problems;
  if (found.length > 0) throw new Error(`${backup} cannot be used: ${found.join("; ")}`);
  copyFileSync(backup, next);
  try {
    // Migrates it to this version.
    openFile(next).close();
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
/** Columns whose values differ between files: an entry's number, the number of its exchange, and its owner. */
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
      // An owner that is gone: processes that use the journal take over its open entries.
      database.exec("INSERT INTO main.owners (realm, livesUntil) SELECT id, 0 FROM main.realms; COMMIT;");
      return changes;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  });
}

/**
 * Accepts that entries are missing, so that the journal is written again; gateways that use it notice. Returns what is lost, or
 * `undefined` if nothing is.
 */
export function acceptLoss(path: string, now: number): string | undefined {
  return using(path, (database) => {
    const loss = lossOf(path, () => lastEntry(database), now);
    if (loss === undefined) return undefined;
    resetMarks(path, loss.after);
    return lossText(loss);
  });
}

/** The reason why a journal cannot be used; `undefined` if it can. */
function whyBroken(path: string, now: number): string | undefined {
  try {
    openFile(path).close();
    const { problems } = checkJournal(path, now);
    return problems.find((problem) => !problem.startsWith("it has lost") && !problem.startsWith("it ends"));
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

const count = (database: Database.Database, sql: string, ...values: number[]): number =>
  z.object({ count: z.int() }).parse(database.prepare(sql).get(...values)).count;

function using<T>(path: string, use: (database: Database.Database) => T): T {
  if (!existsSync(path)) throw new Error(`there is no journal in ${path}`);
  const database = new Database(path, { timeout: BUSY_MS });
  try {
    return use(database);
  } catch (error) {
    throw new Error(`${path}: ${reasonOf(error)}`, { cause: error });
  } finally {
    database.close();
  }
}

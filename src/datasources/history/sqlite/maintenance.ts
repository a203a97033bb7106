import { existsSync } from "node:fs";
import Database from "libsql";
import { copyDatabase } from "../../../files/copyDatabase.js";
import { BACKFILL_NOTE, progressIn, shareOf } from "../backfill/progress.js";
import { integer, text } from "./columns.js";
import { SqliteStore, VERSION } from "./sqliteStore.js";

/** Maximum wait for other processes, which lock the file for moments. */
const BUSY_MS = 5_000;

/** Content of a history file, and problems with it. */
export interface HistoryCheck {
  readonly users: number;
  readonly points: number;
  readonly records: number;
  readonly problems: readonly string[];
  /** How far the past of each user is rebuilt, as text. */
  readonly backfills: readonly string[];
}

/** Checks a history, which may be in use. Throws an `Error` that names the file if it cannot be read. */
export const checkHistory = (path: string): HistoryCheck =>
  using(path, (database) => {
    const problems = database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => text(row, "integrity_check"))
      .filter((finding) => finding !== "ok");
    const version = integer(database.prepare("PRAGMA user_version").get(), "user_version");
    if (version !== VERSION)
      return { users: 0, points: 0, records: 0, problems: [...problems, `its format is ${version}`], backfills: [] };
    const count = (rows: string) => integer(database.prepare(`SELECT count(*) AS count FROM ${rows}`).get(), "count");
    return {
      users: count("users WHERE EXISTS (SELECT 1 FROM points WHERE points.user = users.id)"),
      points: count("points"),
      records: count("records"),
      problems,
      backfills: backfillsIn(database),
    };
  });

function backfillsIn(database: Database.Database): readonly string[] {
  const rows = database
    .prepare("SELECT u.user AS user, n.body AS body FROM notes n JOIN users u ON u.id = n.user WHERE n.name = ? ORDER BY u.user")
    .all(BACKFILL_NOTE);
  return rows.map((row) => {
    const progress = progressIn(text(row, "body"));
    const [reached, from] = [progress.reached, progress.from].map((time) => new Date(time).toISOString());
    return `user ${text(row, "user")}: past rebuilt back to ${reached} of ${from}, share ${shareOf(progress)}, ${progress.status}`;
  });
}

/** Makes a copy of a history, which may be in use, as of the start of the copy. Throws if the target exists. */
export function backUpHistory(path: string, target: string): HistoryCheck {
  if (existsSync(target)) throw new Error(`${target} exists already: name another file`);
  using(path, (database) => copyDatabase(database, target));
  return checkHistory(target);
}

/**
 * Restores what a backup has and the history does not; removes nothing. The history may be in use, and is created if there is none.
 * Returns how many points and records were put back.
 */
export function restoreHistory(path: string, backup: string): number {
  const { problems } = checkHistory(backup);
  if (problems.length > 0) throw new Error(`${backup} cannot be used: ${problems.join("; ")}`);
  // Creates the file and its tables.
  new SqliteStore(path, "").close();
  return using(path, (database) => {
    database.exec(`ATTACH '${backup.replaceAll("'", "''")}' AS backup; BEGIN IMMEDIATE;`);
    try {
      database.exec("INSERT OR IGNORE INTO main.users (realm, user) SELECT realm, user FROM backup.users");
      const put = (table: string, columns: string) =>
        database
          .prepare(
            `INSERT OR IGNORE INTO main.${table} SELECT u.id, ${columns} FROM backup.${table} t
             JOIN backup.users b ON b.id = t.user JOIN main.users u ON u.realm = b.realm AND u.user = b.user`,
          )
          .run().changes;
      const added = put("points", "t.resolution, t.at, t.body") + put("records", "t.at, t.id, t.body");
      // A note of the file itself is later than one of a backup.
      put("notes", "t.name, t.body");
      database.exec("COMMIT");
      return added;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  });
}

function using<T>(path: string, use: (database: Database.Database) => T): T {
  if (!existsSync(path)) throw new Error(`there is no history in ${path}`);
  const database = new Database(path, { timeout: BUSY_MS });
  try {
    return use(database);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : "an unknown error"}`, { cause: error });
  } finally {
    database.close();
  }
}

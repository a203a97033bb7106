import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { columns, integer } from "../rows.js";

/** Maximum wait for other processes at the start, which may create the file. It is below the timeout of the first answer. */
const OPENING_MS = 15_000;
/** Pages in the WAL file before a checkpoint. */
const CHECKPOINT_PAGES = 4_000;

/** One migration per version of the tables. */
const MIGRATIONS: readonly string[] = [
  // One index, and short rows: each page that an entry touches is written again with every entry.
  `CREATE TABLE realms (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE writes (
     seq INTEGER PRIMARY KEY, realm INTEGER NOT NULL REFERENCES realms, account TEXT NOT NULL, mutation TEXT NOT NULL,
     endpoint TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, clientOid TEXT, "values" TEXT NOT NULL,
     state TEXT NOT NULL, reply TEXT, problem TEXT,
     sentAt INTEGER NOT NULL, validUntil INTEGER NOT NULL, settledAt INTEGER
   ) STRICT;
   CREATE UNIQUE INDEX writesByKey ON writes (key, account, realm) WHERE state <> 'UNSENT';`,
  // Numbers of owners are never reused. A closed owner lives until 0.
  `ALTER TABLE writes ADD COLUMN owner INTEGER;
   ALTER TABLE writes ADD COLUMN who TEXT;
   CREATE TABLE owners (
     id INTEGER PRIMARY KEY AUTOINCREMENT, realm INTEGER NOT NULL REFERENCES realms, livesUntil INTEGER NOT NULL
   ) STRICT;`,
  "ALTER TABLE writes ADD COLUMN charge TEXT;",
  // Keys of the exchange are stored as digests. Former entries have their account's name as user.
  `ALTER TABLE writes ADD COLUMN user TEXT NOT NULL DEFAULT '';
   UPDATE writes SET user = 'account:' || account;
   DROP INDEX writesByKey;
   CREATE UNIQUE INDEX writesByKey ON writes (key, user, realm) WHERE state <> 'UNSENT';
   CREATE TABLE users (key TEXT PRIMARY KEY, user TEXT NOT NULL) STRICT;`,
  "ALTER TABLE writes ADD COLUMN traceparent TEXT;",
];
/** Increases with every migration. */
export const VERSION = MIGRATIONS.length;

/**
 * Opens the file, waiting for other processes; creates it if needed, and migrates it to this version. Throws an `Error` that
 * names it.
 */
export function openFile(path: string): Database.Database {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const database = new Database(path, { timeout: OPENING_MS });
    try {
      // The journal is private to its owner; the WAL file inherits the permissions.
      chmodSync(path, 0o600);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
      migrate(database);
      database.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw new Error(`the journal of writes cannot be kept in ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The message of an error. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** SQLite's codes for errors in statements rather than in the file. */
const OUR_MISTAKE = /^SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|MISUSE|RANGE|TOOBIG)/;

/** Whether another process locks the file. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code);

/** Whether an error concerns the file or the disk, so that the same statement may succeed later. */
export const isAboutTheFile = (error: unknown): boolean =>
  error instanceof Database.SqliteError
    ? !OUR_MISTAKE.test(error.code)
    : error instanceof Error && "syscall" in error && "code" in error;

/** The version of a file's tables; 0 if there are none. */
export const versionOf = (database: Database.Database): number =>
  columns(database.prepare("PRAGMA user_version").get())("user_version", integer);

/** A file of a later version is not changed: its content may have another meaning. */
function migrate(database: Database.Database): void {
  if (versionOf(database) === VERSION) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = versionOf(database);
    if (version > VERSION) throw new Error(`its version is ${version}, not ${VERSION}`);
    for (const step of MIGRATIONS.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${VERSION}; COMMIT;`);
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Identity of the file behind a path, the same for all of its names; `undefined` if there is none. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { columns, integer } from "../rows.js";

/**
 * At the start another process may hold the file until the disk has what it makes; later on whoever waits does so by itself.
 * Below the time that the first answer may take.
 */
const OPENING_MS = 15_000;
/** Pages in the write-ahead log before they are moved to the main file. */
const CHECKPOINT_PAGES = 4_000;

/** What the tables were in each version, and how one came from the one before. */
const MIGRATIONS: readonly string[] = [
  // One index, and short rows: each page that an entry touches is written once more with every entry.
  `CREATE TABLE realms (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE writes (
     seq INTEGER PRIMARY KEY, realm INTEGER NOT NULL REFERENCES realms, account TEXT NOT NULL, mutation TEXT NOT NULL,
     endpoint TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, clientOid TEXT, "values" TEXT NOT NULL,
     state TEXT NOT NULL, reply TEXT, problem TEXT,
     sentAt INTEGER NOT NULL, validUntil INTEGER NOT NULL, settledAt INTEGER
   ) STRICT;
   CREATE UNIQUE INDEX writesByKey ON writes (key, account, realm) WHERE state <> 'UNSENT';`,
  // A number of an owner is never given a second time. An owner that has closed lives until 0.
  `ALTER TABLE writes ADD COLUMN owner INTEGER;
   ALTER TABLE writes ADD COLUMN who TEXT;
   CREATE TABLE owners (
     id INTEGER PRIMARY KEY AUTOINCREMENT, realm INTEGER NOT NULL REFERENCES realms, livesUntil INTEGER NOT NULL
   ) STRICT;`,
  "ALTER TABLE writes ADD COLUMN charge TEXT;",
  // A key of the exchange is known by its digest. Entries of before have their account's name in the place of its user.
  `ALTER TABLE writes ADD COLUMN user TEXT NOT NULL DEFAULT '';
   UPDATE writes SET user = 'account:' || account;
   DROP INDEX writesByKey;
   CREATE UNIQUE INDEX writesByKey ON writes (key, user, realm) WHERE state <> 'UNSENT';
   CREATE TABLE users (key TEXT PRIMARY KEY, user TEXT NOT NULL) STRICT;`,
  "ALTER TABLE writes ADD COLUMN traceparent TEXT;",
];
/** Grows whenever the tables mean something else than before. */
export const VERSION = MIGRATIONS.length;

/** An open journal file. */
interface JournalFile {
  readonly database: Database.Database;
  /** The processes that have used the file and not closed it left a log beside it, and it is not there. */
  readonly hasLostItsLog: boolean;
}

/** Opens the file, waiting for other processes, makes it where there is none, and brings it to this version. Throws an `Error` that names it. */
export function openFile(path: string): JournalFile {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const hasLog = sizeOf(`${path}-wal`) > 0;
    const database = new Database(path, { timeout: OPENING_MS });
    try {
      // Who traded what is nobody else's business; the log beside the file takes over its permissions.
      chmodSync(path, 0o600);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
      migrate(database);
      const hasLostItsLog = !hasLog && wasLeft(database);
      database.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
      return { database, hasLostItsLog };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw new Error(`the journal of writes cannot be kept in ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** What went wrong, in words. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** SQLite's words for what is wrong with a statement rather than with the file. */
const OUR_MISTAKE = /^SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|MISUSE|RANGE|TOOBIG)/;

/** Does another process hold the file? */
export const isLocked = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code);

/** Is it the file, or the disk under it, that an error is about? Then the same may be tried again. */
export const isAboutTheFile = (error: unknown): boolean =>
  error instanceof Database.SqliteError
    ? !OUR_MISTAKE.test(error.code)
    : error instanceof Error && "syscall" in error && "code" in error;

/** The version of a file's tables; 0 where there are none. */
export const versionOf = (database: Database.Database): number =>
  columns(database.prepare("PRAGMA user_version").get())("user_version", integer);

/** A file of a later version is left as it is: what it says may mean something else. */
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

/** Does the main file itself say that somebody uses it, or was stopped while doing so? */
const wasLeft = (database: Database.Database): boolean =>
  database.prepare("SELECT id FROM owners WHERE livesUntil > 0 LIMIT 1").get() !== undefined;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Which file a path leads to: the same for every name of it, and another one for every other file; `undefined` where there is none. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

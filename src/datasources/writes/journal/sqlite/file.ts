import { chmodSync, mkdirSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { migrate } from "./migrations.js";

/** Maximum wait for other processes at the start, which may create the file. It is below the timeout of the first answer. */
const OPENING_MS = 15_000;
/** Pages in the WAL file before a checkpoint. */
const CHECKPOINT_PAGES = 4_000;

/**
 * Opens the file, waiting for other processes; creates it if needed, and migrates it. `copied` is called with the path of the
 * copy that is made before an irreversible migration; without it none is made. Throws an `Error` that names the file.
 */
export function openFile(path: string, copied?: (copy: string) => void): Database.Database {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const database = new Database(path, { timeout: OPENING_MS });
    try {
      // The journal is private to its owner; the WAL file inherits the permissions.
      chmodSync(path, 0o600);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
      migrate(database, path, copied);
      database.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    const reason = isDiskFull(path, error) ? "no space is left on its disk" : reasonOf(error);
    throw new Error(`the journal of writes cannot be kept in ${path}: ${reason}`, { cause: error });
  }
}

/** Whether an error means that the disk is full. SQLite calls it an I/O error where the `-shm` file has no room. */
const isDiskFull = (path: string, error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(?:FULL|IOERR)/.test(error.code) && statfsSync(dirname(path)).bavail === 0;

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** SQLite's codes for errors in statements rather than in the file. */
const STATEMENT_ERROR = /^SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|MISUSE|RANGE|TOOBIG)/;

export const isLocked = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code);

/** Whether an error concerns the file or the disk, so that the same statement may succeed later. */
export const isAboutTheFile = (error: unknown): boolean =>
  error instanceof Database.SqliteError
    ? !STATEMENT_ERROR.test(error.code)
    : error instanceof Error && "syscall" in error && "code" in error;

/** Identity of the file behind a path, the same for all of its names; `undefined` if there is none. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

import { existsSync } from "node:fs";
import type Database from "libsql";
import { copyDatabase } from "../../../../files/copyDatabase.js";
import { columns, integer } from "../rowDecoding.js";

/** One migration per format of the tables. */
interface Migration {
  readonly sql: string;
  /** Whether programs of the former format can use the tables: nothing changes its meaning, and what is new may stay empty. */
  readonly isAdditive: boolean;
}

const MIGRATIONS: readonly Migration[] = [
  {
    isAdditive: false,
    // One index, and short rows: each page that an entry touches is written again with every entry.
    sql: `CREATE TABLE realms (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE writes (
     seq INTEGER PRIMARY KEY, realm INTEGER NOT NULL REFERENCES realms, account TEXT NOT NULL, mutation TEXT NOT NULL,
     endpoint TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, clientOid TEXT, "values" TEXT NOT NULL,
     state TEXT NOT NULL, reply TEXT, problem TEXT,
     sentAt INTEGER NOT NULL, validUntil INTEGER NOT NULL, settledAt INTEGER
   ) STRICT;
   CREATE UNIQUE INDEX writesByKey ON writes (key, account, realm) WHERE state <> 'UNSENT';`,
  },
  {
    isAdditive: false,
    // Numbers of owners are never reused. A closed owner lives until 0.
    sql: `ALTER TABLE writes ADD COLUMN owner INTEGER;
   ALTER TABLE writes ADD COLUMN who TEXT;
   CREATE TABLE owners (
     id INTEGER PRIMARY KEY AUTOINCREMENT, realm INTEGER NOT NULL REFERENCES realms, livesUntil INTEGER NOT NULL
   ) STRICT;`,
  },
  { isAdditive: false, sql: "ALTER TABLE writes ADD COLUMN charge TEXT;" },
  {
    isAdditive: false,
    // Keys of the exchange are stored as digests. Former entries have their account's name as user.
    sql: `ALTER TABLE writes ADD COLUMN user TEXT NOT NULL DEFAULT '';
   UPDATE writes SET user = 'account:' || account;
   DROP INDEX writesByKey;
   CREATE UNIQUE INDEX writesByKey ON writes (key, user, realm) WHERE state <> 'UNSENT';
   CREATE TABLE users (key TEXT PRIMARY KEY, user TEXT NOT NULL) STRICT;`,
  },
  { isAdditive: true, sql: "ALTER TABLE writes ADD COLUMN traceparent TEXT;" },
  {
    isAdditive: true,
    // What one of the owners does at a time.
    sql: `CREATE TABLE rights (
     realm INTEGER NOT NULL REFERENCES realms, name TEXT NOT NULL, owner INTEGER NOT NULL, until INTEGER NOT NULL,
     PRIMARY KEY (realm, name)
   ) STRICT;`,
  },
];

/** The format of this program. */
export const VERSION = MIGRATIONS.length;
/** The oldest format whose programs may use files of this one. */
export const OLDEST = MIGRATIONS.findLastIndex(({ isAdditive }) => !isAdditive) + 1;

/**
 * SQLite's `user_version` is the oldest format whose programs may use the file: programs refuse a file whose number exceeds their
 * own. The file's own format is in a table.
 */
const oldestOf = (database: Database.Database): number =>
  columns(database.prepare("PRAGMA user_version").get())("user_version", integer);

const hasTable = (database: Database.Database, name: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** The format of a file; 0 if it has no tables. */
export const versionOf = (database: Database.Database): number =>
  hasTable(database, "format")
    ? columns(database.prepare("SELECT version FROM format").get())("version", integer)
    : oldestOf(database);

/** Why this program may not use a file; `undefined` if it may, perhaps after a migration. */
export function tooNew(database: Database.Database): string | undefined {
  const oldest = oldestOf(database);
  return oldest > VERSION
    ? `its format is for programs of format ${oldest} or later, and this one has format ${VERSION}`
    : undefined;
}

/**
 * Migrates a file to this program's format. A file of a later one is used as it is, if it says that this program may, and refused
 * otherwise. Before a migration after which programs of the file's format can no longer use it, a copy is made if `copied` is
 * given, which is called with its path.
 */
export function migrate(database: Database.Database, path: string, copied?: (copy: string) => void): void {
  const refusal = tooNew(database);
  if (refusal !== undefined) throw new Error(refusal);
  if (isCurrent(database)) return;
  const before = versionOf(database);
  if (before > 0 && before < OLDEST && copied !== undefined) copy(database, `${path}.format-${before}`, copied);
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have migrated it meanwhile.
    if (!isCurrent(database)) {
      for (const { sql } of MIGRATIONS.slice(versionOf(database))) database.exec(sql);
      if (!hasTable(database, "format"))
        database.exec("CREATE TABLE format (version INTEGER NOT NULL) STRICT; INSERT INTO format VALUES (0)");
      database.exec(`UPDATE format SET version = ${VERSION}; PRAGMA user_version = ${OLDEST};`);
    }
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

const isCurrent = (database: Database.Database): boolean => hasTable(database, "format") && versionOf(database) >= VERSION;

function copy(database: Database.Database, target: string, copied: (copy: string) => void): void {
  if (existsSync(target)) return;
  copyDatabase(database, target);
  copied(target);
}

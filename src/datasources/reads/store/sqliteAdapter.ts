import { EventEmitter } from "node:events";
import { chmodSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { KeyvStoreAdapter, StoredData } from "keyv";
import Database from "libsql";

/** Longest wait for another process that writes to the file, in ms. */
const BUSY_MS = 20;
/** Maximum number of texts. The ones that expire first are removed. */
const MAX_TEXTS = 20_000;

/** What Keyv stores for a key: a text with its expiry. */
interface Row {
  readonly value: string;
}

/**
 * Keyv's storage in a SQLite file, over the library that the journal uses. `@keyv/sqlite` would bring a second SQLite, which npm
 * compiles where there is no binary for the machine.
 */
export class SqliteAdapter extends EventEmitter implements KeyvStoreAdapter {
  readonly opts = { dialect: "sqlite" };
  namespace?: string | undefined;
  readonly #database: Database.Database;

  /** `now`: Unix ms. Throws if the file cannot be opened. */
  constructor(
    file: URL,
    private readonly now: () => number,
  ) {
    super();
    const path = fileURLToPath(file);
    this.#database = new Database(path);
    // Private to its owner, as the journal: the WAL file inherits the permissions.
    chmodSync(path, 0o600);
    this.#database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
      CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY, value TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS texts_until ON texts (until)`);
  }

  async get<Value>(key: string): Promise<StoredData<Value> | undefined> {
    const row = this.#database.prepare("SELECT value FROM texts WHERE key = ?").get(key) as Row | undefined;
    // Keyv stores text, and reads the value out of it.
    return row?.value as StoredData<Value> | undefined;
  }

  async set(key: string, value: string, ttl = 0): Promise<void> {
    this.#database
      .prepare(
        "INSERT INTO texts VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, until = excluded.until",
      )
      .run(key, value, this.now() + ttl);
    this.#database.prepare("DELETE FROM texts WHERE until < ?").run(this.now());
    this.#database
      .prepare("DELETE FROM texts WHERE key IN (SELECT key FROM texts ORDER BY until DESC LIMIT -1 OFFSET ?)")
      .run(MAX_TEXTS);
  }

  async delete(key: string): Promise<boolean> {
    return this.#database.prepare("DELETE FROM texts WHERE key = ?").run(key).changes > 0;
  }

  async clear(): Promise<void> {
    this.#database.prepare("DELETE FROM texts WHERE key LIKE ? || '%'").run(this.namespace ?? "");
  }

  async disconnect(): Promise<void> {
    this.#database.close();
  }
}

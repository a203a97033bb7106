import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import Database from "libsql";
import {
  type HistoryBatch,
  type KeptFrom,
  SERIES,
  type Series,
  type StoredPoint,
  type StoredRange,
  type StoredRecord,
} from "../historyStore.js";
import { blobOf, integer, text } from "./columns.js";

/** Maximum wait for other processes that use the file. */
const BUSY_MS = 5_000;
/** The format of the tables. A later one is refused. */
export const VERSION = 1;

/**
 * Points have no row number of their own, so a point is found by its key, and equal users are one number. Bodies are deflated: a
 * point of ten coins takes about 300 bytes.
 */
const TABLES = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, realm TEXT NOT NULL, user TEXT NOT NULL, UNIQUE (realm, user)) STRICT;
  CREATE TABLE points (
    user INTEGER NOT NULL REFERENCES users, resolution INTEGER NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (user, resolution, at)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE records (
    user INTEGER NOT NULL REFERENCES users, at INTEGER NOT NULL, id TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (user, at, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE notes (
    user INTEGER NOT NULL REFERENCES users, name TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (user, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE holders (realm TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};`;

/** Text that the bodies have in common, so that a short body is deflated too. Changing it makes stored bodies unreadable. */
const DICTIONARY = Buffer.from(
  '"gap":"NOT_REPRODUCED"NOT_COMPUTABLE BEING_READ INTERRUPTED "amount":"-0.000","fee":"0.000","symbol":"kind":"transfer","funding"' +
    '["COIN-FUTURES","SPOT","UNIFIED","USDC-FUTURES","BTC","ETH","SOL","XRP","DOGE","BGB","USDC","USDT","0","0","1"],' +
    '{"source":"STREAM","mode":"CLASSIC","mode":"UNIFIED","time":1700000000000,"comparedAt":1700000000000,"equity":"100' +
    '","unrealisedPnl":"0","debt":"0","marginInUse":"0","low":"100","high":"100","count":60,"coins":[["UNIFIED","BTC","0.0',
);
const packed = (body: string): Buffer => deflateRawSync(body, { dictionary: DICTIONARY });
const unpacked = (body: Buffer): string => inflateRawSync(body, { dictionary: DICTIONARY }).toString();

/** The history in an SQLite file. Synchronous: it belongs into a thread of its own. */
export class SqliteStore {
  readonly #database: Database.Database;
  readonly #users = new Map<string, number>();

  /** Throws an `Error` that names the file if it cannot be used. */
  constructor(
    path: string,
    private readonly realm: string,
  ) {
    try {
      if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      this.#database = new Database(path, { timeout: BUSY_MS });
      // Private to its owner, as the journal; the WAL file inherits the permissions.
      if (path !== ":memory:") chmodSync(path, 0o600);
      this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
      this.#migrate();
    } catch (error) {
      const reason = error instanceof Error ? error.message : "an unknown error";
      throw new Error(`the history cannot be kept in ${path}: ${reason}`, { cause: error });
    }
  }

  hold(holder: string, now: number, forMs: number): boolean {
    const { changes } = this.#database
      .prepare(
        `INSERT INTO holders VALUES (?, ?, ?) ON CONFLICT (realm) DO UPDATE SET holder = excluded.holder, until = excluded.until
         WHERE holder = excluded.holder OR until < ?`,
      )
      .run(this.realm, holder, now + forMs, now);
    return changes > 0;
  }

  release(holder: string): void {
    this.#database.prepare("DELETE FROM holders WHERE realm = ? AND holder = ?").run(this.realm, holder);
  }

  write({ points = [], records = [], notes = [] }: HistoryBatch): void {
    this.#transaction(() => {
      const point = this.#database.prepare("INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?)");
      for (const { user, resolution, at, body } of points)
        point.run(this.#user(user), SERIES.indexOf(resolution), at, packed(body));
      const record = this.#database.prepare("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)");
      for (const { user, at, id, body } of records) record.run(this.#user(user), at, id, packed(body));
      const note = this.#database.prepare("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)");
      for (const { user, name, body } of notes) note.run(this.#user(user), name, body);
    });
  }

  points(user: string, resolution: Series, { after, to, limit }: StoredRange): StoredPoint[] {
    const rows = this.#database
      .prepare("SELECT at, body FROM points WHERE user = ? AND resolution = ? AND at > ? AND at <= ? ORDER BY at LIMIT ?")
      .all(this.#user(user), SERIES.indexOf(resolution), after, to, limit);
    return rows.map((row) => ({ user, resolution, at: integer(row, "at"), body: unpacked(blobOf(row, "body")) }));
  }

  lastPoint(user: string, resolution: Series, to: number): StoredPoint | undefined {
    const row = this.#database
      .prepare("SELECT at, body FROM points WHERE user = ? AND resolution = ? AND at <= ? ORDER BY at DESC LIMIT 1")
      .get(this.#user(user), SERIES.indexOf(resolution), to);
    return row === undefined ? undefined : { user, resolution, at: integer(row, "at"), body: unpacked(blobOf(row, "body")) };
  }

  records(user: string, { after, to, limit }: StoredRange, afterId?: string): StoredRecord[] {
    const behind = afterId === undefined ? "at > ?" : "(at, id) > (?, ?)";
    const rows = this.#database
      .prepare(`SELECT at, id, body FROM records WHERE user = ? AND ${behind} AND at <= ? ORDER BY at, id LIMIT ?`)
      .all(this.#user(user), after, ...(afterId === undefined ? [] : [afterId]), to, limit);
    return rows.map((row) => ({ user, at: integer(row, "at"), id: text(row, "id"), body: unpacked(blobOf(row, "body")) }));
  }

  note(user: string, name: string): string | undefined {
    const row = this.#database.prepare("SELECT body FROM notes WHERE user = ? AND name = ?").get(this.#user(user), name);
    return row === undefined ? undefined : text(row, "body");
  }

  prune(keptFrom: KeptFrom): void {
    this.#transaction(() => {
      const points = this.#database.prepare("DELETE FROM points WHERE user = ? AND resolution = ? AND at <= ?");
      const records = this.#database.prepare("DELETE FROM records WHERE user = ? AND at <= ?");
      const users = this.#database.prepare("SELECT id FROM users WHERE realm = ?").all(this.realm);
      for (const user of users.map((row) => integer(row, "id"))) {
        for (const [at, resolution] of SERIES.entries()) points.run(user, at, keptFrom[resolution]);
        records.run(user, keptFrom.RECORD);
      }
    });
  }

  close(): void {
    this.#database.close();
  }

  #migrate(): void {
    const version = () => integer(this.#database.prepare("PRAGMA user_version").get(), "user_version");
    if (version() > VERSION) throw new Error(`its format is ${version()}, and this program's is ${VERSION}`);
    if (version() === VERSION) return;
    this.#transaction(() => {
      // Another process may have made them meanwhile.
      if (version() < VERSION) this.#database.exec(TABLES);
    });
  }

  #user(user: string): number {
    const existing = this.#users.get(user);
    if (existing !== undefined) return existing;
    this.#database.prepare("INSERT OR IGNORE INTO users (realm, user) VALUES (?, ?)").run(this.realm, user);
    const id = integer(this.#database.prepare("SELECT id FROM users WHERE realm = ? AND user = ?").get(this.realm, user), "id");
    // Users are the gateway's accounts, so there are few.
    this.#users.set(user, id);
    return id;
  }

  #transaction(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
      this.#users.clear();
      throw error;
    }
  }
}

import { chmodSync, closeSync, fdatasync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import Database from "libsql";
import { z } from "zod";
import { DAY_MS } from "../../../clock.js";
import { type JournalEntry, type NewEntry, storedEntry } from "./entry.js";
import { GroupSync } from "./groupSync.js";
import { tornTail } from "./walTail.js";

/** Where a journal lies, and whose it is. */
export interface JournalOptions {
  /** The database file; `:memory:` keeps nothing beyond the process. */
  readonly path: string;
  /** Which exchange the entries are about. Those of another one in the same file are neither shown nor settled. */
  readonly realm: string;
  /** Told when the file ended in the middle of an entry: how many bytes were lost. */
  readonly onTornTail?: (bytes: number) => void;
}

/** How long ended writes are remembered, and how many of them: until then a repeated key finds its first outcome. */
export const REMEMBERED_MS = 7 * DAY_MS;
const REMEMBERED_ENTRIES = 100_000;
/** Open entries go with the exchange's own memory of orders. */
const OPEN_KEPT_MS = 90 * DAY_MS;
/** How many new entries come between two prunings. */
const PRUNE_EVERY = 1_000;
/** More writes than this are never sent within the time that `around` is asked for. */
const NEAR = 25_000;
/** Another process may hold the file for a moment. */
const BUSY_MS = 1_000;

/** Pages in the write-ahead log before they are moved to the main file, which holds everybody up for some milliseconds. */
const CHECKPOINT_PAGES = 4_000;

/** Grows whenever the tables mean something else than before. */
const VERSION = 1;
// One index, and short rows: each page that an entry touches is written once more with every entry.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS realms (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS writes (
    seq INTEGER PRIMARY KEY, realm INTEGER NOT NULL REFERENCES realms, account TEXT NOT NULL, mutation TEXT NOT NULL,
    endpoint TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, clientOid TEXT, "values" TEXT NOT NULL,
    state TEXT NOT NULL, reply TEXT, problem TEXT,
    sentAt INTEGER NOT NULL, validUntil INTEGER NOT NULL, settledAt INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS writesByKey ON writes (key, account, realm) WHERE state <> 'UNSENT';
`;
const OPEN = "state IN ('SENT', 'UNKNOWN')";

const datasync = promisify(fdatasync);

/** Another process that shares the file has just written this key down: what it stands for has been sent from there. */
export class KeyTaken extends Error {
  override readonly name = "KeyTaken";
}

/**
 * What was sent, and what became of it: written down and on the disk before a request leaves.
 *
 * An entry is a transaction of its own, so a torn end of the file costs the entries it holds and no other. SQLite only
 * writes, in microseconds; the sync that makes entries durable is ours, off the event loop and shared by all entries that
 * wait for it. SQLite's own syncs guard its checkpoints, so the file stays whole whenever the machine stops.
 */
export class Journal {
  readonly #database: Database.Database;
  readonly #realm: number;
  readonly #sync: GroupSync;
  readonly #log: number | undefined;
  readonly #insert: Database.Statement;
  readonly #settle: Database.Statement;
  readonly #byKey: Database.Statement;
  #untilPrune = PRUNE_EVERY;

  /** Throws an `Error` that names the file when it cannot be used. */
  constructor({ path, realm, onTornTail }: JournalOptions) {
    const inMemory = path === ":memory:";
    const torn = inMemory ? 0 : tornTail(path);
    this.#database = openDatabase(path, inMemory);
    this.#realm = realmNumber(this.#database, realm);
    if (torn > 0) onTornTail?.(torn);
    const log = inMemory ? undefined : openSync(`${path}-wal`, "r+");
    this.#log = log;
    this.#sync = new GroupSync(log === undefined ? async () => undefined : () => datasync(log));
    this.#insert = this.#database.prepare(
      `INSERT INTO writes (realm, account, mutation, endpoint, key, digest, clientOid, "values", state, sentAt, validUntil)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'SENT', ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#settle = this.#database.prepare(
      `UPDATE writes SET state = ?, reply = ?, problem = ?, settledAt = ? WHERE seq = ? AND ${OPEN}`,
    );
    this.#byKey = this.#database.prepare(
      "SELECT * FROM writes WHERE key = ? AND account = ? AND realm = ? AND state <> 'UNSENT'",
    );
  }

  /** How often the disk was asked to keep what was written. */
  get syncs(): number {
    return this.#sync.syncs;
  }

  /**
   * Writes an entry down; resolves when it is on the disk. Rejects when it is not, and then nothing may be sent: with
   * `KeyTaken` when there is an entry of this key.
   */
  async record(entry: NewEntry): Promise<JournalEntry> {
    const { account, mutation, endpoint, key, digest, clientOid, values, sentAt, validUntil } = entry;
    if (--this.#untilPrune <= 0) this.prune(sentAt);
    const { changes, lastInsertRowid } = this.#insert.run(
      this.#realm,
      account,
      mutation,
      endpoint,
      key,
      digest,
      clientOid,
      JSON.stringify(values),
      sentAt,
      validUntil,
    );
    if (changes === 0) throw new KeyTaken(`there is an entry of the key ${key}`);
    const seq = asNumber(lastInsertRowid);
    try {
      await this.#sync.flush();
    } catch (error) {
      this.#settle.run("UNSENT", null, null, sentAt, seq);
      throw error;
    }
    return { ...entry, seq, state: "SENT", reply: null, problem: null, settledAt: null };
  }

  /**
   * Notes what became of an entry; one that has ended stays as it is. The note survives this process at once, and the
   * machine with the next entry: should that stop before, the entry is open again, and is settled to the same end.
   */
  settle({ seq, state, reply, problem, settledAt }: JournalEntry): void {
    this.#settle.run(state, textOf(reply), textOf(problem), settledAt, seq);
  }

  /** The write that this key stands for, if one has left. */
  find(account: string, key: string): JournalEntry | undefined {
    const row = this.#byKey.get(key, account, this.#realm);
    return row === undefined ? undefined : storedEntry.parse(row);
  }

  /** Every write whose end is not known, the oldest first. */
  open(): JournalEntry[] {
    return this.#all(`realm = ? AND ${OPEN} ORDER BY seq`, [this.#realm]);
  }

  /** Other writes of the same account to the same endpoint, sent at most `withinMs` before or after this one. */
  around({ seq, account, endpoint, sentAt }: JournalEntry, withinMs: number): JournalEntry[] {
    return this.#all(
      "seq BETWEEN ? AND ? AND seq <> ? AND realm = ? AND account = ? AND endpoint = ? AND sentAt BETWEEN ? AND ?",
      [seq - NEAR, seq + NEAR, seq, this.#realm, account, endpoint, sentAt - withinMs, sentAt + withinMs],
    );
  }

  /** Other writes of the same account to the same endpoint that may have taken effect after this one was sent. */
  since({ seq, account, endpoint, sentAt }: JournalEntry): JournalEntry[] {
    return this.#all(
      `seq > ? AND seq <> ? AND realm = ? AND account = ? AND endpoint = ? AND validUntil >= ?
       AND (${OPEN} OR (state = 'ACCEPTED' AND (seq > ? OR settledAt > ?))) ORDER BY seq`,
      [seq - NEAR, seq, this.#realm, account, endpoint, sentAt, seq, sentAt],
    );
  }

  /** An account's writes, the newest first: those before `before`, at most `limit`. */
  page(account: string, before: number | undefined, limit: number): JournalEntry[] {
    return this.#all("realm = ? AND account = ? AND seq < ? ORDER BY seq DESC LIMIT ?", [
      this.#realm,
      account,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    ]);
  }

  /** Forgets what is too old or too much. `now` is the exchange's time. */
  prune(now: number): void {
    this.#untilPrune = PRUNE_EVERY;
    this.#database
      .prepare(
        `DELETE FROM writes WHERE seq IN (SELECT seq FROM writes WHERE
           (NOT ${OPEN} AND (sentAt < ? OR seq <= (SELECT max(seq) FROM writes) - ?)) OR (${OPEN} AND sentAt < ?) LIMIT ?)`,
      )
      .run(now - REMEMBERED_MS, REMEMBERED_ENTRIES, now - OPEN_KEPT_MS, 2 * PRUNE_EVERY);
  }

  /** Puts everything into the main file and lets go of it. */
  async close(): Promise<void> {
    await this.#sync.flush();
    if (this.#log !== undefined) {
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      closeSync(this.#log);
    }
    this.#database.close();
  }

  #all(where: string, values: readonly (string | number)[]): JournalEntry[] {
    return this.#database
      .prepare(`SELECT * FROM writes WHERE ${where}`)
      .all(...values)
      .map((row) => storedEntry.parse(row));
  }
}

function openDatabase(path: string, inMemory: boolean): Database.Database {
  try {
    if (!inMemory) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const database = new Database(path, { timeout: BUSY_MS });
    // Who traded what is nobody else's business; the log beside the file takes over its permissions.
    if (!inMemory) chmodSync(path, 0o600);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    checkVersion(database);
    database.exec(`${SCHEMA} PRAGMA user_version = ${VERSION};`);
    database.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
    return database;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`the journal of writes cannot be kept in ${path}: ${why}`, { cause: error });
  }
}

/** A file of another version is left as it is: what it says may mean something else. */
function checkVersion(database: Database.Database): void {
  const [{ user_version: version } = { user_version: 0 }] = z
    .array(z.object({ user_version: z.int() }))
    .parse(database.pragma("user_version"));
  if (version !== 0 && version !== VERSION) throw new Error(`its version is ${version}, not ${VERSION}`);
}

/** The number under which this exchange's entries lie in the file. */
function realmNumber(database: Database.Database, name: string): number {
  database.prepare("INSERT OR IGNORE INTO realms (name) VALUES (?)").run(name);
  return z.object({ id: z.int() }).parse(database.prepare("SELECT id FROM realms WHERE name = ?").get(name)).id;
}

const textOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const asNumber = (id: number | bigint): number => (typeof id === "number" ? id : Number.parseInt(String(id), 10));

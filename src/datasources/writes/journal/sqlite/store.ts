import { closeSync, fdatasync, fstatSync, openSync } from "node:fs";
import { promisify } from "node:util";
import { DAY_MS } from "@exchange-graph/contract/clock";
import type Database from "libsql";
import { accountStandIn, standIn } from "../../../accounts/standIns.js";
import { isUnsettled, type JournalEntry, mayFollow, type NewEntry } from "../entry.js";
import { columns, integer, text } from "../rows.js";
import { storedEntry } from "../storedEntry.js";
import {
  type Claim,
  KeyTaken,
  LEASE_MS,
  NEAR,
  OPEN_KEPT_MS,
  PRUNE_EVERY,
  REMEMBERED_ENTRIES,
  REMEMBERED_MS,
} from "../writeJournal.js";
import { identityOf, isAboutTheFile, openFile } from "./file.js";
import { OPEN, prepare } from "./statements.js";

const datasync = promisify(fdatasync);

/** What was seen when a file was opened. */
interface Opening {
  readonly path: string;
  readonly realm: string;
  readonly formerRealm: string;
  /** Unix ms. */
  readonly now: number;
}

/**
 * The journal's SQL, over one connection. Everything here runs at once or throws what SQLite throws: it waits for no lock.
 *
 * An entry is a transaction of its own, so a torn end of the file costs the entries it holds and no other. SQLite only
 * writes; the sync that makes entries durable is ours. SQLite's own syncs guard its checkpoints, so the file stays whole
 * whenever the machine stops.
 */
export class SqliteStore {
  readonly hasLostItsLog: boolean;
  readonly #database: Database.Database;
  readonly #realm: number;
  readonly #formerRealm: string;
  readonly #log: number;
  /** Which file was opened: its name may lead to another one later. */
  readonly #file: { readonly path: string; readonly id: string | undefined };
  readonly #statements: ReturnType<typeof prepare>;
  /** Ends that could not be written yet. */
  readonly #kept = new Map<number, JournalEntry>();
  #owner: number;
  /** Until when this owner counts as living, Unix ms. */
  livesUntil = 0;
  #hasClaimed = false;
  #untilPrune = PRUNE_EVERY;

  /** Throws an `Error` that names the file when it cannot be used. */
  constructor({ path, realm, formerRealm, now }: Opening, owner?: number) {
    const { database, hasLostItsLog } = openFile(path);
    this.#database = database;
    this.hasLostItsLog = hasLostItsLog;
    try {
      this.#realm = realmNumber(database, realm);
      this.#formerRealm = formerRealm;
      this.#statements = prepare(database);
      this.#owner = owner ?? this.#enter(now);
      // The main file itself says from here on that there is a log: whoever finds none knows that it has gone.
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      this.renew(now);
      this.#log = openSync(`${path}-wal`, "r+");
      this.#file = { path, id: identityOf(path) };
      database.exec("PRAGMA busy_timeout = 0");
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Makes everything durable that was written so far. */
  sync(): Promise<void> {
    return datasync(this.#log);
  }

  /** Has somebody removed the log from its folder? What is written to it is gone with this process. */
  get isLogGone(): boolean {
    return fstatSync(this.#log).nlink === 0;
  }

  /** Does the path lead to another file than the one that was opened, or to none? */
  get isFileGone(): boolean {
    const { path, id } = this.#file;
    return identityOf(path) !== id;
  }

  /** How many ends wait to be written. */
  get kept(): number {
    return this.#kept.size;
  }

  /** Writes an entry; gives its number. Throws `KeyTaken` when there is an entry of this key. */
  insert(entry: NewEntry, now: number): number {
    // What is recorded now stays this owner's for a while.
    if (now >= this.livesUntil - LEASE_MS / 2) this.renew(now);
    if (--this.#untilPrune <= 0) this.prune(entry.sentAt);
    const { user, account, who, mutation, endpoint, key, digest, clientOid, values, charge, sentAt, validUntil, traceparent } =
      entry;
    const { insert } = this.#statements;
    const { changes, lastInsertRowid } = insert.run(
      ...[this.#realm, this.#owner, user, account, who, mutation, endpoint, key, digest, clientOid],
      ...[JSON.stringify(values), textOf(charge ?? null), sentAt, validUntil, traceparent],
    );
    if (changes === 0) throw new KeyTaken(`there is an entry of the key ${key}`);
    return typeof lastInsertRowid === "number" ? lastInsertRowid : Number.parseInt(String(lastInsertRowid), 10);
  }

  /** Notes an end: every read shows it from now on, and `writeKept` writes it. */
  keep(entry: JournalEntry): void {
    this.#kept.set(entry.seq, entry);
  }

  /** Writes the ends that were kept. Throws when that is not possible now: they stay kept. */
  writeKept(): void {
    for (const { seq, state, reply, problem, settledAt } of this.#kept.values()) {
      try {
        this.#statements.settle.run(state, textOf(reply), textOf(problem), settledAt, seq, this.#owner);
      } catch (error) {
        if (!isAboutTheFile(error)) this.#kept.delete(seq);
        throw error;
      }
      this.#kept.delete(seq);
    }
  }

  /** Writes the lease once more as it is: throws when the file cannot be written. */
  rewriteLease(): void {
    this.#statements.renew.run(this.livesUntil, this.#owner);
  }

  /** Says that this owner lives. One whose entries somebody has taken over begins again. */
  renew(now: number): void {
    const { changes } = this.#statements.renew.run(now + LEASE_MS, this.#owner);
    if (changes === 0) this.#owner = this.#enter(now);
    this.livesUntil = now + LEASE_MS;
  }

  userOf(key: string): string | undefined {
    const row = this.#statements.userOf.get(key);
    return row === undefined ? undefined : columns(row)("user", text);
  }

  /** Notes whose a key is, and that what stood for the user so far is that user. */
  remember(key: string, user: string, account: string): void {
    const { setUser, adopt, adoptFormer } = this.#statements;
    if (user !== standIn(key)) setUser.run(key, user);
    adopt.run(user, standIn(key), this.#realm);
    const { changes } = adoptFormer.run(user, this.#realm, accountStandIn(account), this.#formerRealm);
    // Nobody has claimed those.
    if (changes > 0) this.#hasClaimed = false;
  }

  find(user: string, key: string): JournalEntry | undefined {
    const row = this.#statements.byKey.get(key, user, this.#realm);
    const entry = row === undefined ? undefined : this.#entry(row);
    return entry?.state === "UNSENT" ? undefined : entry;
  }

  open(): JournalEntry[] {
    return this.#all(`realm = ? AND ${OPEN} ORDER BY seq`, [this.#realm]).filter(isUnsettled);
  }

  /** Renews the lease, and takes over what those have left open whose lease has run out. */
  claim(now: number): Claim {
    this.renew(now);
    const isFirst = !this.#hasClaimed;
    if (!isFirst && this.#statements.gone.get(this.#realm, now) === undefined) return { taken: [], held: [] };
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const living = "SELECT id FROM owners WHERE livesUntil >= ?";
      const taken = this.#all(
        `realm = ? AND ${OPEN} AND (owner IS NULL OR (owner <> ? AND owner NOT IN (${living}))) ORDER BY seq`,
        [this.#realm, this.#owner, now],
      );
      const held = this.#all(`realm = ? AND ${OPEN} AND owner <> ? AND owner IN (${living}) ORDER BY seq`, [
        ...[this.#realm, this.#owner, now],
      ]);
      for (const { seq } of taken) this.#statements.take.run(this.#owner, seq);
      this.#statements.bury.run(this.#realm, now);
      this.#database.exec("COMMIT");
      this.#hasClaimed = true;
      return { taken: taken.filter(isUnsettled), held };
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  around({ seq, user, endpoint, sentAt }: JournalEntry, withinMs: number): JournalEntry[] {
    return this.#all("seq BETWEEN ? AND ? AND seq <> ? AND realm = ? AND user = ? AND endpoint = ? AND sentAt BETWEEN ? AND ?", [
      seq - NEAR,
      seq + NEAR,
      seq,
      this.#realm,
      user,
      endpoint,
      sentAt - withinMs,
      sentAt + withinMs,
    ]);
  }

  since(entry: JournalEntry): JournalEntry[] {
    const { seq, user, endpoint, sentAt } = entry;
    return this.#all(
      `seq > ? AND seq <> ? AND realm = ? AND user = ? AND endpoint = ? AND validUntil >= ?
       AND (${OPEN} OR (state = 'ACCEPTED' AND (seq > ? OR settledAt > ?))) ORDER BY seq`,
      [seq - NEAR, seq, this.#realm, user, endpoint, sentAt, seq, sentAt],
    ).filter((other) => mayFollow(entry, other));
  }

  charged(from: number): JournalEntry[] {
    return this.#all(`realm = ? AND charge IS NOT NULL AND (sentAt >= ? OR ${OPEN}) ORDER BY seq`, [this.#realm, from]);
  }

  page(user: string, before: number | undefined, limit: number): JournalEntry[] {
    return this.#all("realm = ? AND user = ? AND seq < ? ORDER BY seq DESC LIMIT ?", [
      ...[this.#realm, user, before ?? Number.MAX_SAFE_INTEGER, limit],
    ]);
  }

  prune(now: number): void {
    this.#untilPrune = PRUNE_EVERY;
    // What a day has used of limits is known from its entries, however many these are.
    this.#statements.prune.run(now - REMEMBERED_MS, REMEMBERED_ENTRIES, now - DAY_MS, now - OPEN_KEPT_MS, 2 * PRUNE_EVERY);
  }

  /**
   * The log has lost its name: moves all that is in it to the main file, and opens both again. What was kept, and the
   * ownership, pass to the store that it gives.
   */
  reopened(file: Omit<Opening, "now">): SqliteStore {
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#letGo();
    const next = new SqliteStore({ ...file, now: this.livesUntil - LEASE_MS }, this.#owner);
    for (const entry of this.#kept.values()) next.#kept.set(entry.seq, entry);
    return next;
  }

  /** Gives the entries up and lets go of the file; SQLite puts everything into it when nobody else has it open. */
  close(): void {
    try {
      this.writeKept();
      this.#statements.renew.run(0, this.#owner);
    } finally {
      this.#letGo();
    }
  }

  #letGo(): void {
    closeSync(this.#log);
    this.#database.close();
  }

  #enter(now: number): number {
    return columns(this.#statements.enter.get(this.#realm, now + LEASE_MS))("id", integer);
  }

  #all(where: string, values: readonly (string | number)[]): JournalEntry[] {
    const rows = this.#database.prepare(`SELECT * FROM writes WHERE ${where}`).all(...values);
    return rows.map((row) => this.#entry(row));
  }

  /** A row as it is known by now. */
  #entry(row: unknown): JournalEntry {
    const entry = storedEntry(row);
    const kept = this.#kept.get(entry.seq);
    if (kept === undefined || !isUnsettled(entry)) return entry;
    const { state, reply, problem, settledAt } = kept;
    return { ...entry, state, reply, problem, settledAt };
  }
}

/** The number under which this exchange's entries lie in the file. */
function realmNumber(database: Database.Database, name: string): number {
  database.prepare("INSERT OR IGNORE INTO realms (name) VALUES (?)").run(name);
  return columns(database.prepare("SELECT id FROM realms WHERE name = ?").get(name))("id", integer);
}

const textOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

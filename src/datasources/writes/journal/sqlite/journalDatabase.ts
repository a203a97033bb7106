import { closeSync, fdatasync, fstatSync, openSync } from "node:fs";
import { promisify } from "node:util";
import { DAY_MS } from "@exchange-graph/contract/clock";
import type Database from "libsql";
import { standIn } from "../../../errors/index.js";
import { isUnsettled, type JournalEntry, jsonOf, mayFollow, type NewEntry, type WriteMoment, withEnd } from "../journalEntry.js";
import { columns, integer, text } from "../rowDecoding.js";
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
import { type LostEntries, lossOf, type Mark, MarkFile, NO_MARK } from "./mark.js";
import { lastEntry, OPEN, prepare } from "./statements.js";

const datasync = promisify(fdatasync);

interface Opening {
  readonly path: string;
  readonly realm: string;
  /** Unix ms. */
  readonly now: number;
  /** Called with the path of the copy that is made before an irreversible migration. */
  readonly copied?: (copy: string) => void;
}

/**
 * The journal's SQL over one connection. Everything here is synchronous and throws SQLite's errors; nothing waits for locks.
 *
 * Each entry is its own transaction, so that a torn end of the file loses only the entries in it. SQLite only writes; `GroupSync`
 * makes entries durable. SQLite's own syncs guard its checkpoints, so the file is consistent whenever the machine stops.
 */
export class JournalDatabase {
  readonly #database: Database.Database;
  readonly #realm: number;
  readonly #log: number;
  readonly #marks: MarkFile;
  #loss: LostEntries | undefined;
  #last: Mark = NO_MARK;
  /** Identity of the opened file: its path may lead to another one later. */
  readonly #file: { readonly path: string; readonly id: string | undefined; readonly openedAt: number };
  readonly #statements: ReturnType<typeof prepare>;
  /** Outcomes that could not be written yet. */
  readonly #kept = new Map<number, JournalEntry>();
  #owner: number;
  /** End of this owner's lease, Unix ms. */
  livesUntil = 0;
  #hasClaimed = false;
  #untilPrune = PRUNE_EVERY;

  /** Throws an `Error` that names the file if it cannot be used. */
  constructor({ path, realm, now, copied }: Opening, owner?: number) {
    const database = openFile(path, copied);
    this.#database = database;
    try {
      this.#loss = lossOf(path, () => lastEntry(database), now);
      this.#realm = realmNumber(database, realm);
      this.#statements = prepare(database);
      this.#owner = owner ?? this.#enter(now);
      // What was in the WAL file is in the main file from here on.
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      this.renew(now);
      this.#log = openSync(`${path}-wal`, "r+");
      this.#marks = new MarkFile(path, this.#owner);
      this.#file = { path, id: identityOf(path), openedAt: now };
      database.exec("PRAGMA busy_timeout = 0");
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Makes everything durable that was written so far. */
  async sync(): Promise<void> {
    const last = this.#last;
    await datasync(this.#log);
    this.#mark(last);
  }

  /** Entries that the file once had and has no more; `undefined` if none are missing, or their loss was accepted. */
  get loss(): LostEntries | undefined {
    const { path, openedAt } = this.#file;
    this.#loss &&= lossOf(path, () => lastEntry(this.#database), openedAt);
    return this.#loss;
  }

  /** Whether the WAL file was removed from its folder. What is written to it is lost with this process. */
  get isLogGone(): boolean {
    return fstatSync(this.#log).nlink === 0;
  }

  /** Whether the path leads to another file than the opened one, or to none. */
  get isFileGone(): boolean {
    const { path, id } = this.#file;
    return identityOf(path) !== id;
  }

  /** Number of outcomes that wait to be written. */
  get kept(): number {
    return this.#kept.size;
  }

  /** Writes an entry and returns its number. Throws `KeyTaken` if there is an entry with this key. */
  insert(entry: NewEntry, now: number): number {
    // An entry recorded now has to stay this owner's for a while.
    if (now >= this.livesUntil - LEASE_MS / 2) this.renew(now);
    // Neither clock may be far ahead: what is deleted too early is lost.
    if (--this.#untilPrune <= 0) this.prune(Math.min(entry.sentAt, now));
    const { user, account, who, mutation, endpoint, key, digest, clientOid, values, charge, sentAt, validUntil, traceparent } =
      entry;
    const { insert } = this.#statements;
    const { changes, lastInsertRowid } = insert.run(
      ...[this.#realm, this.#owner, user, account, who, mutation, endpoint, key, digest, clientOid],
      ...[JSON.stringify(values), jsonOf(charge ?? null), sentAt, validUntil, traceparent],
    );
    if (changes === 0) throw new KeyTaken(`there is an entry of the key ${key}`);
    const seq = typeof lastInsertRowid === "number" ? lastInsertRowid : Number.parseInt(String(lastInsertRowid), 10);
    this.#last = { seq, at: sentAt };
    return seq;
  }

  /** Adds an outcome: reads show it from now on, and `writeKept` writes it. */
  keep(entry: JournalEntry): void {
    this.#kept.set(entry.seq, entry);
  }

  /** Writes the kept outcomes. Throws if that is not possible now; they stay kept. */
  writeKept(): void {
    for (const { seq, state, reply, problem, settledAt } of this.#kept.values()) {
      try {
        this.#statements.settle.run(state, jsonOf(reply), jsonOf(problem), settledAt, seq, this.#owner);
      } catch (error) {
        if (!isAboutTheFile(error)) this.#kept.delete(seq);
        throw error;
      }
      this.#kept.delete(seq);
    }
  }

  /** Writes the lease again, a millisecond longer: SQLite writes nothing for an equal row. Throws if the file cannot be written. */
  rewriteLease(): void {
    this.#statements.prolong.run(this.#owner);
  }

  /** Renews the lease. An owner whose entries were taken over gets a new number. */
  renew(now: number): void {
    const { changes } = this.#statements.renew.run(now + LEASE_MS, this.#owner);
    if (changes === 0) this.#owner = this.#enter(now);
    this.livesUntil = now + LEASE_MS;
  }

  /** Takes or renews a right. Returns for how much longer another owner has it, ms. */
  hold(right: string, forMs: number, now: number): number {
    const { hold, heldUntil } = this.#statements;
    if (hold.run(this.#realm, right, this.#owner, now + forMs, now).changes > 0) return 0;
    const row = heldUntil.get(this.#realm, right);
    return row === undefined ? 0 : Math.max(1, columns(row)("until", integer) - now);
  }

  giveUp(right: string): void {
    this.#statements.giveUp.run(this.#realm, right, this.#owner);
  }

  userOf(key: string): string | undefined {
    const row = this.#statements.userOf.get(key);
    return row === undefined ? undefined : columns(row)("user", text);
  }

  /** Stores the user of a key, and replaces its placeholder in entries. */
  remember(key: string, user: string): void {
    const { setUser, adopt } = this.#statements;
    if (user !== standIn(key)) setUser.run(key, user);
    adopt.run(user, standIn(key), this.#realm);
  }

  find(user: string, key: string): JournalEntry | undefined {
    const row = this.#statements.byKey.get(key, user, this.#realm);
    const entry = row === undefined ? undefined : this.#entry(row);
    return entry?.state === "UNSENT" ? undefined : entry;
  }

  open(): JournalEntry[] {
    return this.#all(`realm = ? AND ${OPEN} ORDER BY seq`, [this.#realm]).filter(isUnsettled);
  }

  /** Renews the lease, and takes over open entries of owners whose lease has expired. */
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

  around({ seq, user, endpoint, sentAt }: WriteMoment, withinMs: number): JournalEntry[] {
    const near = seq === undefined ? [0, Number.MAX_SAFE_INTEGER, 0] : [seq - NEAR, seq + NEAR, seq];
    return this.#all("seq BETWEEN ? AND ? AND seq <> ? AND realm = ? AND user = ? AND endpoint = ? AND sentAt BETWEEN ? AND ?", [
      ...near,
      ...[this.#realm, user, endpoint, sentAt - withinMs, sentAt + withinMs],
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
    // Entries of the current day are kept in any number, because limits of the day are computed from them.
    this.#statements.prune.run(now - REMEMBERED_MS, REMEMBERED_ENTRIES, now - DAY_MS, now - OPEN_KEPT_MS, 2 * PRUNE_EVERY);
  }

  /**
   * The WAL file was removed: moves its content to the main file, and opens both again. Kept outcomes and ownership pass to the
   * returned store.
   */
  reopened(file: Omit<Opening, "now">): JournalDatabase {
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#letGo();
    const next = new JournalDatabase({ ...file, now: this.livesUntil - LEASE_MS }, this.#owner);
    for (const entry of this.#kept.values()) next.#kept.set(entry.seq, entry);
    next.#mark(this.#last);
    return next;
  }

  /** Releases the entries and closes the file; SQLite merges the WAL file if no other process has it open. */
  close(): void {
    try {
      this.writeKept();
      this.#statements.renew.run(0, this.#owner);
    } finally {
      this.#letGo();
    }
  }

  #mark(last: Mark): void {
    if (last.seq > 0) this.#marks.write(last);
  }

  #letGo(): void {
    closeSync(this.#log);
    this.#marks.close();
    this.#database.close();
  }

  #enter(now: number): number {
    return columns(this.#statements.enter.get(this.#realm, now + LEASE_MS))("id", integer);
  }

  #all(where: string, values: readonly (string | number)[]): JournalEntry[] {
    const rows = this.#database.prepare(`SELECT * FROM writes WHERE ${where}`).all(...values);
    return rows.map((row) => this.#entry(row));
  }

  /** An entry with its latest known outcome. */
  #entry(row: unknown): JournalEntry {
    const entry = storedEntry(row);
    const kept = this.#kept.get(entry.seq);
    return kept === undefined || !isUnsettled(entry) ? entry : withEnd(entry, kept);
  }
}

/** The number of this exchange's entries in the file. */
function realmNumber(database: Database.Database, name: string): number {
  database.prepare("INSERT OR IGNORE INTO realms (name) VALUES (?)").run(name);
  return columns(database.prepare("SELECT id FROM realms WHERE name = ?").get(name))("id", integer);
}

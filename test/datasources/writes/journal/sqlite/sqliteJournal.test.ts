import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, ManualClock, systemClock } from "@exchange-graph/contract/clock";
import Database from "libsql";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { JournalEntry } from "../../../../../src/datasources/writes/journal/journalEntry.js";
import { JournalThread } from "../../../../../src/datasources/writes/journal/sqlite/journalThread.js";
import {
  acceptLoss,
  backUpJournal,
  checkJournal,
  restoreJournal,
} from "../../../../../src/datasources/writes/journal/sqlite/maintenance.js";
import { OLDEST, VERSION } from "../../../../../src/datasources/writes/journal/sqlite/migrations.js";
import { SqliteJournal, type SqliteJournalOptions } from "../../../../../src/datasources/writes/journal/sqlite/sqliteJournal.js";
import { REMEMBERED_MS } from "../../../../../src/datasources/writes/journal/writeJournal.js";
import { listen } from "../../../../../src/instrumentation/instrumentation.js";
import { eventually, settled } from "../../../../support/eventually.js";
import { ownInstrumentation } from "../../../../support/searchedTelemetry.js";
import { removeDisk, smallDisk } from "../../../../support/smallDisk.js";
import { accepted, entry, journalContract } from "../contract.js";

const folder = mkdtempSync(join(tmpdir(), "journal-"));
afterAll(() => rmSync(folder, { recursive: true }));

const NOW = Date.UTC(2026, 0, 5);

const opened: SqliteJournal[] = [];
const openOn = (path: string, clock: Clock, options: Partial<SqliteJournalOptions> = {}): SqliteJournal => {
  const journal = new SqliteJournal({ path, realm: "exchange", clock, ...options });
  opened.push(journal);
  return journal;
};
const open = (path: string, options: Partial<SqliteJournalOptions> = {}): SqliteJournal =>
  openOn(path, new ManualClock(Date.UTC(2026, 0, 5)), options);
afterEach(async () => {
  await Promise.all(opened.splice(0).map((journal) => journal.close()));
});

let files = 0;
const newPath = (): string => join(folder, `${files++}`, "journal.sqlite");

/** What a process that was killed leaves behind: the files as they lie on the disk. */
function copyOf(path: string): string {
  const copy = join(folder, `copy-${files++}.sqlite`);
  copyFileSync(path, copy);
  for (const ending of ["-wal", ".mark"])
    if (existsSync(`${path}${ending}`)) copyFileSync(`${path}${ending}`, `${copy}${ending}`);
  return copy;
}

/** Writes down what a journal says of itself. */
function recorded() {
  const events: string[] = [];
  const instrumentation = ownInstrumentation();
  listen(instrumentation, instrumentation.journal, (event) => {
    if (event.kind === "torn tail") events.push(`torn ${event.bytes}`);
    else if (event.kind === "taken over") events.push(`took ${event.entries}`);
    else events.push(event.kind === "unavailable" ? event.why : event.kind);
  });
  listen(instrumentation, instrumentation.failure, ({ error }) => events.push(`failed ${error}`));
  return { events, instrumentation };
}

describe("the journal in a file", () => {
  journalContract(() => {
    const path = newPath();
    return (clock) => openOn(path, clock);
  });

  it("has an entry on the disk when it says so, and its end", async () => {
    const path = newPath();
    const journal = open(path);
    const line = await journal.record(entry("a"));
    expect(await open(copyOf(path)).find("main", "a")).toEqual(line);
    await journal.settle(accepted(line));
    expect(await open(copyOf(path)).find("main", "a")).toEqual(accepted(line));
  });

  it("keeps two exchanges in one file apart", async () => {
    const path = newPath();
    const [one, other] = [open(path), open(path, { realm: "another exchange" })];
    await one.record(entry("a"));
    expect([await other.find("main", "a"), await other.open(), await other.page("main", undefined, 10)]).toEqual([
      undefined,
      [],
      [],
    ]);
    await one.close();
    expect((await other.claim()).taken).toEqual([]);
    await other.record(entry("a"));
  });

  it("is readable by its owner only", async () => {
    const path = newPath();
    await open(path).record(entry("a"));
    expect([path, `${path}-wal`].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it("says which file it is that cannot be used", async () => {
    const path = join(folder, "no-database.sqlite");
    writeFileSync(path, "no database ".repeat(500));
    const journal = open(path);
    await expect(journal.ready()).rejects.toThrow(`the journal of writes cannot be kept in ${path}: file is not a database`);
    await expect(journal.record(entry("a"))).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
  });

  it("leaves a file of a later version as it is", async () => {
    const path = newPath();
    await open(path).ready();
    await opened.pop()?.close();
    const database = new Database(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    await expect(open(path).ready()).rejects.toThrow(
      `the journal of writes cannot be kept in ${path}: its format is for programs of format 99 or later, and this one has format ${VERSION}`,
    );
  });

  it("uses a file of a later version that says so as it is, and leaves its format", async () => {
    const path = newPath();
    await open(path).record(entry("a"));
    await opened.pop()?.close();
    const later = new Database(path);
    later.exec("ALTER TABLE writes ADD COLUMN more TEXT; UPDATE format SET version = 99");
    later.close();
    const journal = open(path);
    expect((await journal.find("main", "a"))?.state).toBe("SENT");
    await journal.record(entry("b"));
    await opened.pop()?.close();
    expect(checkJournal(path, NOW)).toMatchObject({ version: 99, problems: [] });
  });

  it("can be used by the version before, which writes no trace, and by this one again", async () => {
    const path = newPath();
    await open(path).record(entry("a"));
    await opened.pop()?.close();
    const before = new Database(path);
    // Version 0.1.0 refuses a file whose `user_version` exceeds 4.
    expect(before.prepare("PRAGMA user_version").get()).toMatchObject({ user_version: 4 });
    expect(OLDEST).toBe(4);
    before.exec(`INSERT INTO writes (realm, owner, user, account, who, mutation, endpoint, key, digest, clientOid, "values", charge,
      state, sentAt, validUntil) VALUES (1, 1, 'main', 'desk', 'token:desk', 'placeOrder', 'placeOrder', 'b', 'd', 'b', '{}', NULL,
      'SENT', 2, 3)`);
    before.close();
    const { events, instrumentation } = recorded();
    const again = open(path, { instrumentation });
    expect((await again.page("main", undefined, 10)).map(({ key, traceparent }) => [key, traceparent === null])).toEqual([
      ["b", true],
      ["a", false],
    ]);
    await expect(again.record(entry("b"))).rejects.toThrow("there is an entry of the key b");
    expect(events).toEqual([]);
  });

  it("migrates a file of the first version, with its entries, after a copy that the version before can use", async () => {
    const path = newPath();
    mkdirSync(join(path, ".."));
    const database = new Database(path);
    database.exec(`CREATE TABLE realms (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
      CREATE TABLE writes (
        seq INTEGER PRIMARY KEY, realm INTEGER NOT NULL REFERENCES realms, account TEXT NOT NULL, mutation TEXT NOT NULL,
        endpoint TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, clientOid TEXT, "values" TEXT NOT NULL,
        state TEXT NOT NULL, reply TEXT, problem TEXT,
        sentAt INTEGER NOT NULL, validUntil INTEGER NOT NULL, settledAt INTEGER
      ) STRICT;
      CREATE UNIQUE INDEX writesByKey ON writes (key, account, realm) WHERE state <> 'UNSENT';
      INSERT INTO realms (name) VALUES ('exchange');
      INSERT INTO writes VALUES (7, 1, 'main', 'placeOrder', 'placeOrder', 'a', 'd', 'a', '{}', 'SENT', NULL, NULL, 1, 2, NULL);
      PRAGMA user_version = 1;`);
    database.close();
    expect(checkJournal(path, NOW)).toMatchObject({ version: 1, note: expect.stringMatching(/^old, and usable/), problems: [] });
    const { events, instrumentation } = recorded();
    const journal = open(path, { instrumentation });
    expect((await journal.claim()).taken).toMatchObject([{ seq: 7, key: "a", who: null, traceparent: null }]);
    const copy = `${path}.format-1`;
    expect(events).toContain("copied");
    expect(checkJournal(copy, NOW)).toMatchObject({ version: 1, entries: [{ realm: "exchange", state: "SENT", count: 1 }] });
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });

  it("leaves no file of SQLite beside the given one after it is closed", async () => {
    const path = newPath();
    const journal = open(path);
    await journal.record(entry("a"));
    await journal.close();
    expect([`${path}-wal`, `${path}-shm`].map((file) => existsSync(file))).toEqual([false, false]);
    expect((await open(path).find("main", "a"))?.state).toBe("SENT");
  });
});

describe("a torn end of the journal", () => {
  it("costs at most the last entry, at whichever byte it is cut, and is reported", async () => {
    const path = newPath();
    const journal = open(path);
    for (const key of ["a", "b"]) await journal.record(entry(key));
    const before = statSync(`${path}-wal`).size;
    await journal.record(entry("c"));
    const after = statSync(`${path}-wal`).size;
    expect(after).toBeGreaterThan(before);
    for (let size = before + 1; size < after; size += Math.ceil((after - before) / 6)) {
      const copy = copyOf(path);
      truncateSync(`${copy}-wal`, size);
      const { events, instrumentation } = recorded();
      const kept = await open(copy, { instrumentation }).open();
      expect(kept.map(({ key }) => key)).toEqual(["a", "b"]);
      expect(events).toEqual([`torn ${size - before}`]);
    }
  });

  it("is not reported of a file that a process closed properly, also after its WAL has been restarted", async () => {
    const path = newPath();
    const journal = open(path);
    const write = async (key: string) => journal.settle(accepted(await journal.record(entry(key))));
    await Promise.all(Array.from({ length: 700 }, (_, count) => write(`${count}`)));
    const { events, instrumentation } = recorded();
    const copy = open(copyOf(path), { instrumentation });
    expect(await copy.page("main", undefined, 1_000)).toHaveLength(700);
    expect(events).toEqual([]);
  });
});

describe("a journal that has lost entries", () => {
  const KEYS = ["a", "b", "c", "d", "e", "f"];
  /** The files of a killed process that had acknowledged these keys, of which the first were in the main file already. */
  async function killed(): Promise<string> {
    const path = newPath();
    const journal = open(path);
    for (const key of KEYS.slice(0, 2)) await journal.record(recent(key));
    await opened.pop()?.close();
    const again = open(path);
    for (const key of KEYS.slice(2)) await again.record(recent(key));
    return copyOf(path);
  }
  const flip = (file: string): void => {
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 0xff, middle);
    writeFileSync(file, bytes);
  };
  const SENT = "2026-01-04T23:59:59.000Z";
  const recent = (key: string) => entry(key, { sentAt: NOW - 1_000, validUntil: NOW + 44_000 });

  it.each([
    [
      "whose WAL file is emptied",
      (path: string) => truncateSync(`${path}-wal`, 0),
      2,
      `the writes 3 to 6, sent after ${SENT} and`,
    ],
    ["whose WAL file is removed", (path: string) => unlinkSync(`${path}-wal`), 2, `the writes 3 to 6, sent after ${SENT} and`],
    ["with a byte flipped in the middle of its WAL file", (path: string) => flip(`${path}-wal`), undefined, "the write"],
    ["of zero length", (path: string) => truncateSync(path, 0), 0, "the writes 1 to 6, sent"],
    ["that is removed", (path: string) => unlinkSync(path), 0, "the writes 1 to 6, sent"],
  ])("%s takes no new ones until the loss is accepted, and names the range", async (_, damage, left, range) => {
    const path = await killed();
    damage(path);
    const { events, instrumentation } = recorded();
    const journal = openOn(path, new ManualClock(NOW), { instrumentation });
    await journal.ready();
    const kept = await journal.page("main", undefined, 10);
    if (left !== undefined) expect(kept).toHaveLength(left);
    expect(kept.length).toBeLessThan(KEYS.length);
    const lost = events.find((event) => event.startsWith("it has lost"));
    expect(lost).toContain(`it has lost ${range}`);
    expect(lost).toContain(`until ${SENT}, and does not know their idempotency keys`);
    for (const key of KEYS.slice(kept.length))
      await expect(journal.record(recent(key))).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    await expect(journal.probe()).rejects.toThrow("npm run journal -- accept-loss");
    expect(journal.state).toMatchObject({ hasLost: true, unavailable: lost });
    // What is there is settled and taken over meanwhile, and a restart changes nothing.
    await journal.claim();
    await journal.close();
    const again = openOn(path, new ManualClock(NOW), { instrumentation });
    await expect(again.record(recent("f"))).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    expect(checkJournal(path, NOW).problems).toEqual([expect.stringContaining(`it has lost ${range}`)]);

    expect(acceptLoss(path, NOW)).toContain(`it has lost ${range}`);
    expect(acceptLoss(path, NOW)).toBeUndefined();
    await expect.poll(() => again.state).toMatchObject({ hasLost: false, unavailable: undefined });
    await again.record(recent("f"));
    expect(checkJournal(path, NOW).problems).toEqual([]);
  });

  it("takes new ones again once a backup has brought the lost ones back", async () => {
    const path = newPath();
    const first = open(path);
    for (const key of KEYS) await first.record(recent(key));
    backUpJournal(path, `${path}.backup`, NOW);
    await opened.pop()?.close();
    truncateSync(path, 0);
    const journal = openOn(path, new ManualClock(NOW));
    await expect(journal.record(recent("a"))).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    expect(restoreJournal(path, `${path}.backup`, { replace: false, now: NOW }).added).toBe(KEYS.length);
    await expect.poll(() => journal.state.hasLost).toBe(false);
    await expect(journal.record(recent("a"))).rejects.toThrow("there is an entry of the key a");
  });

  it("is not one of which all entries are older than keys are remembered", async () => {
    const path = await killed();
    truncateSync(`${path}-wal`, 0);
    const journal = openOn(path, new ManualClock(NOW + REMEMBERED_MS));
    await journal.record(recent("g"));
  });

  it("is not one that was killed, or closed, by any number of processes in any order", async () => {
    const path = newPath();
    const [one, other] = [open(path), open(path)];
    await one.record(recent("a"));
    await other.record(recent("b"));
    await one.close();
    const left = copyOf(path);
    await other.close();
    const { events, instrumentation } = recorded();
    expect(await open(left, { instrumentation }).open()).toHaveLength(2);
    expect(await open(path, { instrumentation }).open()).toHaveLength(2);
    await open(path, { instrumentation, realm: "another exchange" }).record(recent("c"));
    expect(events).toEqual([]);
  });
});

describe("a log that has gone from beside the journal", () => {
  it("costs nothing when it is removed under a process that runs: the process notices, and saves what was in it", async () => {
    const path = newPath();
    const { events, instrumentation } = recorded();
    const journal = open(path, { instrumentation });
    const line = await journal.record(entry("a"));
    unlinkSync(`${path}-wal`);
    await journal.record(entry("b"));
    await journal.settle(accepted(line));
    expect(events).toEqual(["log gone"]);
    const left = await open(copyOf(path)).page("main", undefined, 10);
    expect(left.map(({ key, state }) => [key, state])).toEqual([
      ["b", "SENT"],
      ["a", "ACCEPTED"],
    ]);
  });
});

describe("a journal whose file is replaced under a process that runs", () => {
  const GONE = "its file was moved, removed or replaced while it was in use: put it back, or start the gateway again";
  const refused = { message: `the journal of writes cannot be used (${GONE}); nothing was sent` };

  it.each([
    ["moved away", (path: string) => renameSync(path, `${path}.aside`)],
    [
      "replaced by a copy",
      (path: string) => {
        renameSync(path, `${path}.aside`);
        copyFileSync(`${path}.aside`, path);
      },
    ],
  ])("refuses new entries while it is %s, keeps the stored ones, and continues once it is back", async (_, replace) => {
    const path = newPath();
    const { events, instrumentation } = recorded();
    const journal = openOn(path, systemClock, { instrumentation });
    const line = await journal.record(entry("a"));
    replace(path);
    await expect(journal.record(entry("b"))).rejects.toMatchObject(refused);
    await expect(journal.probe()).rejects.toMatchObject(refused);
    await expect(journal.claim()).rejects.toMatchObject(refused);
    expect(journal.state.unavailable).toBe(GONE);
    await journal.settle(accepted(line));
    expect((await journal.find("main", "a"))?.state).toBe("ACCEPTED");
    expect(await journal.find("main", "b")).toBeUndefined();
    expect(events).toEqual([GONE]);
    renameSync(`${path}.aside`, path);
    await expect.poll(() => events).toEqual([GONE, "available"]);
    await journal.record(entry("b"));
    expect((await open(copyOf(path)).page("main", undefined, 10)).map(({ key, state }) => [key, state])).toEqual([
      ["b", "SENT"],
      ["a", "ACCEPTED"],
    ]);
  });

  it("is noticed without a write, by the sign of life that each process gives", async () => {
    const path = newPath();
    const { events, instrumentation } = recorded();
    const journal = openOn(path, systemClock, { instrumentation });
    await journal.record(entry("a"));
    renameSync(path, `${path}.aside`);
    await expect(journal.claim()).rejects.toMatchObject(refused);
    expect(events).toEqual([GONE]);
    renameSync(`${path}.aside`, path);
  });
});

describe("a journal that another process has locked", () => {
  /** Holds the file as a program does that writes to it and does not end. */
  function lock(path: string): () => void {
    const database = new Database(path);
    database.exec("BEGIN IMMEDIATE");
    return () => {
      database.exec("ROLLBACK");
      database.close();
    };
  }

  it("refuses new entries with a separate code, never blocks the event loop, and reports when it is over", async () => {
    const path = newPath();
    const { events, instrumentation } = recorded();
    const journal = openOn(path, systemClock, { instrumentation });
    await journal.record(entry("before"));
    const unlock = lock(path);
    let turns = 0;
    const watch = setInterval(() => turns++, 1);
    await expect(journal.record(entry("a"))).rejects.toMatchObject({
      message: "the journal of writes cannot be used (database is locked); nothing was sent",
      extensions: { code: "JOURNAL_UNAVAILABLE", retryable: true },
    });
    clearInterval(watch);
    // It waits for a second in its thread. A loop that waited itself would not turn meanwhile.
    expect(turns).toBeGreaterThan(5);
    await expect(journal.probe()).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    expect(journal.state.unavailable).toBe("database is locked");
    expect((await journal.find("main", "before"))?.state).toBe("SENT");
    unlock();
    await eventually(() => journal.state.unavailable === undefined);
    expect(events).toEqual(["database is locked", "available"]);
    await journal.record(entry("a"));
  });

  it("takes the ends of writes all the same: shows them at once, and has them once it is free", async () => {
    const path = newPath();
    const journal = openOn(path, systemClock);
    const [a, b] = [await journal.record(entry("a")), await journal.record(entry("b"))];
    const unlock = lock(path);
    await journal.settle(accepted(a));
    const unsent: JournalEntry = { ...b, state: "UNSENT", settledAt: 3 };
    await journal.settle(unsent);
    await eventually(() => journal.state.kept === 2);
    expect(await journal.find("main", "a")).toEqual(accepted(a));
    expect(await journal.find("main", "b")).toBeUndefined();
    expect(await journal.open()).toEqual([]);
    expect(await open(copyOf(path)).open()).toHaveLength(2);
    unlock();
    await eventually(() => journal.state.kept === 0);
    expect((await journal.record(entry("b"))).seq).toBeGreaterThan(b.seq);
    expect((await open(copyOf(path)).open()).map(({ key }) => key)).toEqual(["b"]);
  });

  it("is waited for when it is free again in a moment", async () => {
    const path = newPath();
    const journal = openOn(path, systemClock);
    await journal.ready();
    const unlock = lock(path);
    let isRecorded = false;
    const recorded = journal.record(entry("a")).then((record) => {
      isRecorded = true;
      return record;
    });
    await settled();
    expect(isRecorded).toBe(false);
    unlock();
    const { seq } = await recorded;
    expect(await open(copyOf(path)).open()).toMatchObject([{ seq, key: "a" }]);
  });
});

describe("a journal on a disk that is full", () => {
  const disk = smallDisk(folder, "800k");
  afterAll(() => removeDisk(disk));

  it.skipIf(disk === undefined)("refuses new entries, keeps outcomes, and continues when there is space again", async () => {
    const path = join(disk ?? "", "journal.sqlite");
    const journal = openOn(path, systemClock);
    const line = await journal.record(entry("a"));
    const filler = join(disk ?? "", "filler");
    expect(() => writeFileSync(filler, Buffer.alloc(1_000_000))).toThrow("ENOSPC");
    const long = { ...accepted(line), reply: { orderId: "7", note: "x".repeat(200_000) } };
    await expect(journal.record(entry("b", { values: { note: "x".repeat(200_000) } }))).rejects.toMatchObject({
      code: "JOURNAL_UNAVAILABLE",
      message: "the journal of writes cannot be used (database or disk is full); nothing was sent",
    });
    await journal.settle(long);
    expect(journal.state.kept).toBe(1);
    expect(await journal.find("main", "a")).toEqual(long);
    unlinkSync(filler);
    await eventually(() => journal.state.kept === 0 && journal.state.unavailable === undefined);
    await journal.record(entry("b"));
    expect(await open(copyOf(path)).find("main", "a")).toEqual(long);
  });

  it.skipIf(disk === undefined)("is not tried with a write that leaves the file as it is", async () => {
    const clock = new ManualClock(NOW);
    const reports: (string | undefined)[] = [];
    const thread = new JournalThread({ path: join(disk ?? "", "tried.sqlite"), realm: "exchange" }, clock, ({ state }) =>
      reports.push(state.unavailable),
    );
    const probeAt = async (now: number) => {
      thread.take({ id: 1, name: "probe", args: [], now });
      await settled();
    };
    await probeAt(NOW);
    const filler = join(disk ?? "", "filler");
    expect(() => writeFileSync(filler, Buffer.alloc(1_000_000))).toThrow("ENOSPC");
    await probeAt(NOW + 2_000);
    expect(reports.splice(0)).toEqual([undefined, "database or disk is full", "database or disk is full"]);
    clock.advance(1_000);
    expect(reports).toEqual([]);
    unlinkSync(filler);
    clock.advance(100);
    expect(reports).toEqual([undefined]);
    thread.take({ id: 2, name: "close", args: [], now: NOW });
    await settled();
  });

  it.skipIf(disk === undefined)("is not opened, and the reason is that there is no room", async () => {
    const path = join(disk ?? "", "opened.sqlite");
    await open(path).record(entry("a"));
    await opened.pop()?.close();
    const filler = join(disk ?? "", "filler");
    expect(() => writeFileSync(filler, Buffer.alloc(1_000_000))).toThrow("ENOSPC");
    await expect(open(path).ready()).rejects.toThrow(
      `the journal of writes cannot be kept in ${path}: no space is left on its disk`,
    );
    unlinkSync(filler);
  });
});

import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { JournalEntry, NewEntry } from "../../../../src/datasources/writes/journal/entry.js";
import { Journal, type JournalOptions, KeyTaken, REMEMBERED_MS } from "../../../../src/datasources/writes/journal/journal.js";

const folder = mkdtempSync(join(tmpdir(), "journal-"));
afterAll(() => rmSync(folder, { recursive: true }));

const opened: Journal[] = [];
const open = (path: string, options: Partial<JournalOptions> = {}): Journal => {
  const journal = new Journal({ path, realm: "exchange", ...options });
  opened.push(journal);
  return journal;
};
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
});

let files = 0;
const newPath = (): string => join(folder, `${files++}`, "journal.sqlite");

const entry = (key: string, more: Partial<NewEntry> = {}): NewEntry => ({
  account: "main",
  mutation: "placeOrder",
  endpoint: "placeOrder",
  key,
  digest: `digest of ${key}`,
  clientOid: key,
  values: { symbol: "BTCUSDT", qty: "0.5" },
  sentAt: 1_000,
  validUntil: 46_000,
  ...more,
});

const accepted = (line: JournalEntry): JournalEntry => ({
  ...line,
  state: "ACCEPTED",
  reply: { orderId: "7", clientOid: line.clientOid },
  settledAt: 2_000,
});

/** What a process that was killed leaves behind: the files as they lie on the disk. */
function copyOf(path: string): string {
  const copy = join(folder, `copy-${files++}.sqlite`);
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  return copy;
}

describe("the journal", () => {
  it("has an entry on the disk when it says so", async () => {
    const path = newPath();
    const line = await open(path).record(entry("a"));
    expect(open(copyOf(path)).find("main", "a")).toEqual(line);
    expect(line).toEqual({ ...entry("a"), seq: 1, state: "SENT", reply: null, problem: null, settledAt: null });
  });

  it("has the end of a write on the disk when it says so, with the exchange's reply or its refusal", async () => {
    const path = newPath();
    const journal = open(path);
    const one = accepted(await journal.record(entry("a")));
    const other: JournalEntry = {
      ...(await journal.record(entry("b"))),
      state: "REJECTED",
      problem: {
        code: "INSUFFICIENT_BALANCE",
        message: "no",
        retryable: false,
        exchange: { code: "43012", msg: "Insufficient balance" },
      },
      settledAt: 3_000,
    };
    journal.settle(one);
    journal.settle(other);
    const copy = open(copyOf(path));
    expect([copy.find("main", "a"), copy.find("main", "b")]).toEqual([one, other]);
    expect(copy.open()).toEqual([]);
  });

  it("never changes an end", async () => {
    const journal = open(":memory:");
    const line = accepted(await journal.record(entry("a")));
    journal.settle(line);
    journal.settle({ ...line, state: "REJECTED", reply: null });
    expect(journal.find("main", "a")).toEqual(line);
  });

  it("lists what is open, the oldest first, unknown ends among it", async () => {
    const journal = open(":memory:");
    const [a, b, c] = [await journal.record(entry("a")), await journal.record(entry("b")), await journal.record(entry("c"))];
    journal.settle(accepted(b));
    const unknown: JournalEntry = { ...c, state: "UNKNOWN", settledAt: 9 };
    journal.settle(unknown);
    expect(journal.open()).toEqual([a, unknown]);
  });

  it("takes a key once for each account, and again when its write never left", async () => {
    const journal = open(":memory:");
    const first = await journal.record(entry("a"));
    await expect(journal.record(entry("a"))).rejects.toThrow(KeyTaken);
    await journal.record(entry("a", { account: "classic" }));
    journal.settle({ ...first, state: "UNSENT", settledAt: 5 });
    expect(journal.find("main", "a")).toBeUndefined();
    const second = await journal.record(entry("a"));
    expect(journal.find("main", "a")).toEqual(second);
  });

  it("keeps two exchanges in one file apart", async () => {
    const path = newPath();
    const [one, other] = [open(path), open(path, { realm: "another exchange" })];
    await one.record(entry("a"));
    expect([other.find("main", "a"), other.open(), other.page("main", undefined, 10)]).toEqual([undefined, [], []]);
    await other.record(entry("a"));
  });

  it("pages through an account's writes, the newest first", async () => {
    const journal = open(":memory:");
    for (const key of ["a", "b", "c", "d"]) await journal.record(entry(key));
    await journal.record(entry("x", { account: "classic" }));
    const [first, second] = [journal.page("main", undefined, 2), journal.page("main", 3, 2)];
    expect([first, second].map((page) => page.map(({ key }) => key))).toEqual([
      ["d", "c"],
      ["b", "a"],
    ]);
  });

  it("forgets ended writes after a week, and open ones with the exchange's own memory", async () => {
    const journal = open(":memory:");
    journal.settle(accepted(await journal.record(entry("old and ended", { sentAt: 1_000 }))));
    await journal.record(entry("old and open", { sentAt: 1_000 }));
    journal.settle(accepted(await journal.record(entry("young", { sentAt: 2_000 }))));
    const keys = () => journal.page("main", undefined, 10).map(({ key }) => key);
    journal.prune(1_000 + REMEMBERED_MS);
    expect(keys()).toEqual(["young", "old and open", "old and ended"]);
    journal.prune(1_001 + REMEMBERED_MS);
    expect(keys()).toEqual(["young", "old and open"]);
    journal.prune(1_001 + 90 * 86_400_000);
    expect(keys()).toEqual([]);
  });

  it("is nobody else's to read", async () => {
    const path = newPath();
    await open(path).record(entry("a"));
    expect([path, `${path}-wal`].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it("says which file it is that cannot be used", () => {
    const path = join(folder, "no-database.sqlite");
    writeFileSync(path, "no database ".repeat(500));
    expect(() => open(path)).toThrow(`the journal of writes cannot be kept in ${path}: file is not a database`);
  });

  it("leaves a file of another version as it is", async () => {
    const path = newPath();
    await new Journal({ path, realm: "exchange" }).close();
    const database = new Database(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    expect(() => open(path)).toThrow(`the journal of writes cannot be kept in ${path}: its version is 99, not 1`);
  });

  it("keeps nothing beyond the process when told to live in memory", async () => {
    await open(":memory:").record(entry("a"));
    expect(open(":memory:").find("main", "a")).toBeUndefined();
  });

  it("makes no file of its own beside the one it was given, once it is closed", async () => {
    const path = newPath();
    const journal = new Journal({ path, realm: "exchange" });
    await journal.record(entry("a"));
    await journal.close();
    const copy = join(folder, "after-close.sqlite");
    copyFileSync(path, copy);
    expect(open(copy).find("main", "a")?.state).toBe("SENT");
  });
});

describe("a torn end of the journal", () => {
  it("costs at most the last entry, wherever it is cut, and is said", async () => {
    const path = newPath();
    const journal = open(path);
    for (const key of ["a", "b"]) await journal.record(entry(key));
    const before = statSync(`${path}-wal`).size;
    await journal.record(entry("c"));
    const after = statSync(`${path}-wal`).size;
    expect(after).toBeGreaterThan(before);
    for (let size = before + 1; size < after; size += Math.ceil((after - before) / 12)) {
      const copy = copyOf(path);
      truncateSync(`${copy}-wal`, size);
      const torn: number[] = [];
      const kept = open(copy, { onTornTail: (bytes) => torn.push(bytes) }).open();
      expect(kept.map(({ key }) => key)).toEqual(["a", "b"]);
      expect(torn).toEqual([size - before]);
    }
  });

  it("is not said of a file that a process left whole", async () => {
    const path = newPath();
    const journal = open(path);
    for (const key of ["a", "b", "c"]) journal.settle(accepted(await journal.record(entry(key))));
    const torn: number[] = [];
    expect(open(copyOf(path), { onTornTail: (bytes) => torn.push(bytes) }).page("main", undefined, 10)).toHaveLength(3);
    expect(torn).toEqual([]);
  });

  it("is not said of a file that was used long enough for its log to begin anew", async () => {
    const path = newPath();
    const journal = open(path);
    const write = async (key: string) => journal.settle(accepted(await journal.record(entry(key))));
    await Promise.all(Array.from({ length: 700 }, (_, count) => write(`${count}`)));
    const torn: number[] = [];
    const copy = open(copyOf(path), { onTornTail: (bytes) => torn.push(bytes) });
    expect(copy.page("main", undefined, 1_000)).toHaveLength(700);
    expect(torn).toEqual([]);
  });
});

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { ManualClock } from "@exchange-graph/contract/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backUpJournal, checkJournal, restoreJournal } from "../../../../../src/datasources/writes/journal/sqlite/maintenance.js";
import { VERSION } from "../../../../../src/datasources/writes/journal/sqlite/migrations.js";
import { SqliteJournal } from "../../../../../src/datasources/writes/journal/sqlite/sqliteJournal.js";
import { LEASE_MS } from "../../../../../src/datasources/writes/journal/writeJournal.js";
import { temporaryFiles } from "../../../../support/temporaryFiles.js";
import { accepted, entry } from "../contract.js";

const newFile = temporaryFiles();

const NOW = Date.UTC(2026, 0, 5);
const clock = new ManualClock(NOW);
let path: string;
let backup: string;
let journal: SqliteJournal;
const openOn = (file: string) => new SqliteJournal({ path: file, realm: "exchange", clock });
beforeEach(async () => {
  path = newFile();
  backup = `${path}.backup`;
  journal = openOn(path);
  await journal.settle(accepted(await journal.record(entry("ended"))));
  await journal.record(entry("open"));
});
afterEach(() => journal.close());

const keysIn = async (file: string) => {
  const other = openOn(file);
  const keys = (await other.page("main", undefined, 10)).map(({ key, state }) => `${key} ${state}`);
  await other.close();
  return keys;
};

describe("a journal in use", () => {
  it("is checked", () => {
    expect(checkJournal(path, NOW)).toEqual({
      version: VERSION,
      entries: [
        { realm: "exchange", state: "ACCEPTED", count: 1 },
        { realm: "exchange", state: "SENT", count: 1 },
      ],
      owners: 1,
      problems: [],
    });
  });

  it("is copied as it is at that moment, for its owner alone, and over no other file", async () => {
    expect(backUpJournal(path, backup, NOW).problems).toEqual([]);
    await journal.record(entry("later"));
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(() => backUpJournal(path, backup, NOW)).toThrow(`${backup} exists already: name another file`);
    expect(await keysIn(backup)).toEqual(["open SENT", "ended ACCEPTED"]);
  });

  it("gets back what it has lost, keeps what it has, and takes over what was open", async () => {
    backUpJournal(path, backup, NOW);
    await journal.close();
    for (const ending of ["", "-wal", "-shm", ".mark"]) rmSync(`${path}${ending}`, { force: true });
    journal = openOn(path);
    await journal.claim();
    await journal.settle(accepted(await journal.record(entry("ended", { digest: "another", account: "renamed" }))));
    await journal.record(entry("newer"));
    expect(restoreJournal(path, backup, { replace: false, now: NOW })).toEqual({ added: 1, aside: undefined });
    expect(restoreJournal(path, backup, { replace: false, now: NOW }).added).toBe(0);
    expect((await journal.find("main", "ended"))?.digest).toBe("another");
    clock.advance(1);
    expect((await journal.claim()).taken).toMatchObject([entry("open")]);
    expect(existsSync(`${path}.restoring`)).toBe(false);
  });
});

describe("a journal that is not in use", () => {
  it("can be checked after a crash without its log being missed", async () => {
    await journal.close();
    const later = NOW + LEASE_MS + 100_000;
    expect(checkJournal(path, later)).toMatchObject({ owners: 0, problems: [] });
    expect(checkJournal(path, later)).toMatchObject({ owners: 0, problems: [] });
  });

  it("that is damaged is detected, and replaced on request", async () => {
    backUpJournal(path, backup, NOW);
    await journal.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 4_096));
    const problems = (): readonly string[] => {
      try {
        return checkJournal(path, NOW).problems;
      } catch (error) {
        return [String(error)];
      }
    };
    expect(problems()).not.toEqual([]);
    expect(() => restoreJournal(path, backup, { replace: false, now: NOW })).toThrow("replace it with --replace");
    const { added, aside } = restoreJournal(path, backup, { replace: true, now: NOW });
    expect([added, existsSync(aside ?? "")]).toEqual([2, true]);
    expect(await keysIn(path)).toEqual(["open SENT", "ended ACCEPTED"]);
  });

  it("that is not there is said so, and is made by a restoration", async () => {
    backUpJournal(path, backup, NOW);
    const elsewhere = newFile("new.sqlite");
    expect(() => checkJournal(elsewhere, NOW)).toThrow(`there is no journal in ${elsewhere}`);
    restoreJournal(elsewhere, backup, { replace: false, now: NOW });
    expect(await keysIn(elsewhere)).toEqual(["open SENT", "ended ACCEPTED"]);
  });
});

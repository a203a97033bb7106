import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { afterAll, describe, expect, it } from "vitest";
import {
  backUpHistory,
  checkHistory,
  fileHistory,
  historyPathOf,
  restoreHistory,
} from "../../../src/datasources/history/index.js";
import { historyStoreContract } from "./storeContract.js";

describe("the history in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "history-"));
  const path = join(folder, "data", "history.sqlite");
  afterAll(() => rmSync(folder, { recursive: true }));

  historyStoreContract(
    async (clock, realm = "live") => fileHistory(path)({ clock, realm }),
    () => systemClock,
  );

  it("is readable by its owner alone, and names the file where it cannot be used", async () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const store = fileHistory(folder)({ clock: systemClock, realm: "live" });
    await expect(store.note("a", "b")).rejects.toThrow(`the history cannot be kept in ${folder}`);
    await expect(store.close()).rejects.toThrow();
  });

  it("is copied while it is in use, and restored beside what it has since", async () => {
    const store = fileHistory(path)({ clock: systemClock, realm: "live" });
    const point = (at: number, body: string) => ({ user: "kept", resolution: "DAY" as const, at, body });
    await store.write({
      points: [point(1, '"lost"'), point(2, '"before"')],
      records: [{ user: "kept", at: 1, id: "1", body: "{}" }],
    });
    const backup = join(folder, "backup.sqlite");
    expect(backUpHistory(path, backup)).toMatchObject({ problems: [] });
    expect(() => backUpHistory(path, backup)).toThrow("exists already");
    await store.write({ points: [point(2, '"since"')] });
    await store.prune({ MINUTE: 0, HOUR: 0, DAY: 1, RECONCILED: 1, RECORD: 1 });
    expect(restoreHistory(path, backup)).toBe(2);
    expect(restoreHistory(path, backup)).toBe(0);
    const all = { after: 0, to: 10, limit: 10 };
    expect((await store.points("kept", "DAY", all)).map(({ body }) => body)).toEqual(['"lost"', '"since"']);
    expect((await store.records("kept", all)).length).toBe(1);
    await store.close();
    const fresh = join(folder, "fresh.sqlite");
    expect(restoreHistory(fresh, backup)).toBeGreaterThan(2);
    expect(checkHistory(fresh)).toEqual(checkHistory(backup));
    const broken = join(folder, "broken.sqlite");
    writeFileSync(broken, "this is no database, and never was one");
    expect(() => restoreHistory(path, broken)).toThrow(broken);
    expect(() => checkHistory(join(folder, "none.sqlite"))).toThrow("there is no history in");
  });

  it("shows how far the past of each user is rebuilt", async () => {
    const store = fileHistory(path)({ clock: systemClock, realm: "live" });
    const [from, until] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 5)];
    const held = { mode: "UNIFIED", isKeptFrom: true, purses: [], exposures: [] };
    const progress = { ...held, status: "RUNNING", from, until, reached: Date.UTC(2026, 0, 4) };
    await store.write({ notes: [{ user: "17", name: "backfill", body: JSON.stringify(progress) }] });
    await store.close();
    expect(checkHistory(path).backfills).toEqual([
      "user 17: past rebuilt back to 2026-01-04T00:00:00.000Z of 2026-01-01T00:00:00.000Z, share 0.25, RUNNING",
    ]);
  });

  it("counts the users that have a curve, and not what is stored apart of them", async () => {
    const counted = join(folder, "counted.sqlite");
    const store = fileHistory(counted)({ clock: systemClock, realm: "live" });
    const point = { user: "17", resolution: "DAY", at: 1, body: '"worth"' } as const;
    const records = ["17", "17 apart"].map((user) => ({ user, at: 1, id: "SPOT 1", body: '"record"' }));
    await store.write({ points: [point], records });
    await store.close();
    expect(checkHistory(counted)).toMatchObject({ users: 1, points: 1, records: 2 });
  });

  it("lies beside the journal", () => {
    expect(
      ["data/sandbox-journal.sqlite", "/x/journal.sqlite", "/x/writes.db", "/x/writes", ":memory:"].map(historyPathOf),
    ).toEqual([...["data/sandbox-history.sqlite", "/x/history.sqlite", "/x/writes-history.db", "/x/writes-history", ":memory:"]]);
  });
});

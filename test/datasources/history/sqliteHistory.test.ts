import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { afterAll, describe, expect, it } from "vitest";
import { fileHistory, historyPathOf } from "../../../src/datasources/history/index.js";
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

  it("lies beside the journal", () => {
    expect(
      ["data/sandbox-journal.sqlite", "/x/journal.sqlite", "/x/writes.db", "/x/writes", ":memory:"].map(historyPathOf),
    ).toEqual([...["data/sandbox-history.sqlite", "/x/history.sqlite", "/x/writes-history.db", "/x/writes-history", ":memory:"]]);
  });
});

import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import type { NewEntry } from "../../src/datasources/writes/journal/journalEntry.js";
import { journalContract } from "../datasources/writes/journal/contract.js";
import { streamOf } from "./random.js";
import { openStorage, Storage } from "./storage.js";

const ENTRY: NewEntry = {
  ...{ user: "1", account: "main", who: null, mutation: "placeOrder", endpoint: "placeOrder", key: "key", digest: "d" },
  ...{ clientOid: null, values: {}, sentAt: 0, validUntil: 45_000, traceparent: null },
};

describe("the simulation's file", () => {
  journalContract(() => {
    const storage = new Storage(() => 0, streamOf(1, "file"));
    return (clock) => openStorage(storage, clock, () => 0).journal;
  });

  it("has every recorded entry after a loss of power, and each end that was written long before, but not always the last one", async () => {
    const survived = new Set<string | undefined>();
    for (let seed = 0; seed < 20; seed++) {
      const clock = new ManualClock(0);
      const storage = new Storage(() => clock.now(), streamOf(seed, "file"));
      const { journal } = openStorage(storage, clock, () => 0);
      const [one, other] = [await journal.record(ENTRY), await journal.record({ ...ENTRY, key: "other" })];
      await journal.settle({ ...one, state: "ACCEPTED" });
      clock.advance(1_000);
      await journal.settle({ ...other, state: "ACCEPTED" });
      storage.losePower();
      expect((await journal.find("1", "key"))?.state).toBe("ACCEPTED");
      survived.add((await journal.find("1", "other"))?.state);
    }
    expect(survived).toEqual(new Set(["ACCEPTED", "SENT"]));
  });

  it("records nothing while its disk is full", async () => {
    const storage = new Storage(() => 0, streamOf(1, "file"));
    const { journal } = openStorage(storage, new ManualClock(0), () => 0);
    storage.isFull = true;
    await expect(journal.record(ENTRY)).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    storage.isFull = false;
    expect((await journal.record(ENTRY)).state).toBe("SENT");
  });
});

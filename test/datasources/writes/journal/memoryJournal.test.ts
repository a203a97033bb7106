import { describe } from "vitest";
import { MemoryJournal, SharedEntries } from "../../../../src/datasources/writes/journal/memoryJournal.js";
import { journalContract } from "./contract.js";

describe("the journal in memory", () => {
  journalContract(() => {
    const shared = new SharedEntries();
    return (clock) => new MemoryJournal(clock, shared);
  });
});

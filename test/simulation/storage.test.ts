import { describe } from "vitest";
import { journalContract } from "../datasources/writes/journal/contract.js";
import { openStorage, Storage } from "./storage.js";

for (const kind of ["file", "database"] as const)
  describe(`the simulation's ${kind}`, () => {
    journalContract(() => {
      const storage = new Storage(kind);
      return (clock) => openStorage(storage, clock, () => 0).journal;
    });
  });

import { describe } from "vitest";
import { journalContract } from "../datasources/writes/journal/contract.js";
import { openStorage, Storage } from "./storage.js";

describe("the simulation's file", () => {
  journalContract(() => {
    const storage = new Storage();
    return (clock) => openStorage(storage, clock, () => 0).journal;
  });
});

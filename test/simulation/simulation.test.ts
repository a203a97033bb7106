import { describe, expect, it } from "vitest";
import { historyOf } from "./history.js";
import { run } from "./simulation.js";

/** Seeds of one minute: every kind of account, limit and fault is among them, and two replicas. */
const SEEDS = [1, 6, 7, 8, 15, 17];

describe("the whole product under one seed", () => {
  for (const seed of SEEDS)
    it(`keeps limits and halts by the exchange's ledger, and does the same again: seed ${seed}`, async () => {
      const history = historyOf(seed, 1);
      const report = await run(history);
      expect(report.violation).toBeUndefined();
      expect(report.orders).toBeGreaterThan(0);
      expect((await run(history)).hash).toBe(report.hash);
    });
});

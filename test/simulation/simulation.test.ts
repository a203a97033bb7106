import { describe, expect, it } from "vitest";
import { historyOf } from "./history.js";
import { run } from "./simulation.js";

/** Seeds that have found something: names of one user, a lost answer, a halt, its trigger orders, a queue, a late answer. */
const SEEDS = [2, 3, 4, 12, 22, 33];
const MINUTES = 2;

describe("the whole product under one seed", () => {
  for (const seed of SEEDS)
    it(`keeps limits and halts by the exchange's ledger: seed ${seed}`, async () => {
      const report = await run(historyOf(seed, MINUTES));
      expect(report.violation).toBeUndefined();
      expect(report.orders).toBeGreaterThan(0);
    });

  it("does the same again", async () => {
    const history = historyOf(1, 1);
    const { hash } = await run(history);
    expect((await run(history)).hash).toBe(hash);
    expect((await run(historyOf(2, 1))).hash).not.toBe(hash);
  });
});

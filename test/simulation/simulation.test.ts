import { describe, expect, it } from "vitest";
import { historyOf } from "./history.js";
import { run } from "./simulation.js";

/** One seed of each theme, and two mixtures: with faults and app, with bursts and halts. */
const SEEDS = [2, 3, 8, 9, 21, 4, 12];
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

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { historyOf } from "./history.js";
import { run } from "./simulation.js";

/** One seed of each theme, two of listeners: over connections that suffer, and with keys that are swapped. */
const SEEDS = [2, 3, 14, 9, 21, 4, 7, 11];
const MINUTES = 2;
/** A run takes seconds, on a busy machine many. */
const TIMEOUT_MS = 180_000;

describe("the whole product under one seed", { timeout: TIMEOUT_MS }, () => {
  for (const seed of SEEDS)
    it(`keeps every invariant by the exchange's ledger: seed ${seed}`, async () => {
      const report = await run(historyOf(seed, MINUTES));
      expect(report.violation).toBeUndefined();
      expect(report.orders).toBeGreaterThan(0);
    });

  it("does the same again", async () => {
    const history = historyOf(7, 1);
    const { hash } = await run(history);
    expect((await run(history)).hash).toBe(hash);
    expect((await run(historyOf(2, 1))).hash).not.toBe(hash);
  });
});

describe("a planted bug", () => {
  const folder = "test/simulation/planted";

  it.each(readdirSync(folder))("fits the sources as they are: %s", (patch) => {
    execFileSync("git", ["apply", "--check", `${folder}/${patch}`], { stdio: "pipe" });
  });
});

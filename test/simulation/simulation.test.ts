import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { historyOf } from "./history.js";
import { run } from "./simulation.js";

/**
 * One seed of each theme, two of listeners (over connections that suffer, and with keys that are swapped), and its minutes: some have as
 * many steps in one as others in several.
 */
const SEEDS = new Map([...[2, 3, 14, 9].map((seed) => [seed, 2] as const), ...[21, 7, 4, 11].map((seed) => [seed, 1] as const)]);
const REPEATED = 4;
/** A run takes seconds, on a busy machine many. */
const TIMEOUT_MS = 180_000;

describe("the whole product under one seed", { timeout: TIMEOUT_MS }, () => {
  const hashes = new Map<number, string>();
  for (const [seed, minutes] of SEEDS)
    it(`keeps every invariant by the exchange's ledger: seed ${seed}`, async () => {
      const report = await run(historyOf(seed, minutes));
      expect(report.violation).toBeUndefined();
      expect(report.orders).toBeGreaterThan(0);
      hashes.set(seed, report.hash);
    });

  it("does the same again, and something else under another seed", async () => {
    const { hash } = await run(historyOf(REPEATED, SEEDS.get(REPEATED) ?? 0));
    expect(hash).toBe(hashes.get(REPEATED));
    expect(new Set(hashes.values()).size).toBe(SEEDS.size);
  });
});

describe("a planted bug", () => {
  const folder = "test/simulation/planted";

  it.each(readdirSync(folder))("fits the sources as they are: %s", (patch) => {
    execFileSync("git", ["apply", "--check", `${folder}/${patch}`], { stdio: "pipe" });
  });
});

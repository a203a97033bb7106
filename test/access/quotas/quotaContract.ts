import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Quota, QuotaStore } from "../../../src/access/quotas/quotaStore.js";

/** What is reported to others has been answered by then: after so long, and so many turns of an event loop that has to wait for its own. */
const QUIET_MS = 50;
const QUIET_TURNS = 30;

/** Spends one at a time until nothing more is left; gives how many there were. */
export async function spendAll(quota: Quota, client: string): Promise<number> {
  let spent = 0;
  for (let since = performance.now(), turns = 0; turns < QUIET_TURNS || performance.now() - since < QUIET_MS; ) {
    if (quota.spend(client, 1) === undefined) {
      spent++;
      turns = 0;
      since = performance.now();
    } else {
      turns++;
      await pause(1);
    }
  }
  return spent;
}

/** What every store of quotas has to keep. Time does not advance, or hardly. */
export function quotaContract(open: () => Promise<QuotaStore>): void {
  describe("a client's budget", () => {
    it("is the limit of a minute, and says when there will be more", async () => {
      const quota = (await open()).quota("operations", 600);
      // A store that is slow for a moment may look as if nothing were left; 20 more come in these two seconds.
      const end = performance.now() + 2_000;
      let spent = 0;
      do spent += await spendAll(quota, "token:a");
      while (spent < 600 && performance.now() < end);
      expect(spent).toBeGreaterThanOrEqual(600);
      expect(spent).toBeLessThanOrEqual(660);
      const waitMs = quota.spend("token:a", 60) ?? 0;
      expect(waitMs).toBeGreaterThan(3_000);
      expect(waitMs).toBeLessThanOrEqual(6_100);
    });

    it("is per client and kind", async () => {
      const store = await open();
      const [one, other] = [store.quota("operations", 20), store.quota("calls", 20)];
      await spendAll(one, "token:a");
      expect(one.spend("token:b", 1)).toBeUndefined();
      expect(other.spend("token:a", 1)).toBeUndefined();
    });

    it("gets back what was spent for nothing, and loses what was spent beyond", async () => {
      const quota = (await open()).quota("calls", 600);
      await spendAll(quota, "token:a");
      quota.giveBack("token:a", 10);
      expect(await spendAll(quota, "token:a")).toBeGreaterThanOrEqual(10);
      quota.take("token:b", 600);
      expect(await spendAll(quota, "token:b")).toBeLessThanOrEqual(60);
    });
  });
}

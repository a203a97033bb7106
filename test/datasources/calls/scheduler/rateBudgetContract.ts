import { describe, expect, it } from "vitest";
import type { RateBudgetStore, SharedCounter, SlotUse } from "../../../../src/datasources/calls/scheduler/rateBudgetStore.js";
import { eventually } from "../../../support/eventually.js";

const COUNTER: SharedCounter = { endpoint: "openOrders", counter: "desk", limit: 10, windowMs: 50 };

/** One replica's lease of a counter, and what it uses of it. */
export function leaseOf(store: RateBudgetStore, counter: SharedCounter = COUNTER) {
  const use: { -readonly [Key in keyof SlotUse]: SlotUse[Key] } = { held: 0, waiting: 0, isForCancels: false };
  let changes = 0;
  const lease = store.lease(
    counter,
    () => use,
    () => {
      changes++;
    },
  );
  return {
    lease,
    use,
    get changes() {
      return changes;
    },
    want(waiting: number) {
      use.waiting = waiting;
      lease.demand();
    },
  };
}

/** What every store of rate budgets has to keep. `open` gives a replica's store over one set of counters. */
export function rateBudgetContract(open: () => Promise<RateBudgetStore>): void {
  describe("the slots of a counter", () => {
    it("are all available to the only replica, and never more than the limit", async () => {
      const store = await open();
      const { lease, want } = leaseOf(store);
      want(100);
      await eventually(() => lease.slots() === 10);
      expect(lease.expected()).toBe(10);
      await store.close();
    });

    it("of one counter are not those of another", async () => {
      const store = await open();
      const one = leaseOf(store);
      const other = leaseOf(store, { ...COUNTER, counter: "second", limit: 3 });
      one.want(100);
      other.want(100);
      await eventually(() => one.lease.slots() === 10 && other.lease.slots() === 3);
      await store.close();
    });

    it("come back, and can be had again, after they were given up", async () => {
      const store = await open();
      const first = leaseOf(store);
      first.want(10);
      await eventually(() => first.lease.slots() === 10);
      first.lease.release();
      const second = leaseOf(store);
      second.want(10);
      await eventually(() => second.lease.slots() === 10);
      await store.close();
    });
  });
}

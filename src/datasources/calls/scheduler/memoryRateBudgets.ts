import type { RateBudgetStore, SharedCounter, SlotLease } from "./rateBudgetStore.js";

/** A single replica, which has every slot. */
export class MemoryRateBudgets implements RateBudgetStore {
  lease({ limit }: SharedCounter): SlotLease {
    const whole = () => limit;
    return { slots: whole, expected: whole, demand: nothing, release: nothing };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const nothing = () => undefined;

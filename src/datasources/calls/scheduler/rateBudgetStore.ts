/** A counter of the exchange, by a name that all replicas use. */
export interface SharedCounter {
  readonly endpoint: string;
  /** The exchange's user or its placeholder, or `IP` for all calls from an address. */
  readonly counter: string;
  /** Calls that the exchange accepts in any window. */
  readonly limit: number;
  readonly windowMs: number;
}

/** This replica's use of a counter. */
export interface SlotUse {
  /** Slots of calls that have no answer yet, or whose window has not passed. */
  readonly held: number;
  readonly waiting: number;
  /** Whether cancels use it; then each replica keeps a slot of it. */
  readonly isForCancels: boolean;
}

/** The slots of one counter that this replica has at present. */
export interface SlotLease {
  /** Number of slots that may be in use now, from 0 to the counter's limit. Read synchronously when a slot is taken. */
  slots(): number;
  /** Number of slots that it may get soon, for estimates of waiting calls. */
  expected(): number;
  /** Reports a waiting call: further slots are requested at once, if there may be any. */
  demand(): void;
  /** The counter is not used any more. */
  release(): void;
}

/**
 * Divides the exchange's rate limits into slots among all replicas. The slots that they may use together never exceed the limit.
 * The memory adapter has one replica with all slots.
 */
export interface RateBudgetStore {
  /** Leases slots of a counter. `use` is called at each renewal for the current use; `changed` when there may be more slots. */
  lease(counter: SharedCounter, use: () => SlotUse, changed: () => void): SlotLease;
  close(): Promise<void>;
}

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

/** One of the exchange's counters, as all replicas that spend it name it. */
export interface SharedCounter {
  /** The endpoint that is counted. */
  readonly endpoint: string;
  /** An account's name, or `IP` for what leaves from an address. */
  readonly counter: string;
  /** Calls that the exchange takes in any window. */
  readonly limit: number;
  readonly windowMs: number;
}

/** How much of a counter this replica uses. */
export interface SlotUse {
  /** Slots of calls that are under way, or that rest. */
  readonly held: number;
  /** Slots that calls wait for. */
  readonly waiting: number;
  /** Do cancels spend it? Then each replica keeps a slot of it. */
  readonly isForCancels: boolean;
}

/** The slots of one counter that belong to this replica for the time being. */
export interface SlotLease {
  /** How many may be taken at this moment: looked at in the turn in which one is taken. 0 to the counter's limit. */
  slots(): number;
  /** How many it may come to have before long: what a call that waits can hope for. */
  expected(): number;
  /** A call waits: more slots are asked for at once, where there may be any. */
  demand(): void;
  /** The counter is not used any more. */
  release(): void;
}

/**
 * The exchange's rate limits, divided into slots among all replicas: the slots that they may take together are never more than
 * the limit. The memory adapter knows one replica, which has them all.
 */
export interface RateBudgetStore {
  /** Leases slots of a counter. `use` is asked for what is used at each renewal; `changed` hears when there may be more slots. */
  lease(counter: SharedCounter, use: () => SlotUse, changed: () => void): SlotLease;
  /** Gives all slots back. */
  close(): Promise<void>;
}

/** A limit on orders per second, by a name that all replicas use: for an account's user, or for a client. */
export interface OrderCounter {
  readonly name: string;
  readonly most: number;
}

/** Counts orders in a sliding window of one second, over all replicas. */
export interface OrderRateStore {
  /** The counters that have reached their limit. */
  full(counters: readonly OrderCounter[]): Promise<readonly string[]>;
  /** Counts an order in all of the counters, or in none; then it returns those that have reached their limit. */
  count(counters: readonly OrderCounter[]): Promise<readonly string[]>;
}

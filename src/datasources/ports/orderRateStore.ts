/** Orders that may leave within any second, under one name for all replicas: of an account's user, or of a client. */
export interface OrderCounter {
  readonly name: string;
  readonly most: number;
}

/** How many orders have left within the last second, for all replicas together. */
export interface OrderRateStore {
  /** Which of these counters have as many as they may. */
  full(counters: readonly OrderCounter[]): Promise<readonly string[]>;
  /** Counts an order under all of them, or under none: then it gives those that have as many as they may. */
  count(counters: readonly OrderCounter[]): Promise<readonly string[]>;
}

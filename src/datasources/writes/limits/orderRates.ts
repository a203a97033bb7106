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

const SECOND_MS = 1_000;
/** Number of counters above which those without a recent order are dropped. */
const MAX_COUNTERS = 100_000;

/** The orders of this process. */
export class MemoryOrderRates implements OrderRateStore {
  readonly #departures = new Map<string, number[]>();

  /** `now` in ms, monotonic. */
  constructor(private readonly now: () => number) {}

  async full(counters: readonly OrderCounter[]): Promise<readonly string[]> {
    return this.#full(counters);
  }

  async count(counters: readonly OrderCounter[]): Promise<readonly string[]> {
    const full = this.#full(counters);
    if (full.length === 0) this.note(counters);
    return full;
  }

  /** Counts an order regardless of the limits. */
  note(counters: readonly OrderCounter[]): void {
    const now = this.now();
    for (const { name } of counters) this.#departures.set(name, [...this.#recent(name), now]);
    if (this.#departures.size > MAX_COUNTERS)
      for (const name of [...this.#departures.keys()]) if (this.#recent(name).length === 0) this.#departures.delete(name);
  }

  #full(counters: readonly OrderCounter[]): readonly string[] {
    return counters.filter(({ name, most }) => this.#recent(name).length >= most).map(({ name }) => name);
  }

  #recent(name: string): readonly number[] {
    const since = this.now() - SECOND_MS;
    return (this.#departures.get(name) ?? []).filter((at) => at > since);
  }
}

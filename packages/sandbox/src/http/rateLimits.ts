import type { Clock } from "@exchange-graph/contract/clock";
import { ADDRESS_LIMIT, type Endpoint } from "@exchange-graph/contract/endpoint";
import { bound } from "../bounded.js";

/**
 * The times of the last `limit` admitted calls. A call is admitted when the oldest of them has left the window, so that no window
 * of this length contains more than `limit`.
 */
export class SlidingWindow {
  readonly #times: Float64Array;
  #next = 0;

  constructor(
    readonly limit: number,
    readonly windowMs: number,
  ) {
    this.#times = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  }

  /** Counts a call at `now`, unless the window is full. */
  take(now: number): boolean {
    if (this.#oldest() > now - this.windowMs) return false;
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.limit;
    return true;
  }

  /** Number of calls that the window still admits at `now`. */
  remaining(now: number): number {
    let free = 0;
    for (const time of this.#times) if (time <= now - this.windowMs) free++;
    return free;
  }

  #oldest(): number {
    return this.#times[this.#next] ?? Number.NEGATIVE_INFINITY;
  }
}

/** One value per client, bounded: the longest idle one is evicted. */
export class PerCaller<T> {
  readonly #values = new Map<string, T>();

  constructor(
    readonly most: number,
    readonly create: () => T,
  ) {}

  of(caller: string): T {
    const value = this.#values.get(caller) ?? this.create();
    this.#values.delete(caller);
    this.#values.set(caller, value);
    bound(this.#values, this.most);
    return value;
  }
}

const CALLERS_PER_ENDPOINT = 1_024;
const ADDRESSES = 256;

/** Result of a check; `remaining` is sent in the answer's header. */
export interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
}

/**
 * The exchange's rate limits: one counter per endpoint and UID or address, and one per address for all endpoints. With `enforce`
 * off it only counts the calls over a limit, which benchmarks of the server itself need.
 */
export class RateLimits {
  readonly #endpoints = new Map<string, PerCaller<SlidingWindow>>();
  readonly #addresses = new PerCaller(ADDRESSES, () => ({
    window: new SlidingWindow(ADDRESS_LIMIT.limit, ADDRESS_LIMIT.windowMs),
    shutOutUntil: Number.NEGATIVE_INFINITY,
  }));
  #violations = 0;

  constructor(
    readonly clock: Clock,
    readonly enforce: boolean,
  ) {}

  get violations(): number {
    return this.#violations;
  }

  /** Counts a call of any kind against its address. */
  admitAddress(address: string): boolean {
    const now = this.clock.now();
    const caller = this.#addresses.of(address);
    if (now < caller.shutOutUntil) return this.#over();
    if (caller.window.take(now)) return true;
    if (this.enforce) caller.shutOutUntil = now + ADDRESS_LIMIT.penaltyMs;
    return this.#over();
  }

  /** Counts a call of `client` (a UID or an address, by the endpoint's limit). */
  admit(endpoint: Endpoint, caller: string, copyTrader: boolean): Verdict {
    const now = this.clock.now();
    const window = this.#counters(endpoint, copyTrader).of(caller);
    if (!window.take(now)) return { allowed: this.#over(), remaining: 0 };
    return { allowed: true, remaining: window.remaining(now) };
  }

  #over(): boolean {
    this.#violations++;
    return !this.enforce;
  }

  #counters({ name, rate }: Endpoint, copyTrader: boolean): PerCaller<SlidingWindow> {
    const limit = copyTrader ? (rate.copyTrader ?? rate.limit) : rate.limit;
    const key = `${name} ${limit}`;
    let counters = this.#endpoints.get(key);
    if (counters === undefined) {
      counters = new PerCaller(CALLERS_PER_ENDPOINT, () => new SlidingWindow(limit, rate.windowMs));
      this.#endpoints.set(key, counters);
    }
    return counters;
  }
}

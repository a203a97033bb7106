import { BoundedMap } from "./boundedMap.js";

/**
 * Knows when what was noted ends. There are few different lifetimes, and what has the same one ends in the order in
 * which it was noted, so nothing is searched for.
 */
export class Expiry {
  /** By lifetime: keys in the order in which they were noted, with the time when they end, Unix ms. */
  readonly #lines = new Map<number, BoundedMap<string, number>>();

  /** Of each lifetime the last `limit` keys are known. */
  constructor(private readonly limit: number) {}

  /** Begins a key's lifetime, or begins it anew. */
  note(key: string, lifetimeMs: number, now: number): void {
    const line = this.#lines.get(lifetimeMs) ?? new BoundedMap<string, number>(this.limit);
    this.#lines.set(lifetimeMs, line);
    line.set(key, now + lifetimeMs);
  }

  /** The keys whose lifetime has ended. Each is given once. */
  *ended(now: number): Iterable<string> {
    for (const line of this.#lines.values()) {
      for (const [key, until] of line) {
        if (until > now) break;
        line.delete(key);
        yield key;
      }
    }
  }
}

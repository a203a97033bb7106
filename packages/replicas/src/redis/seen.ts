import { LEASE_MS, MEMBER_MS } from "./script.js";

/** If a replica has seen the same count for this long, all replicas have: each polls more than twice a second. */
const STABLE_MS = 5_000;

/**
 * A lease and a rest with the longest window of the exchange's limits. After that, no slot of a replica that has gone is occupied.
 */
const OCCUPIED_MS = LEASE_MS + 10_500;

export interface Replicas {
  readonly count: number;
  /** Number of them that sort before this one; undefined if they may not agree on that. */
  readonly place: number | undefined;
}

/** A replica's share of a limit while it cannot ask the others. The remainder goes to the first ones. */
export const partOf = (limit: number, { count, place }: Replicas): number =>
  Math.floor(limit / count) + (place !== undefined && place < limit % count ? 1 : 0);

/**
 * The maximum number of replicas seen recently: a Redis that was emptied at first knows only those that have reconnected, but the
 * others have their share too.
 */
export class Seen {
  /** In the current period, and in the one before. */
  #counts: readonly [number, number] | undefined;
  #beganAt = 0;
  #latest = { count: 0, place: 0, since: 0 };
  /** Counts of the last `OCCUPIED_MS`. */
  #recent: readonly { readonly count: number; readonly at: number }[] = [];

  /** Undefined before the first count. */
  get most(): number | undefined {
    return this.#counts && Math.max(...this.#counts);
  }

  /** The replicas as last seen; `now` is monotonic. Undefined before the first count. */
  replicasAt(now: number): Replicas | undefined {
    const { most } = this;
    const { count, place, since } = this.#latest;
    if (most === undefined) return undefined;
    return { count: most, place: count === most && now - since >= STABLE_MS ? place : undefined };
  }

  /** Number of replicas that may have occupied slots; `now` is monotonic. Without a recent count: of all that were seen. */
  occupyingAt(now: number): number {
    const counts = this.#recent.filter(({ at }) => at > now - OCCUPIED_MS).map(({ count }) => count);
    return counts.length === 0 ? (this.most ?? 0) : Math.max(...counts);
  }

  /** Adds a count; `now` is monotonic. */
  add({ count, place }: { readonly count: number; readonly place: number }, now: number): void {
    const [latest, before] = this.#counts ?? [1, 1];
    if (this.#counts === undefined || now - this.#beganAt >= MEMBER_MS) {
      this.#counts = [count, latest];
      this.#beganAt = now;
    } else this.#counts = [Math.max(latest, count), before];
    this.#recent = [...this.#recent.filter(({ at }) => at > now - OCCUPIED_MS), { count, at: now }];
    if (count !== this.#latest.count || place !== this.#latest.place) this.#latest = { count, place, since: now };
  }
}

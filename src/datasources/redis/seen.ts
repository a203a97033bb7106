import { MEMBER_MS } from "./engineScripts.js";

/** Whoever has seen the same for so long knows that all replicas have: each looks more than twice a second. */
const STABLE_MS = 5_000;

/** Replicas that there were. */
export interface Replicas {
  readonly count: number;
  /** How many of them come before this one; nothing where they may not agree on that. */
  readonly place: number | undefined;
}

/** A replica's part of a limit where it cannot ask the others. What is left over goes to those that come first. */
export const partOf = (limit: number, { count, place }: Replicas): number =>
  Math.floor(limit / count) + (place !== undefined && place < limit % count ? 1 : 0);

/**
 * The most replicas that were seen of late: an engine that was emptied knows at first only those that have come back to it, and the
 * others have their share all the same.
 */
export class Seen {
  /** In the stretch of time that goes on, and in the one before. */
  #counts: readonly [number, number] | undefined;
  #beganAt = 0;
  #latest = { count: 0, place: 0, since: 0 };

  /** Nothing as long as none were counted. */
  get most(): number | undefined {
    return this.#counts && Math.max(...this.#counts);
  }

  /** As they were last seen; `now` by the monotonic clock. Nothing as long as none were. */
  replicasAt(now: number): Replicas | undefined {
    const { most } = this;
    const { count, place, since } = this.#latest;
    if (most === undefined) return undefined;
    return { count: most, place: count === most && now - since >= STABLE_MS ? place : undefined };
  }

  /** Those that were counted; `now` by the monotonic clock. */
  add({ count, place }: { readonly count: number; readonly place: number }, now: number): void {
    const [latest, before] = this.#counts ?? [1, 1];
    if (this.#counts === undefined || now - this.#beganAt >= MEMBER_MS) {
      this.#counts = [count, latest];
      this.#beganAt = now;
    } else this.#counts = [Math.max(latest, count), before];
    if (count !== this.#latest.count || place !== this.#latest.place) this.#latest = { count, place, since: now };
  }
}

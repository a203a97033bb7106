import { MEMBER_MS } from "./engineScripts.js";

/**
 * The most replicas that were seen of late: an engine that was emptied knows at first only those that have come back to it, and the
 * others have their share all the same.
 */
export class Seen {
  /** In the stretch of time that goes on, and in the one before. */
  #counts: readonly [number, number] | undefined;
  #beganAt = 0;

  /** Nothing as long as none were counted. */
  get most(): number | undefined {
    return this.#counts && Math.max(...this.#counts);
  }

  /** So many were counted; `now` by the monotonic clock. */
  add(count: number, now: number): void {
    const [latest, before] = this.#counts ?? [1, 1];
    if (this.#counts === undefined || now - this.#beganAt >= MEMBER_MS) {
      this.#counts = [count, latest];
      this.#beganAt = now;
    } else this.#counts = [Math.max(latest, count), before];
  }
}

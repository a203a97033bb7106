import { type Clock, MINUTE_MS } from "@exchange-graph/contract/clock";

/** Limits a kind of log line to one per minute, for events that repeat several times a second. */
export class OncePerMinute {
  readonly #loggedAt = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Whether a line of this kind is due; if so, its minute starts. Kinds are few, such as endpoints, and never dropped. */
  isDue(kind = ""): boolean {
    const now = this.clock.now();
    if (now - (this.#loggedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return false;
    this.#loggedAt.set(kind, now);
    return true;
  }
}

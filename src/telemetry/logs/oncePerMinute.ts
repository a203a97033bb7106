import { type Clock, MINUTE_MS } from "@exchange-graph/contract/clock";

/** Lets one line of a kind through in a minute, for what happens several times a second while it lasts. */
export class OncePerMinute {
  readonly #loggedAt = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Is a line of this kind due? Then its minute begins. Kinds are few, such as endpoints, and all are kept. */
  isDue(kind = ""): boolean {
    const now = this.clock.now();
    if (now - (this.#loggedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return false;
    this.#loggedAt.set(kind, now);
    return true;
  }
}

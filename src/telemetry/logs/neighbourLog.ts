import { type Clock, MINUTE_MS } from "@exchange-graph/contract/clock";
import type { Logger } from "./log.js";

/** Writes down, once a minute at most, that somebody else spends the exchange's rate limits. */
export class NeighbourLog {
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly log: Logger,
    private readonly clock: Clock,
  ) {}

  noticed(counter: string, share: number): void {
    const now = this.clock.now();
    if (now - this.#loggedAt < MINUTE_MS) return;
    this.#loggedAt = now;
    this.log.warn({ counter, share }, "somebody else spends the same rate limits: a part of them is left unused");
  }
}

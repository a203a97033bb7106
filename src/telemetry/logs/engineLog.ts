import type { Clock } from "@exchange-graph/contract/clock";
import type { EngineNews } from "../../instrumentation/events.js";
import type { Logger } from "./log.js";

/** It is tried again several times a second: one line a minute says enough. */
const QUIET_MS = 60_000;

/** Writes down when what replicas share is out of reach, and when it is there again. */
export class EngineLog {
  #loggedAt = Number.NEGATIVE_INFINITY;
  #isToldDown = false;

  constructor(
    private readonly log: Logger,
    private readonly clock: Clock,
  ) {}

  heard(said: EngineNews): void {
    if (said.news === "up") this.#up(said.isNew);
    else this.#down(said.why);
  }

  #up(isNew: boolean): void {
    if (isNew) this.log.warn("redis was emptied, or another server has taken its place: for a moment nothing new is granted");
    if (this.#isToldDown) this.log.info("redis can be reached again");
    this.#isToldDown = false;
  }

  #down(why: string): void {
    const now = this.clock.now();
    if (now - this.#loggedAt < QUIET_MS) return;
    this.#loggedAt = now;
    this.#isToldDown = true;
    this.log.warn({ why }, "redis cannot be reached: this replica goes on by itself");
  }
}

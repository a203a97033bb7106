import type { EventEmitter } from "node:events";
import { ANY_CALLER } from "../principal/caller.js";
import { OpenCounts } from "./openCounts.js";

/** What each caller may hold open at the same time. Whoever asks a gateway without callers may hold any number. */
export class CallerSeats {
  readonly #taken = new OpenCounts();

  constructor(readonly limit: number) {}

  /** Takes a seat for as long as a connection is open; false when there is none left. */
  take(principal: string, connection: EventEmitter): boolean {
    if (principal === ANY_CALLER.principal) return true;
    if (this.#taken.of(principal) >= this.limit) return false;
    this.#taken.add(principal, connection);
    return true;
  }
}

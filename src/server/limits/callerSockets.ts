import type { WebSocket } from "ws";
import { ANY_CALLER } from "../caller.js";
import { OpenCounts } from "./openCounts.js";

/** Counts the sockets of each caller. */
export class CallerSockets {
  readonly #open = new OpenCounts();

  constructor(private readonly limit: number) {}

  /** Takes a place for as long as the socket is open; false when there is none left. */
  take(principal: string, socket: WebSocket): boolean {
    if (principal === ANY_CALLER.principal) return true;
    if (this.#open.of(principal) >= this.limit) return false;
    this.#open.add(principal, socket);
    return true;
  }
}

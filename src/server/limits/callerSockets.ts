import type { WebSocket } from "ws";
import { ANY_CALLER } from "../caller.js";

/** Counts the sockets of each caller. Holds as many entries as there are sockets. */
export class CallerSockets {
  readonly #open = new Map<string, number>();

  constructor(private readonly limit: number) {}

  /** Takes a place for as long as the socket is open; false when there is none left. */
  take(principal: string, socket: WebSocket): boolean {
    if (principal === ANY_CALLER.principal) return true;
    const open = this.#open.get(principal) ?? 0;
    if (open >= this.limit) return false;
    this.#open.set(principal, open + 1);
    socket.once("close", () => {
      const left = (this.#open.get(principal) ?? 1) - 1;
      if (left === 0) this.#open.delete(principal);
      else this.#open.set(principal, left);
    });
    return true;
  }
}

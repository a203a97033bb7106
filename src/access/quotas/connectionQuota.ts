import type { EventEmitter } from "node:events";
import { ANONYMOUS_CLIENT } from "../principal/clientPrincipal.js";
import { OpenCounts } from "./openCounts.js";

/** What each client may hold open at the same time. Whoever asks a gateway without clients may hold any number. */
export class ConnectionQuota {
  readonly #taken = new OpenCounts();

  constructor(readonly limit: number) {}

  /** Takes a seat for as long as a connection is open; false when there is none left. */
  take(principalId: string, connection: EventEmitter): boolean {
    if (principalId === ANONYMOUS_CLIENT.id) return true;
    if (this.#taken.of(principalId) >= this.limit) return false;
    this.#taken.add(principalId, connection);
    return true;
  }
}

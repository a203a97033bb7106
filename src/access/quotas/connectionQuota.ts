import type { EventEmitter } from "node:events";
import type { OpenConnectionStore } from "../../datasources/ports/openConnectionStore.js";
import { ANONYMOUS_CLIENT } from "../principal/clientPrincipal.js";
import { OpenCounts } from "./openCounts.js";

/** What each client may hold open at the same time. Whoever asks a gateway without clients may hold any number. */
export class ConnectionQuota {
  readonly #taken = new OpenCounts();

  /** `store` counts the connections at other replicas; there are none if it is left out. */
  constructor(
    readonly limit: number,
    private readonly store?: OpenConnectionStore | undefined,
  ) {}

  /** Counts a connection while it is open; false when the client may open no more. */
  async take(principalId: string, connection: EventEmitter): Promise<boolean> {
    if (principalId === ANONYMOUS_CLIENT.id) return true;
    if (this.#taken.of(principalId) >= this.limit) return false;
    const own = this.#taken.add(principalId, connection);
    if (this.store === undefined) return true;
    connection.once("close", () => this.store?.noted(principalId, this.#taken.of(principalId)));
    return await this.store.take(principalId, own, this.limit);
  }
}

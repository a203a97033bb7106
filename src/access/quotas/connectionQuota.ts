import type { EventEmitter } from "node:events";
import { ANONYMOUS_CLIENT } from "../principal/clientPrincipal.js";
import type { OpenConnectionStore } from "./openConnectionStore.js";
import { OpenCounts } from "./openCounts.js";

/** Limits the open connections of each client. Without configured clients there is no limit. */
export class ConnectionQuota {
  readonly #taken = new OpenCounts();

  /** `store` counts the connections at other replicas. Default: only this process's connections count. */
  constructor(
    readonly limit: number,
    private readonly store?: OpenConnectionStore | undefined,
  ) {}

  /** Counts a connection until it closes; false if the client may open no more. */
  async take(principalId: string, connection: EventEmitter): Promise<boolean> {
    if (principalId === ANONYMOUS_CLIENT.id) return true;
    if (this.#taken.of(principalId) >= this.limit) return false;
    const own = this.#taken.add(principalId, connection);
    if (this.store === undefined) return true;
    connection.once("close", () => this.store?.noted(principalId, this.#taken.of(principalId)));
    return await this.store.take(principalId, own, this.limit);
  }
}

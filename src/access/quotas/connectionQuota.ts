import type { EventEmitter } from "node:events";
import { ANONYMOUS_CLIENT } from "../principal/clientPrincipal.js";

/** Counts the open connections of clients over all replicas. */
export interface OpenConnectionStore {
  /**
   * Whether a client may open one more connection. `own`: its connections at this replica including the new one; `most`: the
   * maximum over all replicas. It counts until `noted` reports fewer, or this replica is gone. While the others cannot be
   * counted, the answer is true.
   */
  take(client: string, own: number, most: number): Promise<boolean>;
  /** Reports the number of a client's open connections at this replica. */
  noted(client: string, own: number): void;
}

/** Counts open connections per owner. It has one entry per owner with open connections. */
export class OpenCounts {
  readonly #counts = new Map<string, number>();

  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  /** Counts one more until it emits `close`; returns the number including it. */
  add(owner: string, one: EventEmitter): number {
    const count = this.of(owner) + 1;
    this.#counts.set(owner, count);
    one.once("close", () => {
      const left = this.of(owner) - 1;
      if (left === 0) this.#counts.delete(owner);
      else this.#counts.set(owner, left);
    });
    return count;
  }
}

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

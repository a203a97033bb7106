import type { Duplex } from "node:stream";
import type { Clock } from "@exchange-graph/contract/clock";
import type { Clients } from "../../access/clients.js";
import type { ConnectionQuota } from "../../access/quotas/connectionQuota.js";
import type { Engine } from "../../engine/engine.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { AllowedHosts, AllowedOrigins } from "./hostsAndOrigins.js";

/** Closed connections per turn. Closing one takes about a tenth of a millisecond. */
const PER_TURN = 8;

/** Closes unwanted connections a few per turn of the event loop, so that a large number of them does not delay others. */
export class Shedding {
  readonly #waiting = new Map<Duplex, () => void>();

  /** Calls `end` soon, unless the connection has closed by then. */
  add(connection: Duplex, end: () => void): void {
    if (this.#waiting.size === 0) setImmediate(this.#slice);
    this.#waiting.set(connection, end);
  }

  readonly #slice = (): void => {
    let ended = 0;
    for (const [connection, end] of this.#waiting) {
      this.#waiting.delete(connection);
      if (connection.destroyed) continue;
      end();
      if (++ended === PER_TURN) break;
    }
    if (this.#waiting.size > 0) setImmediate(this.#slice);
  };
}

/** Maximum length of an operation's id, which every message of the operation contains. */
export const MAX_ID_LENGTH = 200;

/** Parts of one server that all transports share. */
export interface ArrivalParts {
  readonly engine: Engine;
  readonly clients: Clients;
  /** For sockets and event streams together. */
  readonly connectionQuota: ConnectionQuota;
  readonly clock: Clock;
  readonly instrumentation: Instrumentation;
  readonly nextRequestId: () => string;
  readonly origins: AllowedOrigins;
  /** Host names whose requests are answered. */
  readonly names: AllowedHosts;
  /** Closes connections that sent no complete request, and sockets that sent no `connection_init`. */
  readonly shedding: Shedding;
  readonly maxBodyBytes: number;
}

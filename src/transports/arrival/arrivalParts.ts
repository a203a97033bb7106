import type { Clock } from "@exchange-graph/contract/clock";
import type { Clients } from "../../access/clients.js";
import type { ConnectionQuota } from "../../access/quotas/connectionQuota.js";
import type { Engine } from "../../engine/engine.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { AllowedHosts, AllowedOrigins } from "./hostsAndOrigins.js";
import type { Shedding } from "./shedding.js";

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

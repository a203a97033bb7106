import type { Clock } from "@exchange-graph/contract/clock";
import type { Clients } from "../../access/clients.js";
import type { ConnectionQuota } from "../../access/quotas/connectionQuota.js";
import type { Engine } from "../../engine/engine.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { AllowedHosts } from "../http/allowedHosts.js";
import type { AllowedOrigins } from "../http/allowedOrigins.js";
import type { Shedding } from "../http/shedding.js";

/** Maximum length of an operation's id, which every message of the operation contains. */
export const MAX_ID_LENGTH = 200;

/** Parts that sockets and event streams share. */
export interface Execution {
  readonly engine: Engine;
  readonly clients: Clients;
  /** For sockets and event streams together. */
  readonly connectionQuota: ConnectionQuota;
  readonly clock: Clock;
  readonly instrumentation: Instrumentation;
  readonly nextRequestId: () => string;
  readonly origins: AllowedOrigins;
  readonly names: AllowedHosts;
  /** Closes sockets that sent no `connection_init`. */
  readonly shedding: Shedding;
}

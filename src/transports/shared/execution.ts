import type { Clock } from "@exchange-graph/contract/clock";
import type { Clients } from "../../access/clients.js";
import type { ConnectionQuota } from "../../access/quotas/connectionQuota.js";
import type { Engine } from "../../engine/engine.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { AllowedHosts } from "../http/allowedHosts.js";
import type { AllowedOrigins } from "../http/allowedOrigins.js";
import type { Shedding } from "../http/shedding.js";

/** Every message of an operation carries its id: longer ones help nobody. */
export const MAX_ID_LENGTH = 200;

/** What sockets and event streams have in common. */
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
  /** Takes sockets that never said hello. */
  readonly shedding: Shedding;
}

import type { Clock } from "@exchange-graph/contract/clock";
import type { Callers } from "../../access/callers.js";
import type { AuditTrail } from "../../access/principal/auditTrail.js";
import type { CallerSeats } from "../../access/quotas/callerSeats.js";
import type { Engine } from "../../engine/engine.js";
import type { AllowedOrigins } from "../http/allowedOrigins.js";
import type { ServedNames } from "../http/servedNames.js";
import type { Shedding } from "../http/shedding.js";

/** Every message of an operation carries its id: longer ones help nobody. */
export const MAX_ID_LENGTH = 200;

/** What sockets and event streams have in common. */
export interface Execution {
  readonly engine: Engine;
  readonly callers: Callers;
  /** For sockets and event streams together. */
  readonly seats: CallerSeats;
  readonly clock: Clock;
  readonly audit: AuditTrail;
  readonly nextRequestId: () => string;
  readonly origins: AllowedOrigins;
  readonly names: ServedNames;
  /** Takes sockets that never said hello. */
  readonly shedding: Shedding;
}

import { SOCKET_LIMITS, type SocketLimits } from "../subscriptions/socketServer.js";
import { type CallerLimits, NO_CALLER_LIMITS } from "./callerBudgets.js";
import { CONNECTION_LIMITS, type ConnectionLimits } from "./connections.js";
import { COST_LIMITS, type CostLimits } from "./cost/operationCosts.js";
import { DOCUMENT_LIMITS, type DocumentLimits } from "./documentLimits.js";

/** Everything that bounds what a client can make the gateway do. */
export interface Limits {
  readonly document: DocumentLimits;
  readonly cost: CostLimits;
  readonly caller: CallerLimits;
  readonly connection: ConnectionLimits;
  readonly socket: SocketLimits;
}

export const LIMITS: Limits = {
  document: DOCUMENT_LIMITS,
  cost: COST_LIMITS,
  caller: NO_CALLER_LIMITS,
  connection: CONNECTION_LIMITS,
  socket: SOCKET_LIMITS,
};

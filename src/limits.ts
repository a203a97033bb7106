import { type ClientLimits, NO_CLIENT_LIMITS } from "./access/quotas/clientBudgets.js";
import { COST_LIMITS, type CostLimits } from "./engine/cost/operationCosts.js";
import { DOCUMENT_LIMITS, type DocumentLimits } from "./engine/documents/documentLimits.js";
import { LOAD_LIMITS, type LoadLimits } from "./engine/load/load.js";
import { CONNECTION_LIMITS, type ConnectionLimits } from "./transports/http/connectionLimits.js";
import { SOCKET_LIMITS, type SocketLimits } from "./transports/websocket/socketServer.js";

/** Limits on clients. */
interface Limits {
  readonly document: DocumentLimits;
  readonly cost: CostLimits;
  readonly load: LoadLimits;
  readonly principal: ClientLimits;
  readonly connection: ConnectionLimits;
  readonly socket: SocketLimits;
}

/** Limits with optional entries. */
export type GivenLimits = { readonly [Kind in keyof Limits]?: Partial<Limits[Kind]> };

/** Adds the defaults. */
export const limitsWith = (given: GivenLimits = {}): Limits => ({
  document: { ...LIMITS.document, ...given.document },
  cost: { ...LIMITS.cost, ...given.cost },
  load: { ...LIMITS.load, ...given.load },
  principal: { ...LIMITS.principal, ...given.principal },
  connection: { ...LIMITS.connection, ...given.connection },
  socket: { ...LIMITS.socket, ...given.socket },
});

/** Default limits. */
export const LIMITS: Limits = {
  document: DOCUMENT_LIMITS,
  cost: COST_LIMITS,
  load: LOAD_LIMITS,
  principal: NO_CLIENT_LIMITS,
  connection: CONNECTION_LIMITS,
  socket: SOCKET_LIMITS,
};

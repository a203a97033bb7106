import { type ClientLimits, NO_CLIENT_LIMITS } from "./access/quotas/clientBudgets.js";
import { COST_LIMITS, type CostLimits } from "./engine/cost/operationCosts.js";
import { DOCUMENT_LIMITS, type DocumentLimits } from "./engine/documents/documentLimits.js";
import { LOAD_LIMITS, type LoadLimits } from "./engine/load/load.js";
import { CONNECTION_LIMITS, type ConnectionLimits } from "./transports/http/connectionLimits.js";
import { SOCKET_LIMITS, type SocketLimits } from "./transports/websocket/socketServer.js";

interface Limits {
  readonly document: DocumentLimits;
  readonly cost: CostLimits;
  readonly load: LoadLimits;
  readonly principal: ClientLimits;
  readonly connection: ConnectionLimits;
  readonly socket: SocketLimits;
}

/** Limits with optional entries. */
export type LimitOverrides = { readonly [Kind in keyof Limits]?: Partial<Limits[Kind]> };

/** Adds the defaults. */
export const limitsWith = (overrides: LimitOverrides = {}): Limits => ({
  document: { ...LIMITS.document, ...overrides.document },
  cost: { ...LIMITS.cost, ...overrides.cost },
  load: { ...LIMITS.load, ...overrides.load },
  principal: { ...LIMITS.principal, ...overrides.principal },
  connection: { ...LIMITS.connection, ...overrides.connection },
  socket: { ...LIMITS.socket, ...overrides.socket },
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

import { NO_CLIENT_LIMITS } from "./access/quotas/clientBudgets.js";
import { COST_LIMITS } from "./engine/cost/operationCosts.js";
import { DOCUMENT_LIMITS } from "./engine/documents/documentLimits.js";
import { LOAD_LIMITS } from "./engine/load/load.js";
import { CONNECTION_LIMITS } from "./transports/http/connectionLimits.js";
import { SOCKET_LIMITS } from "./transports/websocket/socketServer.js";

/** Default limits. */
export const LIMITS = {
  document: DOCUMENT_LIMITS,
  cost: COST_LIMITS,
  load: LOAD_LIMITS,
  principal: NO_CLIENT_LIMITS,
  connection: CONNECTION_LIMITS,
  socket: SOCKET_LIMITS,
};

type Limits = typeof LIMITS;

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

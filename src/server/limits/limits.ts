import { SOCKET_LIMITS, type SocketLimits } from "../subscriptions/socketServer.js";
import { CONNECTION_LIMITS, type ConnectionLimits } from "./connections.js";
import { DOCUMENT_LIMITS, type DocumentLimits } from "./documentLimits.js";

/** Everything that bounds what a client can make the gateway do. */
export interface Limits {
  readonly document: DocumentLimits;
  readonly connection: ConnectionLimits;
  readonly socket: SocketLimits;
}

export const LIMITS: Limits = { document: DOCUMENT_LIMITS, connection: CONNECTION_LIMITS, socket: SOCKET_LIMITS };

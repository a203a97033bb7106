import type { Server, ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { OpenCounts } from "../../access/quotas/openCounts.js";

/** How long clients may take for what they have to say, and how many connections they may hold. Times in ms. */
export interface ConnectionLimits {
  /** For the handshake of TLS, and from there, from the start of a connection, or of a request on it, to the end of its headers. */
  readonly headersMs: number;
  /** From the same moment to the end of its body. */
  readonly requestMs: number;
  /** From an answer to the next request. Longer than proxies wait: one that we close first may carry a request already. */
  readonly keepAliveMs: number;
  /** At the same time, in all and from one address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
}

/** The defaults. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 5_000,
  requestMs: 6_000,
  keepAliveMs: 72_000,
  connections: 20_000,
  connectionsPerAddress: 20_000,
};

/** How often slow connections are looked for, ms: often, so that each time there are few. */
const CHECK_MS = 50;

/** What Node watches over by itself, whatever state a connection is in. */
export const timeoutsOf = ({
  headersMs,
  requestMs,
  keepAliveMs,
}: ConnectionLimits): ServerOptions & { readonly handshakeTimeout: number } => ({
  handshakeTimeout: headersMs,
  headersTimeout: Math.min(headersMs, requestMs),
  requestTimeout: requestMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: Math.min(CHECK_MS, headersMs),
});

/** Ends connections beyond the limits as they come, before a byte of theirs is read. */
export function limitConnections(server: Server, { connections, connectionsPerAddress }: ConnectionLimits): void {
  const open = new OpenCounts();
  server.maxConnections = connections;
  server.on("connection", (socket: Socket) => {
    if (open.add(socket.remoteAddress ?? "", socket) > connectionsPerAddress) socket.destroy();
  });
}

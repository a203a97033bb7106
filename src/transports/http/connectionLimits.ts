import type { Server, ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { OpenCounts } from "../../access/quotas/connectionQuota.js";

/** Timeouts and numbers of connections. Times in ms. */
export interface ConnectionLimits {
  /** For the TLS handshake; and from the start of a connection or request to the end of the request's headers. */
  readonly headersMs: number;
  /** From the same start to the end of the request's body. */
  readonly requestMs: number;
  /**
   * From an answer to the next request. It should exceed the idle timeout of proxies, because a connection that the server closes
   * may already carry a request.
   */
  readonly keepAliveMs: number;
  /** Maximum number at the same time, in total and per address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
}

/** Default limits. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 5_000,
  requestMs: 6_000,
  keepAliveMs: 72_000,
  connections: 20_000,
  connectionsPerAddress: 20_000,
};

/** Interval of checks for slow connections, in ms: short, so that each check closes few. */
const CHECK_MS = 50;

/** Timeouts that Node enforces itself. */
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

/** Closes new connections beyond the limits before reading from them. */
export function limitConnections(server: Server, { connections, connectionsPerAddress }: ConnectionLimits): void {
  const open = new OpenCounts();
  server.maxConnections = connections;
  server.on("connection", (socket: Socket) => {
    if (open.add(socket.remoteAddress ?? "", socket) > connectionsPerAddress) socket.destroy();
  });
}

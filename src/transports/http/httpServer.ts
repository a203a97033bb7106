import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import { Server as NetServer } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { WebSocketsOnly } from "@exchange-graph/contract/webSocketsOnly";
import type { TlsMaterial } from "../../config/tls.js";

/** TLS 1.3, and the cipher suites of TLS 1.2 with authenticated encryption and forward secrecy. */
const CIPHERS = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

const contextOf = ({ cert, key, clientCa }: TlsMaterial): SecureContextOptions => ({
  cert,
  key,
  minVersion: "TLSv1.2",
  ciphers: CIPHERS,
  ...(clientCa === undefined ? {} : { ca: clientCa }),
});

/** A server for HTTP, or for HTTP over TLS. `handshakeTimeout` is the maximum time of a TLS handshake, in ms. */
export function createHttpServer(given: ServerOptions & { readonly handshakeTimeout: number }, tls?: TlsMaterial): Server {
  const options = { ...given, IncomingMessage: WebSocketsOnly };
  if (tls === undefined) return createServer(options);
  const asksClients = tls.clientCa !== undefined;
  return createTlsServer({ ...options, ...contextOf(tls), requestCert: asksClients, rejectUnauthorized: asksClients });
}

/**
 * Accepts no new connections; requests on open ones are still read, which Node's own `close` of an HTTP server would reset.
 * Resolves when all are closed.
 */
export const stopListening = (server: Server): Promise<void> =>
  new Promise((closed) => {
    NetServer.prototype.close.call(server, () => closed());
  });

/** Uses this certificate for new connections; open ones are kept. */
export function renewTls(server: Server, tls: TlsMaterial): void {
  if (!(server instanceof TlsServer)) throw new Error("the server speaks no TLS");
  server.setSecureContext(contextOf(tls));
}

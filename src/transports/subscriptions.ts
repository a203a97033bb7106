import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { FanOut } from "../engine/subscriptions/fanOut.js";
import type { ArrivalParts } from "./arrival/arrivalParts.js";
import { EventStreams } from "./sse/eventStreams.js";
import { type SocketLimits, type SocketServer, serveSockets } from "./websocket/socketServer.js";

/** The sockets and event streams of one server. */
export interface Subscriptions extends SocketServer {
  readonly fanOut: FanOut;
  stream(request: IncomingMessage, response: ServerResponse): void;
}

/** Serves operations over WebSockets and event streams of an HTTP server. `report` is called when a connection fails. */
export function serveSubscriptions(
  server: Server,
  parts: ArrivalParts,
  limits: SocketLimits,
  report: (error: unknown) => void,
): Subscriptions {
  const sockets = serveSockets(server, parts, limits, report);
  const streams = new EventStreams(parts, limits, report);
  return {
    fanOut: parts.engine.fanOut,
    get connections() {
      return sockets.connections + streams.open;
    },
    stream: (request, response) => streams.serve(request, response),
    async close() {
      streams.close();
      await sockets.close();
    },
  };
}

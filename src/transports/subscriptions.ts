import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { ConnectionQuota } from "../access/quotas/connectionQuota.js";
import type { OpenConnectionStore } from "../access/quotas/openConnectionStore.js";
import type { FanOut } from "../engine/subscriptions/fanOut.js";
import type { Execution } from "./shared/execution.js";
import { EventStreams } from "./sse/eventStreams.js";
import { SOCKET_LIMITS, type SocketLimits, type SocketServer, serveSockets } from "./websocket/socketServer.js";

interface SubscriptionOptions extends Omit<Execution, "connectionQuota"> {
  /** Called when a connection fails. */
  readonly report: (error: unknown) => void;
  readonly maxBodyBytes: number;
  readonly limits?: Partial<SocketLimits>;
  /** Open connections of clients at other replicas. Default: none. */
  readonly openConnections?: OpenConnectionStore | undefined;
}

/** The sockets and event streams of one server. */
export interface Subscriptions extends SocketServer {
  readonly fanOut: FanOut;
  /** Answers a request for an event stream. */
  stream(request: IncomingMessage, response: ServerResponse): void;
}

/** Serves operations over WebSockets and event streams of an HTTP server. */
export function serveSubscriptions(server: Server, options: SubscriptionOptions): Subscriptions {
  const { report, maxBodyBytes, engine } = options;
  const limits = { ...SOCKET_LIMITS, ...options.limits };
  const connectionQuota = new ConnectionQuota(limits.connectionsPerClient, options.openConnections);
  const execution: Execution = { ...options, connectionQuota };
  const sockets = serveSockets(server, execution, limits, report);
  const streams = new EventStreams(execution, { ...limits, maxBodyBytes }, report);
  return {
    fanOut: engine.fanOut,
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

import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLSchema } from "graphql";
import { type ConnectionInitMessage, GRAPHQL_TRANSPORT_WS_PROTOCOL, type ServerOptions } from "graphql-ws";
import { type Extra, useServer as serveProtocol } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";
import { formatError } from "../formatError.js";
import { type FanOut, groupKey } from "./fanOut.js";
import type { Attempt } from "./group.js";
import type { Seat } from "./member.js";
import { Documents, paceOf } from "./operation.js";

export interface SocketLimits {
  /** Sockets at the same time, in all and from one address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Operations at the same time on one socket. */
  readonly operations: number;
  readonly maxMessageBytes: number;
  /** How long a socket may take to say hello. */
  readonly helloMs: number;
  readonly keepAliveMs: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  connections: 10_000,
  connectionsPerAddress: 10_000,
  operations: 100,
  maxMessageBytes: 256 * 1024,
  helloMs: 3_000,
  keepAliveMs: 12_000,
};

/** Close code of a socket that holds more operations than it may. */
export const TOO_MANY_OPERATIONS = 4430;

export interface SocketOptions {
  readonly schema: GraphQLSchema;
  readonly fanOut: FanOut;
  /** One operation of this principal: its context, and what its stream says of itself. */
  readonly attempt: (args: ExecutionArgs) => Attempt;
  /** Everybody who may reach the port is one principal as long as there are no callers. */
  readonly principal: string;
  readonly limits: SocketLimits;
  /** A mutation has been executed. */
  readonly written: () => void;
  readonly report: (error: unknown) => void;
}

export interface SocketServer {
  readonly connections: number;
  /** Closes every socket in order. */
  close(): Promise<void>;
}

/**
 * `graphql-transport-ws` under `/graphql`. The protocol (hello, pings, duplicate ids, completion) is `graphql-ws`'s; of
 * subscriptions only the `next` frames are ours, see `FanOut`.
 */
export function serveSockets(server: Server, options: SocketOptions): SocketServer {
  const { limits, fanOut, schema } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.maxMessageBytes,
    handleProtocols: (offered) => (offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false),
  });
  const documents = new Documents(schema);
  const seats = new WeakMap<object, { readonly key: string; readonly seat: Seat; readonly pace: ReturnType<typeof paceOf> }>();
  const perAddress = new Map<string, number>();

  const protocol: ServerOptions<ConnectionInitMessage["payload"], Extra> = {
    connectionInitWaitTimeout: limits.helloMs,
    onSubscribe: ({ extra, subscriptions }, id, asked) => {
      if (Object.keys(subscriptions).length > limits.operations) {
        extra.socket.close(TOO_MANY_OPERATIONS, `more than ${limits.operations} operations at once`);
        return [];
      }
      const read = documents.read(asked);
      if (!("document" in read)) return read;
      const args: ExecutionArgs = {
        schema,
        document: read.document,
        operationName: asked.operationName,
        variableValues: asked.variables,
      };
      const { operation } = read.operation;
      if (operation === "mutation") options.written();
      if (operation !== "subscription") return options.attempt(args).args;
      const seat: Seat = { id, socket: extra.socket, connection: extra.request.socket };
      seats.set(args, { key: groupKey(options.principal, args, asked.query), seat, pace: paceOf(args, read.operation) });
      return args;
    },
    execute: async (args: ExecutionArgs) => execute(args),
    subscribe: async (args: ExecutionArgs): Promise<AsyncGenerator<ExecutionResult> | ExecutionResult> => {
      const seated = seats.get(args);
      if (seated === undefined) throw new Error("a subscription without a seat");
      return fanOut.join(seated.key, seated.pace, () => options.attempt(args), seated.seat);
    },
    onNext: (_context, _id, _payload, _args, { data = null, errors }) =>
      errors === undefined ? undefined : { data, errors: errors.map(formatError) },
    onError: (_context, _id, _payload, errors) => errors.map(formatError),
  };
  const running = serveProtocol(protocol, sockets, limits.keepAliveMs);

  const upgrade = (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
    const address = request.socket.remoteAddress ?? "";
    const open = perAddress.get(address) ?? 0;
    if (request.url?.split("?", 1)[0] !== "/graphql") {
      refuse(connection, "404 Not Found");
      return;
    }
    if (sockets.clients.size >= limits.connections || open >= limits.connectionsPerAddress) {
      refuse(connection, "503 Service Unavailable");
      return;
    }
    perAddress.set(address, open + 1);
    request.socket.once("close", () => {
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
    });
    sockets.handleUpgrade(request, connection, head, (socket) => {
      socket.on("error", options.report);
      sockets.emit("connection", socket, request);
    });
  };
  server.on("upgrade", upgrade);

  return {
    get connections() {
      return sockets.clients.size;
    },
    async close() {
      server.off("upgrade", upgrade);
      await running.dispose();
    },
  };
}

function refuse(connection: Duplex, status: string): void {
  connection.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

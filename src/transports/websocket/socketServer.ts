import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL } from "graphql-ws";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { OpenCounts } from "../../access/quotas/connectionQuota.js";
import { MAX_UNSENT_BYTES } from "../../engine/subscriptions/subscriberSink.js";
import { type HttpAnswer, refusal } from "../arrival/answer.js";
import { Arrival } from "../arrival/arrival.js";
import type { ArrivalParts } from "../arrival/arrivalParts.js";
import { useOriginForm } from "../arrival/hostsAndOrigins.js";
import { plainAnswer } from "../http/brokenRequests.js";
import { leaveEnded, socketProtocol } from "./protocol.js";
import { closeSocket, TOO_SLOW } from "./socketSink.js";

/** Error of `graphql-ws` when a client sends a message that only servers send. */
const WRONG_WAY = /^Unexpected message of type \w+ received$/;

/** Connects a socket to the protocol, and detects when its other end is gone. */
function serveSocket(
  protocol: ReturnType<typeof socketProtocol>,
  socket: WebSocket,
  arrival: Arrival,
  { clock, shedding }: ArrivalParts,
  keepAliveMs: number,
  report: (error: unknown) => void,
): void {
  const { socket: connection } = arrival.request;
  const fail = (error: unknown): void => {
    if (error instanceof Error && WRONG_WAY.test(error.message)) {
      closeSocket(socket, CloseCode.BadRequest, error.message, clock);
      return;
    }
    report(error);
    closeSocket(socket, CloseCode.InternalServerError, "Internal server error", clock);
  };
  // A socket that has sent nothing gets the close reason, and its reply is not awaited.
  const shed = (reason: string): void =>
    shedding.add(connection, () => {
      socket.close(CloseCode.ConnectionInitialisationTimeout, reason);
      socket.terminate();
    });
  const send = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const isTooSlow = socket.readyState === socket.OPEN && connection.writableLength > MAX_UNSENT_BYTES;
      if (isTooSlow) closeSocket(socket, TOO_SLOW, "too slow for what it asks for", clock);
      if (socket.readyState === socket.OPEN) socket.send(text, (error) => (error ? reject(error) : resolve()));
      else resolve();
    });
  const extra = { socket, arrival, places: new Map(), backlog: { bytes: 0 }, send };
  /** The last message that waits for its turn. */
  let waiting: Promise<void> | undefined;
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send,
      close: (code, reason) =>
        code === CloseCode.ConnectionInitialisationTimeout
          ? shed(reason ?? "")
          : closeSocket(socket, code ?? CloseCode.InternalServerError, reason ?? "", clock),
      onMessage: (handle) => {
        const take = (message: RawData): void => {
          // Messages after closing are not read.
          if (socket.readyState !== socket.OPEN) return;
          void handle(String(message)).catch(fail);
          leaveEnded(extra);
        };
        socket.on("message", (message) => {
          const turn = waiting === undefined ? arrival.turn() : waiting.then(() => arrival.turn());
          if (turn === undefined) {
            take(message);
            return;
          }
          // Messages that have already arrived are handled in order; no more are read meanwhile.
          socket.pause();
          const taken = turn.then(() => take(message));
          waiting = taken;
          void taken.then(() => {
            if (waiting !== taken) return;
            waiting = undefined;
            socket.resume();
          });
        });
      },
    },
    extra,
  );
  let isAlive = true;
  // Any message shows that the client is alive; its pong may be queued behind many messages.
  for (const sign of ["pong", "message"]) {
    socket.on(sign, () => {
      isAlive = true;
    });
  }
  const check = (): void => {
    if (!isAlive && !socket.isPaused) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
    cancelCheck = clock.after(keepAliveMs, check);
  };
  let cancelCheck = clock.after(keepAliveMs, check);
  socket.once("close", (code, reason) => {
    cancelCheck();
    closed(code, String(reason)).catch(report);
  });
}

/** Limits on sockets. Times in ms. */
export interface SocketLimits {
  /** Sockets at the same time, in total and per address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Sockets and event streams of one client at the same time; without configured clients there is no such limit. */
  readonly connectionsPerClient: number;
  readonly operations: number;
  readonly maxMessageBytes: number;
  /** Timeout of `connection_init`. */
  readonly connectionInitMs: number;
  /** Interval of pings; a socket that has not answered the last one is closed. */
  readonly keepAliveMs: number;
}

/** Default limits. */
export const SOCKET_LIMITS: SocketLimits = {
  connections: 20_000,
  connectionsPerAddress: 20_000,
  connectionsPerClient: 100,
  operations: 100,
  maxMessageBytes: 256 * 1024,
  connectionInitMs: 3_000,
  keepAliveMs: 12_000,
};

const ELSEWHERE = refusal(404, "WebSockets are served at /graphql.");
const OTHER_PAGE = refusal(403, "Pages of other origins may not open sockets, unless CORS_ORIGINS lists them.");
const FULL = refusal(503, "Too many sockets are open.");

/** WebSockets under `/graphql`. */
export function serveSockets(server: Server, parts: ArrivalParts, limits: SocketLimits, report: (error: unknown) => void) {
  const { clock, names, origins } = parts;
  const sockets = new WebSocketServer({
    noServer: true,
    // No extension may be negotiated: frames are written without `ws`.
    perMessageDeflate: false,
    // Each message is handled in its own turn, so that its effects are complete before the next one is read.
    allowSynchronousEvents: false,
    maxPayload: limits.maxMessageBytes,
    handleProtocols: (offered) => (offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false),
  });
  const protocol = socketProtocol(parts, limits);
  const perAddress = new OpenCounts();

  const refusalOf = (request: IncomingMessage, openFromThere: number): HttpAnswer | undefined => {
    if (request.url?.split("?", 1)[0] !== "/graphql") return ELSEWHERE;
    const misdirected = names.refusalOf(request);
    if (misdirected !== undefined) return misdirected;
    if (!origins.allows(request)) return OTHER_PAGE;
    const isFull = sockets.clients.size >= limits.connections || openFromThere >= limits.connectionsPerAddress;
    return isFull ? FULL : undefined;
  };

  const upgrade = (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
    useOriginForm(request);
    const address = request.socket.remoteAddress ?? "";
    const arrival = new Arrival(parts, request, "websocket");
    const refused = refusalOf(request, perAddress.of(address));
    if (refused !== undefined) {
      arrival.refused(refused.refusalCode);
      refuse(connection, refused);
      return;
    }
    perAddress.add(address, connection);
    sockets.handleUpgrade(request, connection, head, (socket) => {
      // For a message that is too long or a malformed frame, `ws` closes the socket with the corresponding code.
      socket.on("error", report);
      // Each operation of a slow reader adds a `drain` listener.
      request.socket.setMaxListeners(limits.operations + 10);
      serveSocket(protocol, socket, arrival, parts, limits.keepAliveMs, report);
    });
  };
  server.on("upgrade", upgrade);

  return {
    get connections(): number {
      return sockets.clients.size;
    },
    /** Closes all sockets with a close frame, and accepts no new ones. */
    async close(): Promise<void> {
      server.off("upgrade", upgrade);
      for (const socket of sockets.clients) closeSocket(socket, GOING_AWAY, "the gateway is stopping", clock);
      await new Promise<void>((closed) => sockets.close(() => closed()));
    },
  };
}

/** RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;

function refuse(connection: Duplex, answer: HttpAnswer): void {
  // The client may have disconnected already.
  connection.on("error", () => connection.destroy());
  connection.end(plainAnswer(answer));
}

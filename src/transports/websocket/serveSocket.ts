import type { IncomingMessage } from "node:http";
import type { Clock } from "@exchange-graph/contract/clock";
import { CloseCode } from "graphql-ws";
import type { WebSocket } from "ws";
import { MAX_OWED_BYTES } from "../../engine/subscriptions/subscriberSink.js";
import type { Shedding } from "../http/shedding.js";
import { asksForTrace } from "../http/traceRequest.js";
import { leaveEnded, type socketProtocol } from "./protocol.js";
import { closeSocket, TOO_SLOW } from "./socketSink.js";

/** Error of `graphql-ws` when a client sends a message that only servers send. */
const WRONG_WAY = /^Unexpected message of type \w+ received$/;

/** Connects a socket to the protocol, and detects when its other end is gone. */
export function serveSocket(
  protocol: ReturnType<typeof socketProtocol>,
  socket: WebSocket,
  request: IncomingMessage,
  {
    clock,
    shedding,
    keepAliveMs,
    requestId,
    report,
  }: {
    readonly clock: Clock;
    readonly shedding: Shedding;
    readonly keepAliveMs: number;
    readonly requestId: string;
    readonly report: (error: unknown) => void;
  },
): void {
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
    shedding.add(request.socket, () => {
      socket.close(CloseCode.ConnectionInitialisationTimeout, reason);
      socket.terminate();
    });
  const send = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const isTooSlow = socket.readyState === socket.OPEN && request.socket.writableLength > MAX_OWED_BYTES;
      if (isTooSlow) closeSocket(socket, TOO_SLOW, "too slow for what it asks for", clock);
      if (socket.readyState === socket.OPEN) socket.send(text, (error) => (error ? reject(error) : resolve()));
      else resolve();
    });
  const extra = {
    socket,
    request,
    requestId,
    isTraced: asksForTrace(request),
    principal: undefined,
    token: undefined,
    places: new Map(),
    backlog: { bytes: 0 },
    send,
  };
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send,
      close: (code, reason) =>
        code === CloseCode.ConnectionInitialisationTimeout
          ? shed(reason ?? "")
          : closeSocket(socket, code ?? CloseCode.InternalServerError, reason ?? "", clock),
      onMessage: (handle) =>
        socket.on("message", (message) => {
          // Messages after closing are not read.
          if (socket.readyState !== socket.OPEN) return;
          void handle(String(message)).catch(fail);
          leaveEnded(extra);
        }),
    },
    extra,
  );
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  const check = (): void => {
    if (!isAlive) {
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

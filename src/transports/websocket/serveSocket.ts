import type { Clock } from "@exchange-graph/contract/clock";
import { CloseCode } from "graphql-ws";
import type { RawData, WebSocket } from "ws";
import { MAX_UNSENT_BYTES } from "../../engine/subscriptions/subscriberSink.js";
import type { Arrival } from "../arrival/arrival.js";
import type { Shedding } from "../arrival/shedding.js";
import { leaveEnded, type socketProtocol } from "./protocol.js";
import { closeSocket, TOO_SLOW } from "./socketSink.js";

/** Error of `graphql-ws` when a client sends a message that only servers send. */
const WRONG_WAY = /^Unexpected message of type \w+ received$/;

/** Connects a socket to the protocol, and detects when its other end is gone. */
export function serveSocket(
  protocol: ReturnType<typeof socketProtocol>,
  socket: WebSocket,
  arrival: Arrival,
  {
    clock,
    shedding,
    keepAliveMs,
    report,
  }: {
    readonly clock: Clock;
    readonly shedding: Shedding;
    readonly keepAliveMs: number;
    readonly report: (error: unknown) => void;
  },
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

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A connection that takes nothing of an answer for this long is closed. */
const STALL_MS = 30_000;

/**
 * Closes the connection of a complete answer when the client stops reading. Node does so when there is no traffic for this
 * timeout; once the answer has been taken, Node sets its own timeout again.
 */
export function endIfStalled(response: ServerResponse): void {
  if (response.writableLength === 0) return;
  if (response.socket !== null) response.socket.setTimeout(STALL_MS);
  // It waits for another answer on the same connection.
  else response.once("socket", (socket: Socket) => socket.setTimeout(STALL_MS));
}

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A connection that takes nothing of an answer for this long is dead or hostile. */
const STALL_MS = 30_000;

/**
 * Has the connection of an answer that was written whole ended when nothing of it is taken any more. Node does that once
 * nothing has moved on it for the time that is set here; when the answer has been taken, Node sets its own again.
 */
export function endIfStalled(response: ServerResponse): void {
  if (response.writableLength === 0) return;
  if (response.socket !== null) response.socket.setTimeout(STALL_MS);
  // It waits behind another answer on the same connection.
  else response.once("socket", (socket: Socket) => socket.setTimeout(STALL_MS));
}

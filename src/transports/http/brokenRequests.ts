import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type HttpAnswer, refusal, SECURITY_HEADERS } from "../arrival/answer.js";
import type { Shedding } from "../arrival/arrivalParts.js";
import type { OpenConnections } from "./openConnections.js";

/** A complete answer as HTTP/1.1 text, for connections without a `ServerResponse`. The connection is closed after it. */
export function plainAnswer({ status, headers, body }: HttpAnswer): string {
  const lines = Object.entries({
    ...SECURITY_HEADERS,
    ...headers,
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`), "", body].join(
    "\r\n",
  );
}

/** An error of a connection before a request was complete, as Node reports it. */
interface BrokenRequest {
  readonly code?: string;
}

const TOO_SLOW = plainAnswer(refusal(408, "The request was not complete in time."));
const HEADERS_TOO_LONG = plainAnswer(refusal(431, "The headers of the request are too long."));
const UNREADABLE = plainAnswer(refusal(400, "The request could not be read."));

const ANSWERS: ReadonlyMap<string, string> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", TOO_SLOW],
  ["HPE_HEADER_OVERFLOW", HEADERS_TOO_LONG],
]);

/**
 * Closes connections on which no further request can be read, because it took too long or is malformed. They get the reason,
 * unless it would be written into another answer or in place of a pending one.
 */
export const brokenRequests =
  (connections: OpenConnections, shedding: Shedding) =>
  ({ code = "" }: BrokenRequest, socket: Socket): void => {
    // The socket is destroyed without the error: no listener needs it, and formatting its stack costs more than all the rest.
    shedding.add(socket, () => {
      if (socket.writable && connections.isBeforeAnswer(socket)) socket.write(ANSWERS.get(code) ?? UNREADABLE);
      socket.destroy();
    });
  };

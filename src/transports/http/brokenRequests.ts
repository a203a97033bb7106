import type { Socket } from "node:net";
import { refusal } from "./answer.js";
import type { OpenConnections } from "./openConnections.js";
import { plainAnswer } from "./plainAnswer.js";
import type { Shedding } from "./shedding.js";

/** What ended a request before it was one, as Node reports it. */
interface BrokenRequest {
  readonly code?: string;
}

const TOO_SLOW = plainAnswer(refusal(408, "The request did not come to its end in time."));
const HEADERS_TOO_LONG = plainAnswer(refusal(431, "The headers of the request are too long."));
const UNREADABLE = plainAnswer(refusal(400, "The request could not be read."));

const ANSWERS: ReadonlyMap<string, string> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", TOO_SLOW],
  ["HPE_HEADER_OVERFLOW", HEADERS_TOO_LONG],
]);

/**
 * Ends connections on which no request can be read any more: it took too long, or is none. They get the reason, but never
 * between the parts of another answer or in the place of one that is still to come.
 */
export const brokenRequests =
  (connections: OpenConnections, shedding: Shedding) =>
  ({ code = "" }: BrokenRequest, socket: Socket): void => {
    // Not the error itself goes along with the end: nobody asks for it, and to write out its stack costs more than the rest.
    shedding.add(socket, () => {
      if (socket.writable && connections.isBeforeAnswer(socket)) socket.write(ANSWERS.get(code) ?? UNREADABLE);
      socket.destroy();
    });
  };

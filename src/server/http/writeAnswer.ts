import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Answer } from "./answer.js";
import { SECURITY_HEADERS } from "./securityHeaders.js";

const ON_EVERY_ANSWER = Object.entries(SECURITY_HEADERS).flat();

/** Headers as they are written, by the headers of an answer: equal answers share theirs, and so do answers of one kind. */
const LINES = new WeakMap<Answer["headers"], readonly string[]>();

function linesOf(headers: Answer["headers"]): readonly string[] {
  const known = LINES.get(headers);
  if (known !== undefined) return known;
  const lines = [...ON_EVERY_ANSWER, ...Object.entries(headers).flat()];
  LINES.set(headers, lines);
  return lines;
}

/** Writes an answer whole, past Fastify. `closing` ends the connection after it. */
export function writeAnswer(response: ServerResponse, answer: Answer, requestId: string, closing: boolean): void {
  const { status, headers, body } = answer;
  const lines = [...linesOf(headers), "x-request-id", requestId, "content-length", String(body.length)];
  if (closing) lines.push("connection", "close");
  response.writeHead(status, lines);
  response.end(body);
  if (response.writableLength > 0) endIfStalled(response);
}

/** A connection that takes nothing of an answer for so long is dead or hostile. */
const STALL_MS = 30_000;

/** Node ends a connection on which nothing moves for that time; once the answer has been taken, Node sets its own again. */
function endIfStalled(response: ServerResponse): void {
  if (response.socket !== null) response.socket.setTimeout(STALL_MS);
  // It waits behind another answer on the same connection.
  else response.once("socket", (socket: Socket) => socket.setTimeout(STALL_MS));
}

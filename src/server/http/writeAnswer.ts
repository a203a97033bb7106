import type { ServerResponse } from "node:http";
import type { Answer } from "./answer.js";
import { endIfStalled } from "./endIfStalled.js";
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
  const lines = [...linesOf(headers), "x-request-id", requestId, "content-length", String(Buffer.byteLength(body))];
  if (closing) lines.push("connection", "close");
  response.writeHead(status, lines);
  response.end(body);
  endIfStalled(response);
}

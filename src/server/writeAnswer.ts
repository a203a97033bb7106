import type { ServerResponse } from "node:http";
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
  const bytes = Buffer.byteLength(body);
  const lines = [...linesOf(headers), "x-request-id", requestId, "content-length", String(bytes)];
  if (closing) lines.push("connection", "close");
  response.writeHead(status, lines);
  // As many bytes as characters means ASCII, which needs no transcoding.
  response.end(body, bytes === body.length ? "latin1" : "utf8");
}

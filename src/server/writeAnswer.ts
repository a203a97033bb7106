import type { ServerResponse } from "node:http";
import type { Answer } from "./answer.js";
import { SECURITY_HEADERS } from "./securityHeaders.js";

const ON_EVERY_ANSWER = Object.entries(SECURITY_HEADERS).flat();

/** Writes an answer whole, past Fastify. `closing` ends the connection after it. */
export function writeAnswer(response: ServerResponse, answer: Answer, requestId: string, closing: boolean): void {
  const { status, headers, body } = answer;
  const bytes = Buffer.byteLength(body);
  const lines = [...ON_EVERY_ANSWER, "x-request-id", requestId, "content-length", String(bytes)];
  for (const [name, value] of Object.entries(headers)) lines.push(name, value);
  if (closing) lines.push("connection", "close");
  response.writeHead(status, lines);
  // As many bytes as characters means ASCII, which needs no transcoding.
  response.end(body, bytes === body.length ? "latin1" : "utf8");
}

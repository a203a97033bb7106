import type { ServerResponse } from "node:http";
import type { Answer } from "./answer.js";
import { endIfStalled } from "./endIfStalled.js";
import { SECURITY_HEADERS } from "./securityHeaders.js";

/** Characters of a body that are written at once. */
const SLICE = 262_144;

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
  if (body.length > SLICE) writeSliced(response, body);
  else {
    response.end(body);
    endIfStalled(response);
  }
}

/** Writes a long body a piece in each turn of the event loop, and no faster than it is taken. */
function writeSliced(response: ServerResponse, body: string): void {
  let at = 0;
  let isTimed = false;
  const next = (): void => {
    if (response.destroyed) return;
    const from = at;
    at = Math.min(at + SLICE, body.length);
    // A pair of surrogates is one character.
    if (isHighSurrogate(body.charCodeAt(at - 1)) && at < body.length) at++;
    const piece = body.slice(from, at);
    if (at === body.length) response.end(piece);
    else if (response.write(piece)) setImmediate(next);
    else response.once("drain", next);
    // Once is enough: the time starts anew with whatever is taken.
    if (isTimed || response.writableLength === 0) return;
    isTimed = true;
    endIfStalled(response);
  };
  next();
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

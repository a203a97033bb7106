import type { ServerResponse } from "node:http";
import type { Answer } from "../arrival/answer.js";
import { SECURITY_HEADERS } from "../arrival/securityHeaders.js";
import { encodingFor, writeCompressed } from "./compressed.js";
import { endIfStalled } from "./endIfStalled.js";

/** Characters of a body per write. */
const SLICE = 262_144;
/** Minimum length of compressed bodies, in characters. Compressing a shorter one takes longer than sending it. */
const COMPRESSED_FROM = 16_384;

const ON_EVERY_ANSWER = Object.entries(SECURITY_HEADERS).flat();

/** Headers in wire form, by header object: equal answers, and answers of one kind, share it. */
const LINES = new WeakMap<Answer["headers"], readonly string[]>();

function linesOf(headers: Answer["headers"]): readonly string[] {
  const cached = LINES.get(headers);
  if (cached !== undefined) return cached;
  const lines = [...ON_EVERY_ANSWER, ...Object.entries(headers).flat()];
  LINES.set(headers, lines);
  return lines;
}

/** Writes a complete answer without Fastify, compressed if it is long and the client accepts it. */
export function writeAnswer(response: ServerResponse, answer: Answer, requestId: string): void {
  const { status, headers, body, isLast } = answer;
  const lines = [...linesOf(headers), "x-request-id", requestId];
  if (isLast === true) lines.push("connection", "close");
  const isLong = body.length >= COMPRESSED_FROM;
  const encoding = isLong ? encodingFor(response.req.headers["accept-encoding"]) : undefined;
  if (isLong) lines.push("vary", "accept-encoding");
  if (encoding !== undefined) {
    response.writeHead(status, [...lines, "content-encoding", encoding]);
    writeCompressed(response, piecesOf(body), encoding);
    return;
  }
  const bytes = Buffer.byteLength(body);
  response.writeHead(status, [...lines, "content-length", String(bytes)]);
  // One byte per character means ASCII, which is copied without encoding.
  const coding = bytes === body.length ? "latin1" : "utf8";
  if (body.length > SLICE) writeSliced(response, body, coding);
  else {
    response.end(body, coding);
    endIfStalled(response);
  }
}

/** Writes a long body one piece per turn of the event loop, no faster than the client takes it. */
function writeSliced(response: ServerResponse, body: string, coding: BufferEncoding): void {
  const pieces = piecesOf(body);
  let isTimed = false;
  const next = (): void => {
    if (response.destroyed) return;
    const { value: piece, done } = pieces.next();
    if (done === true) response.end();
    else if (response.write(piece, coding)) setImmediate(next);
    else response.once("drain", next);
    // One call is enough: traffic restarts the timeout.
    if (isTimed || response.writableLength === 0) return;
    isTimed = true;
    endIfStalled(response);
  };
  next();
}

/** A body in pieces, which do not split surrogate pairs. */
function* piecesOf(body: string): Generator<string, undefined> {
  for (let at = 0; at < body.length; ) {
    const from = at;
    at = Math.min(at + SLICE, body.length);
    if (isHighSurrogate(body.charCodeAt(at - 1)) && at < body.length) at++;
    yield body.slice(from, at);
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline, Readable } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { GraphQLError } from "graphql";
import type { Logger } from "pino";
import type { Result } from "../../engine/answers/result.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { type HttpAnswer, SECURITY_HEADERS } from "../arrival/answer.js";
import { type AllowedHosts, useOriginForm } from "../arrival/hostsAndOrigins.js";

/** Supported content codings, in order of preference. */
const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Little memory and time: three quarters of brotli's best saving in a fifth of its time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };
const GZIP = { level: 4 };

/** The preferred coding of a client by its `Accept-Encoding`; `undefined` if it accepts none of those offered. */
export function encodingFor(accepted: string | undefined, offered: readonly Encoding[] = ENCODINGS): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const weights = new Map(
    accepted.split(",").map((each): [string, number] => {
      const [name = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, weight === undefined ? 1_000 : thousandths(weight.slice(2))];
    }),
  );
  const weightOf = (name: Encoding): number => weights.get(name) ?? weights.get("*") ?? 0;
  const highest = Math.max(...offered.map(weightOf));
  return highest > 0 ? offered.find((name) => weightOf(name) === highest) : undefined;
}

/** A weight between 0 and 1 with at most three decimals, in thousandths; an invalid one counts as 0. */
function thousandths(weight: string): number {
  const [, whole = "0", part = ""] = /^([01])(?:\.(\d{0,3}))?$/.exec(weight) ?? [];
  return Number.parseInt(`${whole}${part.padEnd(3, "0")}`, 10);
}

/** Compresses and writes a body, no faster than the client takes it. libuv threads do the compression. */
function writeCompressed(response: ServerResponse, pieces: Iterable<string>, encoding: Encoding): void {
  const packer = encoding === "br" ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  const endIfSlow = () => endIfStalled(response);
  packer.once("pause", endIfSlow).once("end", endIfSlow);
  // It fails if the client disconnects, and then closes the streams.
  pipeline(Readable.from(pieces), packer, response, () => undefined);
}

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

/** Characters of a body per write. */
const SLICE = 262_144;
/** Minimum length of compressed bodies, in characters. Compressing a shorter one takes longer than sending it. */
const COMPRESSED_FROM = 16_384;

const ON_EVERY_ANSWER = Object.entries(SECURITY_HEADERS).flat();

/** Headers in wire form, by header object: equal answers, and answers of one kind, share it. */
const LINES = new WeakMap<HttpAnswer["headers"], readonly string[]>();

function linesOf(headers: HttpAnswer["headers"]): readonly string[] {
  const cached = LINES.get(headers);
  if (cached !== undefined) return cached;
  const lines = [...ON_EVERY_ANSWER, ...Object.entries(headers).flat()];
  LINES.set(headers, lines);
  return lines;
}

/** Writes a complete answer without Fastify, compressed if it is long and the client accepts it. */
export function writeAnswer(response: ServerResponse, answer: HttpAnswer, requestId: string): void {
  const { status, headers, body, isLast } = answer;
  const lines = [...linesOf(headers), "x-request-id", requestId];
  if (isLast === true) lines.push("connection", "close");
  const isLong = body.length >= COMPRESSED_FROM;
  const encoding = isLong ? encodingFor(response.req.headers["accept-encoding"]) : undefined;
  // These lines replace a header that was set before: the one of CORS.
  if (isLong)
    lines.push("vary", response.hasHeader("vary") ? `${response.getHeader("vary")}, accept-encoding` : "accept-encoding");
  if (encoding !== undefined) {
    lines.push("content-encoding", encoding);
    response.writeHead(status, lines);
    writeCompressed(response, piecesOf(body), encoding);
    return;
  }
  const bytes = Buffer.byteLength(body);
  lines.push("content-length", String(bytes));
  response.writeHead(status, lines);
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

/** Status and headers of a result over HTTP. */
interface ResultHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const RAN: ResultHead = { status: 200, headers: {} };
const BAD_REQUEST = 400;

/** Codes of errors in a document, operation name or variables. */
const MISTAKES: ReadonlySet<unknown> = new Set([
  "BAD_USER_INPUT",
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "OPERATION_RESOLUTION_FAILURE",
]);

/** The status of a result: 200 if it was executed, even with errors. A refusal has its own status, or is a client error. */
export function headOf({ hasRun, errors }: Pick<Result, "hasRun" | "errors">): ResultHead {
  if (hasRun) return RAN;
  const { status, headers } = httpOf(errors.find(({ extensions }) => extensions.http !== undefined));
  const isMistake = errors.every(({ extensions }) => MISTAKES.has(extensions.code));
  return { status: status ?? (isMistake ? BAD_REQUEST : 500), headers: Object.fromEntries(headers ?? []) };
}

const httpOf = (
  error: GraphQLError | undefined,
): { readonly status?: number; readonly headers?: ReadonlyMap<string, string> } => {
  const http: unknown = error?.extensions.http;
  if (typeof http !== "object" || http === null) return {};
  return {
    ...("status" in http && typeof http.status === "number" ? { status: http.status } : {}),
    ...("headers" in http && http.headers instanceof Map ? { headers: http.headers } : {}),
  };
};

const NAMES_JSON = /\bapplication\/json\b/i;

/**
 * The status of an answer. For clients that request `application/json` by name, which predate
 * `application/graphql-response+json`, such errors have status 200 (GraphQL over HTTP). All other clients get 400.
 */
export const statusFor = (
  status: number,
  errorCodes: readonly string[],
  contentType: string | undefined,
  accept: string | undefined,
): number =>
  status === 400 &&
  accept !== undefined &&
  NAMES_JSON.test(accept) &&
  contentType !== undefined &&
  NAMES_JSON.test(contentType) &&
  errorCodes.length > 0 &&
  errorCodes.every((code) => MISTAKES.has(code))
    ? 200
    : status;

/** Wraps a listener so that requests for other hosts, or for several, are refused. */
export const onlyServed =
  (names: AllowedHosts, { refusal }: Instrumentation, nextRequestId: () => string, listener: RequestListener): RequestListener =>
  (request, response) => {
    useOriginForm(request);
    const refused = names.refusalOf(request);
    if (refused === undefined) {
      listener(request, response);
      return;
    }
    const requestId = nextRequestId();
    const address = request.socket.remoteAddress;
    const origin = { who: null, address, over: "http", requestId } as const;
    const { refusalCode } = refused;
    if (refusalCode !== undefined) refusal.publish({ origin, operation: undefined, codes: [refusalCode] });
    writeAnswer(response, { ...refused, isLast: true }, requestId);
  };

/** Logs one line per request, without the query string, which can contain variables. */
export function logRequest(
  log: Logger,
  { method, url = "" }: Pick<IncomingMessage, "method" | "url">,
  requestId: string,
  status: number,
  tookMs: number,
): void {
  if (!log.isLevelEnabled("debug")) return;
  log.debug({ requestId, method, path: url.split("?", 1)[0], status, ms: Math.round(tookMs) }, "request");
}

import type { IncomingMessage } from "node:http";
import { jsonIn } from "@exchange-graph/contract/json";
import type { GraphQLError } from "graphql";
import { badRequest } from "../../engine/errors/coded.js";

/** Request headers of this server. */
export const REQUEST_HEADERS = {
  /** With the value `1`: the answer includes the trace and the cost. */
  trace: "x-exchange-trace",
  /** Token of a reserved event stream: the single connection mode of GraphQL over SSE. */
  eventStream: "x-graphql-event-stream-token",
} as const;

/** Query parameter with the same meaning as the header for the trace. */
const TRACE_PARAMETER = "exchangeTrace";

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Whether a `Content-Type` is JSON. A page of another origin cannot send that without a preflight. */
export const isJsonType = (contentType: string | undefined): boolean => contentType !== undefined && JSON_TYPE.test(contentType);

/** The query string of a request with its question mark, or an empty string. */
export function searchOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

/** Whether a request asks for the trace and the cost. */
export function requestsTrace(request: IncomingMessage): boolean {
  if (request.headers[REQUEST_HEADERS.trace] === "1") return true;
  const search = searchOf(request);
  return search !== "" && new URLSearchParams(search).get(TRACE_PARAMETER) === "1";
}

/**
 * The query string of a GraphQL request, without parameters that GraphQL over HTTP counts as not given: an empty `operationName`, and
 * `null` for another one.
 */
export function graphqlSearchOf(request: IncomingMessage): string {
  const search = searchOf(request);
  if (search === "") return search;
  const parameters = new URLSearchParams(search);
  const absent = [...NOTHING].filter(([name, text]) => parameters.getAll(name).join() === text && parameters.has(name));
  if (absent.length === 0) return search;
  for (const [name] of absent) parameters.delete(name);
  return `?${parameters}`;
}

const NOTHING: ReadonlyMap<string, string> = new Map([
  ["operationName", ""],
  ["variables", "null"],
  ["extensions", "null"],
]);

/** The parameters of a GraphQL request in a query string. */
export function parametersIn(search: string): Readonly<Record<string, unknown>> | GraphQLError {
  const parameters = new URLSearchParams(search);
  if (parameters.getAll("documentId").length > 1) return SEVERAL_IDS;
  const json = (name: string) => (parameters.has(name) ? { [name]: jsonOf(parameters.get(name) ?? "") } : {});
  return { ...Object.fromEntries(parameters), ...json("variables"), ...json("extensions") };
}

const SEVERAL_IDS = badRequest("documentId must occur once.");

/** Invalid JSON is kept as text, which is refused later. */
function jsonOf(text: string): unknown {
  const value = jsonIn(text);
  return value === undefined ? text : value;
}

/** Whether the body of a request is compressed, which this server does not read. */
export const isEncoded = ({ headers: { "content-encoding": coding = "identity" } }: IncomingMessage): boolean =>
  coding.trim().toLowerCase() !== "identity";

/**
 * Reads a request body as text; `undefined` if it exceeds `maxBytes`. Does not call `done` if the request is aborted: there is no
 * client to answer.
 */
export function readBody(request: IncomingMessage, maxBytes: number, done: (text: string | undefined) => void): void {
  // A body whose declared length is too large is not read.
  if (Number.parseInt(request.headers["content-length"] ?? "0", 10) > maxBytes) {
    done(undefined);
    return;
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  request.on("data", (part: Buffer) => {
    if (bytes > maxBytes) return;
    bytes += part.length;
    if (bytes > maxBytes) done(undefined);
    else parts.push(part);
  });
  request.on("end", () => {
    if (bytes > maxBytes) return;
    const [first, ...others] = parts;
    done(first === undefined ? "" : (others.length === 0 ? first : Buffer.concat(parts)).toString("utf8"));
  });
}

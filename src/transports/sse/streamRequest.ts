import type { IncomingMessage } from "node:http";
import { jsonIn } from "../../engine/documents/json.js";
import { REQUEST_HEADERS } from "../http/requestHeaders.js";

/** The parameters of the protocol's single connection mode. */
const STREAM_PARAMETER = "token";
const OPERATION_PARAMETER = "operationId";

/** Is this a request for an event stream? */
export const isForEventStream = ({ url = "" }: IncomingMessage): boolean =>
  url === "/graphql/stream" || url.startsWith("/graphql/stream?");

/** What a browser's `EventSource` sends when it connects again. */
export function lastEventIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers["last-event-id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Does it ask for a stream, rather than for something to be done about one? */
export const opensStream = (request: IncomingMessage): boolean =>
  request.method === "GET" || (request.method === "POST" && streamOf(request) === undefined);

const parametersOf = ({ url = "" }: IncomingMessage): URLSearchParams => new URL(url, "http://localhost").searchParams;

/** The operation on a reserved stream that a request is about. */
export const operationIdOf = (request: IncomingMessage): string => parametersOf(request).get(OPERATION_PARAMETER) ?? "";

/** The reserved stream that a request is about. */
export function streamOf(request: IncomingMessage): string | undefined {
  const named = request.headers[REQUEST_HEADERS.eventStream];
  return typeof named === "string" ? named : (parametersOf(request).get(STREAM_PARAMETER) ?? undefined);
}

/** The operation in the address of a GET request. */
export function operationInSearch(url: string): unknown {
  const search = new URLSearchParams(url.slice(url.indexOf("?")));
  return { ...Object.fromEntries(search), variables: partOf(search, "variables"), extensions: partOf(search, "extensions") };
}

/** A parameter that holds JSON; what is none stays text, which is no part of an operation. */
function partOf(search: URLSearchParams, name: string): unknown {
  const text = search.get(name) ?? "null";
  const value = jsonIn(text);
  return value === undefined ? text : value;
}

import type { IncomingMessage } from "node:http";
import { REQUEST_HEADERS } from "../arrival/requestParts.js";

/** The parameters of the protocol's single connection mode. */
const STREAM_PARAMETER = "token";
const OPERATION_PARAMETER = "operationId";

/** Whether this is a request for an event stream. */
export const isForEventStream = ({ url = "" }: IncomingMessage): boolean =>
  url === "/graphql/stream" || url.startsWith("/graphql/stream?");

/** `Last-Event-ID`, which a browser's `EventSource` sends when it reconnects. */
export function lastEventIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers["last-event-id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Whether it opens a stream, rather than starting or ending an operation on one. */
export const opensStream = (request: IncomingMessage): boolean =>
  request.method === "GET" || (request.method === "POST" && streamOf(request) === undefined);

const parametersOf = ({ url = "" }: IncomingMessage): URLSearchParams => new URL(url, "http://localhost").searchParams;

/** The id of the operation on a reserved stream. */
export const operationIdOf = (request: IncomingMessage): string => parametersOf(request).get(OPERATION_PARAMETER) ?? "";

export function streamOf(request: IncomingMessage): string | undefined {
  const named = request.headers[REQUEST_HEADERS.eventStream];
  return typeof named === "string" ? named : (parametersOf(request).get(STREAM_PARAMETER) ?? undefined);
}

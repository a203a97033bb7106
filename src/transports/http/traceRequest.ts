import type { IncomingMessage } from "node:http";
import { REQUEST_HEADERS } from "./requestHeaders.js";

/** Asks for the trace as the header does. */
const PARAMETER = "exchangeTrace";

/** Does a request want to see what was read for its answer? */
export function asksForTrace(request: IncomingMessage): boolean {
  if (request.headers[REQUEST_HEADERS.trace] === "1") return true;
  const search = searchOf(request);
  return search !== "" && new URLSearchParams(search).get(PARAMETER) === "1";
}

/** The query of a request's address with its question mark, or nothing. */
export function searchOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

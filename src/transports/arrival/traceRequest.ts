import type { IncomingMessage } from "node:http";
import { REQUEST_HEADERS } from "./requestHeaders.js";

/** Query parameter with the same meaning as the header. */
const PARAMETER = "exchangeTrace";

/** Whether a request asks for the trace and the cost. */
export function asksForTrace(request: IncomingMessage): boolean {
  if (request.headers[REQUEST_HEADERS.trace] === "1") return true;
  const search = searchOf(request);
  return search !== "" && new URLSearchParams(search).get(PARAMETER) === "1";
}

/** The query string of a request with its question mark, or an empty string. */
export function searchOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

import type { IncomingMessage } from "node:http";

/** Either of the two, with the value `1`, asks for the trace. */
const HEADER = "x-exchange-trace";
const PARAMETER = "exchangeTrace";

/** Does a request want to see what was read for its answer? */
export function asksForTrace(request: IncomingMessage): boolean {
  if (request.headers[HEADER] === "1") return true;
  const search = searchOf(request);
  return search !== "" && new URLSearchParams(search).get(PARAMETER) === "1";
}

/** The query of a request's address with its question mark, or nothing. */
export function searchOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

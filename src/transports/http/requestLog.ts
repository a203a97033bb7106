import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";

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

import type { IncomingMessage, RequestListener } from "node:http";
import type { Logger } from "pino";
import { refusalsIn } from "../../engine/errors/refusalCodes.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { AllowedHosts } from "../arrival/hostsAndOrigins.js";
import { writeAnswer } from "./writeAnswer.js";

/** Wraps a listener so that requests for other hosts, or for several, are refused. */
export const onlyServed =
  (names: AllowedHosts, { refusal }: Instrumentation, nextRequestId: () => string, listener: RequestListener): RequestListener =>
  (request, response) => {
    const refused = names.refusalOf(request);
    if (refused === undefined) {
      listener(request, response);
      return;
    }
    const requestId = nextRequestId();
    const address = request.socket.remoteAddress;
    const origin = { who: null, address, over: "http", requestId } as const;
    refusal.publish({ origin, operation: undefined, codes: refusalsIn(undefined, refused.status) });
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

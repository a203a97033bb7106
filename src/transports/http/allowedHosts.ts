import type { IncomingMessage, RequestListener } from "node:http";
import { isLoopback } from "../../config/loopback.js";
import { refusalsIn } from "../../engine/errors/refusalCodes.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { refusal } from "./answer.js";
import { writeAnswer } from "./writeAnswer.js";

/**
 * The host names that requests may use. With DNS rebinding, a web page can resolve its own name to this machine and is then of
 * the same origin as the server; only the `Host` header reveals it. Loopback names are always allowed.
 */
export class AllowedHosts {
  readonly #listed: ReadonlySet<string> | undefined;

  /** `listed` are host names without port. Default: any name. */
  constructor(listed: readonly string[] | undefined) {
    this.#listed = listed && new Set(listed.map((name) => name.toLowerCase()));
  }

  /** Clients that are not browsers may omit the header. */
  serves({ headers: { host } }: IncomingMessage): boolean {
    if (this.#listed === undefined || host === undefined) return true;
    const name = host.replace(/:\d*$/, "");
    return isLoopback(name) || this.#listed.has(name.toLowerCase());
  }
}

/** The answer to a request for another host. */
export const MISDIRECTED = refusal(
  421,
  "This gateway is not served under this name. Ask it as localhost, or list the name in ALLOWED_HOSTS.",
);

/** Wraps a listener so that requests for other hosts are refused. */
export const onlyServed =
  (names: AllowedHosts, { refusal }: Instrumentation, nextRequestId: () => string, listener: RequestListener): RequestListener =>
  (request, response) => {
    if (names.serves(request)) {
      listener(request, response);
      return;
    }
    const requestId = nextRequestId();
    const address = request.socket.remoteAddress;
    const origin = { who: null, address, over: "http", requestId } as const;
    refusal.publish({ origin, operation: undefined, codes: refusalsIn(undefined, MISDIRECTED.status) });
    writeAnswer(response, MISDIRECTED, requestId, true);
  };

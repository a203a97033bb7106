import type { IncomingMessage, RequestListener } from "node:http";
import { isLoopback } from "../../config/loopback.js";
import { refusalsIn } from "../../engine/errors/refusalCodes.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { refusal } from "./answer.js";
import { writeAnswer } from "./writeAnswer.js";

/**
 * The names under which this server may be asked. A page can have its own name lead to this machine once it is loaded, and
 * is then of the same origin as the server: only the name in `Host` shows that it was not meant. The names of
 * this machine itself lead nowhere else.
 */
export class AllowedHosts {
  readonly #listed: ReadonlySet<string> | undefined;

  /** `listed` are names without port. Default: any name. */
  constructor(listed: readonly string[] | undefined) {
    this.#listed = listed && new Set(listed.map((name) => name.toLowerCase()));
  }

  /** What is not a browser may leave the header out. */
  serves({ headers: { host } }: IncomingMessage): boolean {
    if (this.#listed === undefined || host === undefined) return true;
    const name = host.replace(/:\d*$/, "");
    return isLoopback(name) || this.#listed.has(name.toLowerCase());
  }
}

/** What a request is answered that names another server. */
export const MISDIRECTED = refusal(
  421,
  "This gateway is not served under this name. Ask it as localhost, or list the name in ALLOWED_HOSTS.",
);

/** Has only those requests answered that name this server. */
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

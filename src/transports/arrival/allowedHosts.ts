import type { IncomingMessage } from "node:http";
import { isLoopback } from "../../config/loopback.js";
import { type Answer, refusal } from "./answer.js";

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

  /** The answer to a request that is refused for its host. Clients that are not browsers may omit the header. */
  refusalOf({ headers: { host }, rawHeaders }: IncomingMessage): Answer | undefined {
    if (host === undefined) return undefined;
    if (hasSeveralHosts(rawHeaders)) return SEVERAL_HOSTS;
    if (this.#listed === undefined) return undefined;
    const name = host.replace(/:\d*$/, "");
    return isLoopback(name) || this.#listed.has(name.toLowerCase()) ? undefined : MISDIRECTED;
  }
}

const MISDIRECTED = refusal(
  421,
  "This gateway is not served under this name. Ask it as localhost, or list the name in ALLOWED_HOSTS.",
);

/** Node keeps the first one. Something on the way may have gone by another: RFC 9112, section 3.2. */
const SEVERAL_HOSTS = refusal(400, "The request has several Host headers.");

function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host" && ++count > 1) return true;
  }
  return false;
}

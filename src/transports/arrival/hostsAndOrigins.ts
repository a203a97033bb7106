import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { isLoopback } from "../../config/loopback.js";
import { type HttpAnswer, refusal, SECURITY_HEADERS } from "./answer.js";
import { REQUEST_HEADERS } from "./requestParts.js";

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
  refusalOf({ headers: { host }, rawHeaders }: IncomingMessage): HttpAnswer | undefined {
    if (host === undefined) return undefined;
    if (hasSeveralHosts(rawHeaders)) return SEVERAL_HOSTS;
    if (this.#listed === undefined) return undefined;
    const name = host.replace(/:\d*$/, "");
    return isLoopback(name) || this.#listed.has(name.toLowerCase()) ? undefined : MISDIRECTED;
  }
}

/** A request target with scheme and host, as clients send it to a proxy. */
const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/is;

/** Reduces the absolute form of a request target to its path and query; its host replaces the header (RFC 9112, section 3.2.2). */
export function useOriginForm(request: IncomingMessage): void {
  const [, host, path] = ABSOLUTE.exec(request.url ?? "") ?? [];
  if (host === undefined || path === undefined) return;
  request.headers.host = host;
  request.url = path.startsWith("/") ? path : `/${path}`;
}

const MISDIRECTED = refusal(
  421,
  "This gateway is not served under this host name. Use localhost, or list the name in ALLOWED_HOSTS.",
);

/** Node keeps the first one; a proxy may have used another (RFC 9112, section 3.2). */
const SEVERAL_HOSTS = refusal(400, "The request has several Host headers.");

function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host" && ++count > 1) return true;
  }
  return false;
}

/** Time for which browsers may cache a preflight, in seconds. */
const REMEMBERED_S = 600;

/** Methods and headers for pages of an allowed origin. Credentials are not allowed. */
const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST, PUT, DELETE",
  "access-control-allow-headers": [
    ...["accept", "authorization", "content-type"],
    // Headers that Apollo's clients add to each request.
    ...["apollo-require-preflight", "apollographql-client-name", "apollographql-client-version"],
    ...["x-apollo-operation-id", "x-apollo-operation-name", "x-apollo-operation-type"],
    // The trace context, and what a client of event streams sends when it reconnects.
    ...["traceparent", "last-event-id"],
    ...Object.values(REQUEST_HEADERS),
  ].join(", "),
  "access-control-max-age": String(REMEMBERED_S),
} as const;
const EXPOSED = [
  ...["retry-after", "x-request-id", "content-disposition"],
  ...["x-export-from", "x-export-to", "x-export-listed-from", "x-export-user", "x-export-version"],
].join(", ");

/** Origins whose pages may use this server from a browser: its own, and the listed ones. */
export class AllowedOrigins {
  readonly #listed: ReadonlySet<string>;

  /** `listed` are origins as browsers write them, for example `https://app.example.com`. */
  constructor(listed: readonly string[]) {
    this.#listed = new Set(listed);
  }

  /**
   * Whether a request does not come from a page of another origin. Browsers let any page open a WebSocket to any address and name
   * the page's origin in `Origin`; for a GET without CORS they send `Sec-Fetch-Site`. Clients that are not browsers send neither.
   */
  allows({ headers }: IncomingMessage): boolean {
    const { origin, host } = headers;
    if (origin === undefined) return !isFromAnotherPage(headers);
    return this.#listed.has(origin) || (URL.canParse(origin) && new URL(origin).host === host);
  }

  /** Adds the CORS headers for a listed origin, and answers a preflight. Returns true if the request was a preflight. */
  admit({ method, headers: { origin } }: IncomingMessage, response: ServerResponse): boolean {
    if (origin === undefined || !this.#listed.has(origin)) return false;
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("access-control-expose-headers", EXPOSED);
    response.setHeader("vary", "Origin");
    if (method !== "OPTIONS") return false;
    response.writeHead(204, { ...SECURITY_HEADERS, ...PREFLIGHT });
    response.end();
    return true;
  }
}

/**
 * Values of `Sec-Fetch-Site` for requests from pages of other origins. Browsers set the header (`same-origin`, `same-site`,
 * `cross-site`, or `none` for an address typed by the user), and pages cannot change it. Older browsers and most programs send
 * none.
 */
const OTHERS: ReadonlySet<string> = new Set(["same-site", "cross-site"]);

/** Whether the request certainly comes from a page of another origin. */
const isFromAnotherPage = ({ "sec-fetch-site": site }: IncomingHttpHeaders): boolean => OTHERS.has(site ?? "");

/**
 * Whether the request certainly does not come from a page of another origin. Without the header this is unknown: such a request
 * needs a header that requires a preflight. `Sec-Fetch-Mode` without `Sec-Fetch-Site` is Node's own fetch; browsers send both.
 */
export function isFromNoOtherPage(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined) return headers["sec-fetch-mode"] !== undefined && headers.origin === undefined;
  return site === "same-origin" || site === "none";
}

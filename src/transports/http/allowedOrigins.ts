import type { IncomingMessage, ServerResponse } from "node:http";
import { isFromAnotherPage } from "./fetchSite.js";
import { REQUEST_HEADERS } from "./requestHeaders.js";
import { SECURITY_HEADERS } from "./securityHeaders.js";

/** How long a browser may remember what it was allowed, in seconds. */
const REMEMBERED_S = 600;

/** What pages of an allowed origin may do besides what every page may. Nothing is sent along by itself: no credentials. */
const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST, PUT, DELETE",
  "access-control-allow-headers": [
    ...["accept", "authorization", "content-type"],
    // Apollo's clients say with every request what they are and, some of them, what they ask.
    ...["apollo-require-preflight", "apollographql-client-name", "apollographql-client-version"],
    ...["x-apollo-operation-id", "x-apollo-operation-name", "x-apollo-operation-type"],
    ...Object.values(REQUEST_HEADERS),
  ].join(", "),
  "access-control-max-age": String(REMEMBERED_S),
} as const;
const EXPOSED = "retry-after, x-request-id";

/** Whose pages may use this server from a browser: its own, and those of a list. */
export class AllowedOrigins {
  readonly #listed: ReadonlySet<string>;

  /** `listed` are origins as browsers write them, for example `https://app.example.com`. */
  constructor(listed: readonly string[]) {
    this.#listed = new Set(listed);
  }

  /**
   * Was this not sent by a page of somebody else's? Browsers let any page open a socket to any address and say in
   * `Origin` whose page it is, or, of a GET whose answer the page does not see, in `Sec-Fetch-Site` that it is another
   * one; what is not a browser says nothing there.
   */
  allows({ headers }: IncomingMessage): boolean {
    const { origin, host } = headers;
    if (origin === undefined) return !isFromAnotherPage(headers);
    return this.#listed.has(origin) || (URL.canParse(origin) && new URL(origin).host === host);
  }

  /** Lets pages of a listed origin read the answer, and answers a browser that asks beforehand: true if that was all. */
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

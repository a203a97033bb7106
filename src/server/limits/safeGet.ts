import type { IncomingHttpHeaders } from "node:http";

/**
 * Is this certainly no request that somebody else's page made a browser send? A browser says in `Sec-Fetch-Site` whose
 * page asks, and no page can change that: `same-origin`, or `none` for what the user typed. Older browsers say nothing,
 * like most programs, and are not believed: they must send a header that needs a preflight. `Sec-Fetch-Mode` without
 * `Sec-Fetch-Site` is Node's own fetch: every browser that sends one sends both.
 */
export function isFromNoOtherPage(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined) return headers["sec-fetch-mode"] !== undefined && headers.origin === undefined;
  return site === "same-origin" || site === "none";
}

import type { IncomingHttpHeaders } from "node:http";

/**
 * Whose page made a browser send a request: `Sec-Fetch-Site`, which no page can change, says `same-origin`, `same-site`,
 * `cross-site`, or `none` for what the user typed. Older browsers say nothing, like most programs.
 */
const OTHERS: ReadonlySet<string> = new Set(["same-site", "cross-site"]);

/** Is this certainly what somebody else's page made a browser send? */
export const isFromAnotherPage = ({ "sec-fetch-site": site }: IncomingHttpHeaders): boolean => OTHERS.has(site ?? "");

/**
 * Is this certainly not? Who says nothing is not believed: such a request must have a header that needs a preflight.
 * `Sec-Fetch-Mode` without `Sec-Fetch-Site` is Node's own fetch: every browser that sends one sends both.
 */
export function isFromNoOtherPage(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined) return headers["sec-fetch-mode"] !== undefined && headers.origin === undefined;
  return site === "same-origin" || site === "none";
}

import type { IncomingHttpHeaders } from "node:http";

/**
 * Values of `Sec-Fetch-Site` for requests from pages of other origins. Browsers set the header (`same-origin`, `same-site`,
 * `cross-site`, or `none` for an address typed by the user), and pages cannot change it. Older browsers and most programs send
 * none.
 */
const OTHERS: ReadonlySet<string> = new Set(["same-site", "cross-site"]);

/** Whether the request certainly comes from a page of another origin. */
export const isFromAnotherPage = ({ "sec-fetch-site": site }: IncomingHttpHeaders): boolean => OTHERS.has(site ?? "");

/**
 * Whether the request certainly does not come from a page of another origin. Without the header this is unknown: such a request
 * needs a header that requires a preflight. `Sec-Fetch-Mode` without `Sec-Fetch-Site` is Node's own fetch; browsers send both.
 */
export function isFromNoOtherPage(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined) return headers["sec-fetch-mode"] !== undefined && headers.origin === undefined;
  return site === "same-origin" || site === "none";
}

import type { IncomingMessage } from "node:http";

/**
 * Was this not sent by a page of somebody else's? Browsers let any page open a socket to any address and say in
 * `Origin` whose page it is; what is not a browser says nothing there.
 */
export function isSameOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

import type { CallerSettings } from "./callerSettings.js";
import { isLoopback } from "./loopback.js";

const HOW =
  "create a token with `npm run token -- create <name> --scope read:account --file callers.json` and set CALLERS_FILE=callers.json, or set JWT_ISSUER, JWT_AUDIENCE and one of JWT_SECRET, JWT_JWKS_FILE, JWT_JWKS_URL";

/** Is there anybody's money behind it? What listens on this machine is a sandbox. */
export const isReal = (exchange: URL | undefined): boolean => exchange !== undefined && !isLoopback(exchange.hostname);

/** What may not be served to whoever comes along: nothing to other machines, and no real exchange to anybody. */
export function exposures(host: string, exchange: URL | undefined, callers: CallerSettings | undefined): string[] {
  if (callers !== undefined) return [];
  const found: string[] = [];
  if (!isLoopback(host))
    found.push(
      `HOST: must be 127.0.0.1, ::1 or localhost as long as callers are not told apart, and is "${host}". To serve others: ${HOW}`,
    );
  if (isReal(exchange))
    found.push(`EXCHANGE_BASE_URL: a real exchange is not served as long as callers are not told apart: ${HOW}`);
  return found;
}

import type { ClientSettings } from "./clientSettings.js";
import { isLoopback } from "./loopback.js";

const HOW =
  "create a token with `npm run token -- create <name> --scope read:account --file clients.json` and set CLIENTS_FILE=clients.json, or set JWT_ISSUER, JWT_AUDIENCE and one of JWT_SECRET, JWT_JWKS_FILE, JWT_JWKS_URL";

interface ExchangeAddresses {
  readonly EXCHANGE_BASE_URL?: URL | undefined;
  readonly EXCHANGE_WS_URL?: URL | undefined;
}

const addressesOf = ({ EXCHANGE_BASE_URL, EXCHANGE_WS_URL }: ExchangeAddresses): readonly (readonly [string, URL])[] =>
  Object.entries({ EXCHANGE_BASE_URL, EXCHANGE_WS_URL }).flatMap(([name, url]) =>
    url === undefined || isLoopback(url.hostname) ? [] : [[name, url] as const],
  );

/** Whether real money may be involved. An exchange on a loopback address is a sandbox. */
export const isReal = (exchange: ExchangeAddresses): boolean => addressesOf(exchange).length > 0;

/** Addresses of other machines without TLS, to which keys would be sent in plain text. */
export const inTheClear = (exchange: ExchangeAddresses): string[] =>
  addressesOf(exchange).flatMap(([name, { protocol }]) =>
    protocol === "https:" || protocol === "wss:"
      ? []
      : [`${name}: must be ${protocol.replace(":", "s:")}// for another machine, because keys are sent to it`],
  );

/** Configurations that are refused without clients: listening on other than loopback addresses, and a real exchange. */
export function exposures(host: string, exchange: ExchangeAddresses, clients: ClientSettings | undefined): string[] {
  if (clients !== undefined) return [];
  const found: string[] = [];
  if (!isLoopback(host))
    found.push(
      `HOST: must be 127.0.0.1, ::1 or localhost without clients, and is "${host}". To listen on other addresses: ${HOW}`,
    );
  if (isReal(exchange)) found.push(`EXCHANGE_BASE_URL: a real exchange requires clients: ${HOW}`);
  return found;
}

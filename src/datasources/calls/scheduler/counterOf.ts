import type { Endpoint, RateLimit } from "@exchange-graph/contract/endpoint";
import type { KnownUsers } from "../accounts/accounts.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";

/** The counter of all calls from this address. */
export const ADDRESS_COUNTER = "IP";

/** The exchange's counter for a call, and its limit. */
export interface Counter {
  /** The exchange's user or its placeholder, or `IP` for all calls from this address. */
  readonly counter: string;
  readonly rate: RateLimit;
}

/**
 * The counter of an account's calls to an endpoint: the exchange counts for a user, whatever its accounts are called. Copy-trading
 * traders have lower limits on some endpoints.
 */
export function counterOf(
  { rate }: Pick<Endpoint, "rate">,
  account: ExchangeAccount | undefined,
  users: Pick<KnownUsers, "idOf">,
): Counter {
  const { limit, copyTrader = limit } = rate;
  return {
    counter: rate.per === "UID" ? (account === undefined ? "" : users.idOf(account)) : ADDRESS_COUNTER,
    rate: account?.isCopyTrader === true ? { ...rate, limit: copyTrader } : rate,
  };
}

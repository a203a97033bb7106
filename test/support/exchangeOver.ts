import type { Credential } from "@exchange-graph/sandbox/credentials";
import {
  createDataSource,
  type DataSource,
  type ExchangeAccount,
  type ExchangeSettings,
  Secret,
} from "../../src/datasources/index.js";

/** An account with arbitrary keys, for exchanges that do not check them. */
export const accountNamed = (name: string, more: Partial<ExchangeAccount> = {}): ExchangeAccount => ({
  name,
  credentials: {
    apiKey: new Secret(`${name}-key`),
    apiSecret: new Secret(`${name}-secret`),
    passphrase: new Secret(`${name}pass1`),
  },
  isCopyTrader: false,
  ...more,
});

/** An account with a key of the sandbox. */
export const sandboxAccount = (
  name: string,
  { key, secret, passphrase }: Pick<Credential, "key" | "secret" | "passphrase">,
): ExchangeAccount =>
  accountNamed(name, {
    credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
  });

/** The account of this name, which there is. */
export function accountIn({ account }: DataSource, name: string): ExchangeAccount {
  const found = account(name);
  if (found === undefined) throw new Error(`no account ${name}`);
  return found;
}

/** A data source over an exchange at this address. */
export const exchangeOver = (baseUrl: URL, settings: Partial<ExchangeSettings> = {}): DataSource =>
  createDataSource({
    baseUrl,
    accounts: [accountNamed("main"), accountNamed("classic")],
    demo: false,
    deadlineMs: 5_000,
    connections: 8,
    cacheEntries: 1_000,
    // Garbage collection counts the memory of a cache, however little of it is used.
    cacheBytes: 16_000_000,
    random: () => 0,
    ...settings,
  });

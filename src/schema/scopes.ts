/**
 * What a client can be allowed to do. The scopes that read change nothing; each of the others writes one kind of thing,
 * and none of them includes another.
 */
export const SCOPES = {
  "read:market": "read what is the same for everybody: instruments, tickers, books, candles, trades",
  "read:account": "read an account: balances, orders, positions, loans, earn products, sub-accounts, its journal",
  trade: "place, change and cancel orders, convert coins, set leverage, hold mode and margin",
  earn: "take coins out of earn products",
  broker: "change a broker's sub-accounts",
  withdraw: "withdraw coins",
  admin: "watch the gateway itself, its metrics included, halt and resume trading, and upgrade accounts",
} as const;

export type Scope = keyof typeof SCOPES;

/** All scopes, in the order in which they are listed. */
export const SCOPE_NAMES: readonly Scope[] = ["read:market", "read:account", "trade", "earn", "broker", "withdraw", "admin"];

/** Market data belongs to no account; every other scope is granted account by account. */
export const isAccountBound = (scope: Scope): boolean => scope !== "read:market";

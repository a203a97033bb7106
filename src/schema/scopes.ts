/**
 * Scopes of clients. The scopes `read:…` change nothing; each of the others allows one kind of write, and none includes another.
 */
export const SCOPES = {
  "read:market": "read public data: instruments, tickers, books, candles, trades",
  "read:account": "read an account: balances, orders, positions, loans, earn products, sub-accounts, its journal",
  trade: "place, change and cancel orders, convert coins, set leverage, hold mode and margin",
  earn: "take coins out of earn products",
  broker: "change a broker's sub-accounts",
  withdraw: "withdraw coins",
  admin: "read the gateway's state and metrics, halt and resume trading, and upgrade accounts",
} as const;

export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES: readonly Scope[] = ["read:market", "read:account", "trade", "earn", "broker", "withdraw", "admin"];

/** Whether a scope is granted per account. Market data belongs to no account. */
export const isAccountBound = (scope: Scope): boolean => scope !== "read:market";

import type { Credentials } from "../exchange/client.js";

/** How accounts may be called. Keys are built of names, so none holds a sign that divides one. */
export const ACCOUNT_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
/** As many as one gateway serves. */
export const MAX_ACCOUNTS = 50;

/** One configured account: its name in the graph and what signs for it. */
export interface ExchangeAccount {
  readonly name: string;
  readonly credentials: Credentials;
  /** A copy-trading trader has lower limits for placing orders. */
  readonly isCopyTrader: boolean;
}

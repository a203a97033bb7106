import type { Credentials } from "../exchange/client.js";

/** One configured account: its name in the graph and what signs for it. */
export interface ExchangeAccount {
  readonly name: string;
  readonly credentials: Credentials;
  /** A copy-trading trader has lower limits for placing orders. */
  readonly isCopyTrader: boolean;
}

import type { Exact } from "@exchange-graph/contract/decimal";
import type { IdSequence } from "./ids.js";
import type { Ledger, Wallet } from "./ledger.js";

/** What the services that do not trade (loans, earn, broker, convert) have in common. */
export interface BackOffice {
  /** The time of the world, Unix ms. */
  readonly now: () => number;
  readonly ledger: Ledger;
  readonly ids: IdSequence;
  /** What one unit of a coin is worth in USDT now. Throws for a coin that the exchange does not know. */
  readonly usdtPrice: (coin: string) => Exact;
  /** The wallet that a user pays from and is paid into: `unified` or `spot`, as the account's mode has it. */
  readonly fundsOf: (uid: string) => Wallet;
}

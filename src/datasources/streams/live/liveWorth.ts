import type { AccountMode } from "../../calls/index.js";
import type { Prices } from "../../reads/index.js";
import type { AccountHoldings } from "../state/holdings.js";

/** What an account holds at current prices, all of it proven. */
export interface LiveWorth {
  readonly mode: AccountMode;
  readonly holdings: AccountHoldings;
  /** The prices of its positions and their coins. A Classic account's spot balances have none. */
  readonly prices: Prices;
  /** When its lists were last compared with the exchange, the earliest of them, Unix ms. */
  readonly comparedAt: number | undefined;
  /** The exchange's time, Unix ms. */
  readonly time: number;
}

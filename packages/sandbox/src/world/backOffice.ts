import type { Exact } from "@exchange-graph/contract/decimal";
import type { IdSequence } from "./ids.js";
import type { Ledger, Wallet } from "./ledger.js";

/** Dependencies of the services other than trading (loans, earn, broker, convert). */
export interface BackOffice {
  /** The time of the world, Unix ms. */
  readonly now: () => number;
  readonly ledger: Ledger;
  readonly ids: IdSequence;
  /** Price of a coin in USDT now. Throws for a coin that the exchange does not know. */
  readonly usdtPrice: (coin: string) => Exact;
  /** The wallet from which a user pays and into which it is paid: `unified` or `spot`, depending on the account's mode. */
  readonly fundsOf: (uid: string) => Wallet;
}

/**
 * A copy of the back office as of now, to create a user's history later with the same result. `ids`: maximum number of ids for
 * it. `coins`: those whose prices are needed.
 */
export function asOfNow(office: BackOffice, ids: number, coins: readonly string[] = []): BackOffice {
  const now = office.now();
  const prices = new Map(coins.map((coin) => [coin, office.usdtPrice(coin)]));
  const usdtPrice = (coin: string): Exact => {
    const price = prices.get(coin);
    if (price === undefined) throw new RangeError(`the price of ${coin} was not kept`);
    return price;
  };
  return { ...office, now: () => now, ids: office.ids.reserved(ids), usdtPrice };
}

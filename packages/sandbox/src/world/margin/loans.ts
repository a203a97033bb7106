import type { Exact } from "@exchange-graph/contract/decimal";
import { totalDebt } from "../funds/debts.js";
import { type Wallet, ZERO } from "../ledger.js";
import type { State } from "../state.js";
import type { Prices } from "./prices.js";

/** A Classic margin wallet with borrowed coins; both figures are in USD. */
interface MarginLoans {
  readonly debts: Exact;
  /** Balances minus debts. */
  readonly worth: Exact;
}

/** Computes debt and value of a Classic margin wallet, at these prices. */
export function marginLoans(state: State, wallet: Wallet, prices: Prices): MarginLoans {
  let debts = ZERO;
  let worth = ZERO;
  for (const [coin] of state.ledger.coins(wallet)) {
    const debt = totalDebt(state.debts.of(wallet, coin)).times(prices.coin(coin, true));
    debts = debts.plus(debt);
    worth = worth.plus(state.ledger.held(wallet, coin).times(prices.coin(coin))).minus(debt);
  }
  return { debts, worth };
}

import type { Exact } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { tradingWallet } from "../funds/wallets.js";
import { type Balance, ZERO } from "../ledger.js";
import { least, most } from "../money.js";
import type { State } from "../state.js";
import { figuresOf } from "./figures.js";
import { type Prices, presentPrices } from "./prices.js";

/** The margin of a Classic futures wallet in one coin; all amounts are in that coin. */
export interface ClassicMargin {
  readonly balance: Balance;
  readonly crossedMargin: Exact;
  readonly crossedUnrealised: Exact;
  readonly crossedMaintenance: Exact;
  readonly isolatedMargin: Exact;
  readonly isolatedUnrealised: Exact;
  /** Total balance of the wallet, with all unrealised profit and loss. */
  readonly equity: Exact;
  /** Equity behind the cross positions. */
  readonly crossedEquity: Exact;
  /**
   * Available for opening positions; never below zero. An unrealised loss reduces it, an unrealised profit does not increase it.
   */
  readonly free: Exact;
}

export function classicMargin(
  state: State,
  uid: string,
  category: FuturesCategory,
  coin: string,
  prices: Prices = presentPrices(state),
): ClassicMargin {
  const balance = state.ledger.balance(tradingWallet(state.accounts.of(uid), category), coin);
  let crossedMargin = ZERO;
  let crossedUnrealised = ZERO;
  let crossedMaintenance = ZERO;
  let isolatedUnrealised = ZERO;
  for (const position of state.positions.open(uid)) {
    if (position.category !== category || position.marginCoin !== coin) continue;
    const figures = figuresOf(state, position, prices);
    if (position.marginMode === "isolated") {
      isolatedUnrealised = isolatedUnrealised.plus(figures.unrealised);
    } else {
      crossedMargin = crossedMargin.plus(figures.initial);
      crossedUnrealised = crossedUnrealised.plus(figures.unrealised);
      crossedMaintenance = crossedMaintenance.plus(figures.maintenance);
    }
  }
  const crossedEquity = balance.available.plus(balance.frozen).plus(crossedUnrealised);
  return {
    balance,
    crossedMargin,
    crossedUnrealised,
    crossedMaintenance,
    isolatedMargin: balance.locked,
    isolatedUnrealised,
    equity: crossedEquity.plus(balance.locked).plus(isolatedUnrealised),
    crossedEquity,
    free: most(ZERO, balance.available.minus(crossedMargin).plus(least(ZERO, crossedUnrealised))),
  };
}

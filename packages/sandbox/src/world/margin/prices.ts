import type { Exact } from "@exchange-graph/contract/decimal";
import type { Stretch } from "../market/path.js";
import type { Position } from "../positions/position.js";
import { markPrice, type State, usdtPrice } from "../state.js";

export interface Prices {
  mark(position: Pick<Position, "category" | "symbol" | "side">): Exact;
  /** Price of a coin in USD; `isOwed`: for a coin that the account owes. */
  coin(coin: string, isOwed?: boolean): Exact;
}

export const presentPrices = (state: State): Prices => ({
  mark: ({ category, symbol }) => markPrice(state, category, symbol),
  coin: (coin) => usdtPrice(state, coin),
});

/**
 * Worst-case prices of a period for an account, each one independently: longs at the lowest mark, shorts at the highest, balances
 * at their lowest, debts at their highest. An account that is safe at these prices is safe during the whole period.
 */
export const worstPrices = (state: State, stretch: Stretch): Prices => ({
  mark({ category, symbol, side }) {
    const { listing } = state.markets.of(category, symbol);
    const { low, high } = listing.range(stretch, "mark");
    return listing.grid.price(side === "long" ? low : high);
  },
  coin(coin, isOwed = false) {
    const market = state.markets.find("SPOT", `${coin}USDT`);
    if (market === undefined) return usdtPrice(state, coin);
    const { low, high } = market.listing.range(stretch);
    return market.listing.grid.price(isOwed ? high : low);
  },
});

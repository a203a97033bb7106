import type { Exact } from "@exchange-graph/contract/decimal";
import type { Stretch } from "../market/path.js";
import type { Position } from "../positions/position.js";
import { markPrice, type State, usdtPrice } from "../state.js";

/** The prices at which margin is reckoned. */
export interface Prices {
  mark(position: Pick<Position, "category" | "symbol" | "side">): Exact;
  /** A coin in USD; `isOwed`: one that counts against the account. */
  coin(coin: string, isOwed?: boolean): Exact;
}

/** The prices of this moment. */
export const presentPrices = (state: State): Prices => ({
  mark: ({ category, symbol }) => markPrice(state, category, symbol),
  coin: (coin) => usdtPrice(state, coin),
});

/**
 * The worst that a stretch of time has in store for an account, each price by itself: longs at the lowest mark, shorts at the
 * highest, coins that are held at their lowest, coins that are owed at their highest. Who is safe then is safe
 * throughout.
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

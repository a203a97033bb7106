import type { FuturesCategory } from "../../../contract/vocabulary.js";
import { isUnified, tradingWallet } from "../funds/wallets.js";
import { type Wallet, ZERO } from "../ledger.js";
import type { Position } from "../positions/position.js";
import type { State } from "../state.js";
import { classicMargin } from "./classic.js";
import { figuresOf } from "./figures.js";
import type { Prices } from "./prices.js";
import { unifiedMargin } from "./unified.js";

/** Coins that stand behind cross positions together: all of a unified account, or one coin of a Classic futures wallet. */
export interface Pool {
  readonly wallet: Wallet;
  readonly positions: readonly Position[];
  /** Is its margin above what has to be maintained? */
  isSafe(prices: Prices): boolean;
  /** Does the order draw on this pool? */
  holds(order: { readonly category: string; readonly position?: { readonly marginCoin: string } | undefined }): boolean;
}

/** An isolated position is safe while its own margin and result are above what has to be maintained. */
export function isIsolatedSafe(state: State, position: Position, prices: Prices): boolean {
  const { unrealised, maintenance } = figuresOf(state, position, prices);
  return position.margin.plus(unrealised).gt(maintenance);
}

/** The pools of an account that have something at stake. */
export function poolsOf(state: State, uid: string): readonly Pool[] {
  const account = state.accounts.of(uid);
  const crossed = [...state.positions.open(uid)].filter(({ marginMode }) => marginMode === "crossed");
  if (isUnified(account)) {
    return crossed.length > 0 || state.debts.owes(uid) ? [unifiedPool(state, uid, crossed)] : [];
  }
  const names = new Map(crossed.map((position) => [`${position.category}/${position.marginCoin}`, position]));
  return [...names.values()].map(({ category, marginCoin }) =>
    classicPool(
      state,
      uid,
      category,
      marginCoin,
      crossed.filter((position) => position.category === category && position.marginCoin === marginCoin),
    ),
  );
}

const unifiedPool = (state: State, uid: string, positions: readonly Position[]): Pool => ({
  wallet: tradingWallet(state.accounts.of(uid), "SPOT"),
  positions,
  isSafe(prices) {
    const { effective, maintenance } = unifiedMargin(state, uid, prices);
    return maintenance.eq(ZERO) || effective.gt(maintenance);
  },
  holds: () => true,
});

const classicPool = (
  state: State,
  uid: string,
  category: FuturesCategory,
  coin: string,
  positions: readonly Position[],
): Pool => ({
  wallet: tradingWallet(state.accounts.of(uid), category),
  positions,
  isSafe(prices) {
    const { crossedEquity, crossedMaintenance } = classicMargin(state, uid, category, coin, prices);
    return crossedEquity.gt(crossedMaintenance);
  },
  holds: (order) => order.category === category && order.position?.marginCoin === coin,
});

/** Is nothing of an account near its liquidation at these prices? */
export const isSafe = (state: State, uid: string, prices: Prices): boolean =>
  poolsOf(state, uid).every((pool) => pool.isSafe(prices)) &&
  [...state.positions.open(uid)].every(
    (position) => position.marginMode === "crossed" || isIsolatedSafe(state, position, prices),
  );

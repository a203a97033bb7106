import type { Exact } from "@exchange-graph/contract/decimal";
import { totalDebt } from "../funds/debts.js";
import { isUnified, tradingWallet } from "../funds/wallets.js";
import { type Wallet, ZERO } from "../ledger.js";
import type { Order } from "../orders/order.js";
import type { Position } from "../positions/position.js";
import type { State } from "../state.js";
import { classicMargin } from "./classic.js";
import { figuresOf } from "./figures.js";
import type { Prices } from "./prices.js";
import { DEBT_MAINTENANCE, unifiedMargin } from "./unified.js";

/**
 * Coins that together back cross positions or debts: all of a unified account, one coin of a Classic futures wallet, or a Classic
 * margin wallet.
 */
export interface Pool {
  readonly wallet: Wallet;
  readonly positions: readonly Position[];
  /** Whether its margin is above the maintenance margin. */
  isSafe(prices: Prices): boolean;
  /** Whether the order uses margin of this pool. */
  holds(order: Pick<Order, "category" | "position">): boolean;
}

/** An isolated position is safe while its margin and unrealised result exceed the maintenance margin. */
export function isIsolatedSafe(state: State, position: Position, prices: Prices): boolean {
  const { unrealised, maintenance } = figuresOf(state, position, prices);
  return position.margin.plus(unrealised).gt(maintenance);
}

/** The pools of an account that can be liquidated. */
export function poolsOf(state: State, uid: string): readonly Pool[] {
  const account = state.accounts.of(uid);
  const crossed = [...state.positions.open(uid)].filter(({ marginMode }) => marginMode === "crossed");
  if (isUnified(account)) {
    return crossed.length > 0 || state.debts.owes(uid) ? [unifiedPool(state, uid, crossed)] : [];
  }
  const pools = new Map<string, Position[]>();
  for (const position of crossed) {
    const key = `${position.category}/${position.marginCoin}`;
    pools.set(key, [...(pools.get(key) ?? []), position]);
  }
  const futures = [...pools.values()].flatMap((positions) => classicPool(state, uid, positions) ?? []);
  return state.debts.owes(uid) ? [...futures, loanPool(state, tradingWallet(account, "MARGIN"))] : futures;
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

function classicPool(state: State, uid: string, positions: readonly Position[]): Pool | undefined {
  const [first] = positions;
  if (first === undefined) return undefined;
  const { category, marginCoin } = first;
  return {
    wallet: tradingWallet(state.accounts.of(uid), category),
    positions,
    isSafe(prices) {
      const { crossedEquity, crossedMaintenance } = classicMargin(state, uid, category, marginCoin, prices);
      return crossedEquity.gt(crossedMaintenance);
    },
    holds: (order) => order.category === category && order.position?.marginCoin === marginCoin,
  };
}

/** A Classic margin wallet with borrowed coins; both figures are in USD. */
interface MarginLoans {
  readonly debts: Exact;
  /** Balances minus debts. */
  readonly worth: Exact;
}

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

const loanPool = (state: State, wallet: Wallet): Pool => ({
  wallet,
  positions: [],
  isSafe(prices) {
    const { debts, worth } = marginLoans(state, wallet, prices);
    return worth.gte(debts.times(DEBT_MAINTENANCE));
  },
  holds: ({ category }) => category === "MARGIN",
});

/** Whether no position of an account can be liquidated at these prices. */
export const isSafe = (state: State, uid: string, prices: Prices): boolean =>
  poolsOf(state, uid).every((pool) => pool.isSafe(prices)) &&
  [...state.positions.open(uid)].every(
    (position) => position.marginMode === "crossed" || isIsolatedSafe(state, position, prices),
  );

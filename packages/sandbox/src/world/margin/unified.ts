import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { Collateral } from "../catalogue/collateral.js";
import { totalDebt } from "../funds/debts.js";
import { type Balance, walletOf, ZERO } from "../ledger.js";
import { least } from "../money.js";
import type { State } from "../state.js";
import { figuresOf, orderMargins } from "./figures.js";
import { type Prices, presentPrices } from "./prices.js";

/** A coin of a unified account. Amounts in the coin, `usdValue` in USD. */
export interface UnifiedCoin {
  readonly coin: string;
  readonly balance: Exact;
  readonly available: Exact;
  /** Locked for spot orders and isolated positions. */
  readonly locked: Exact;
  readonly unrealised: Exact;
  readonly debt: Exact;
  readonly equity: Exact;
  readonly usdValue: Exact;
}

/** A unified account as one pool of margin; all amounts are in USD. */
export interface UnifiedMargin {
  readonly coins: readonly UnifiedCoin[];
  readonly equity: Exact;
  /** Effective margin: coins at their collateral rates, without amounts locked for isolated positions. */
  readonly effective: Exact;
  readonly unrealised: Exact;
  readonly initial: Exact;
  readonly maintenance: Exact;
  readonly positionMaintenance: Exact;
  readonly positionValue: Exact;
  /** Margin that positions, orders and debts do not use; negative if they exceed it. */
  readonly free: Exact;
}

/** Maintenance margin of a debt, as a fraction of its value. */
export const DEBT_MAINTENANCE = exact("0.02");

const add = (sums: Map<string, Exact>, coin: string, amount: Exact): void => {
  sums.set(coin, (sums.get(coin) ?? ZERO).plus(amount));
};

export function unifiedMargin(state: State, uid: string, prices: Prices = presentPrices(state)): UnifiedMargin {
  const wallet = walletOf(uid, "unified");
  const { gains, isolated, ...sums } = positionSums(state, uid, prices);
  for (const { coin, margin } of orderMargins(state, uid)) sums.initial = sums.initial.plus(margin.times(prices.coin(coin)));
  const balances = new Map(state.ledger.coins(wallet));
  const names = new Set([...balances.keys(), ...gains.keys()]);
  const account = state.accounts.of(uid);
  let equity = ZERO;
  let effective = ZERO;
  const coins: UnifiedCoin[] = [];
  for (const coin of [...names].sort()) {
    const row = coinOf(coin, balances.get(coin), gains.get(coin) ?? ZERO, totalDebt(state.debts.of(wallet, coin)), prices);
    coins.push(row);
    equity = equity.plus(row.usdValue);
    const counted = row.equity.minus(isolated.get(coin) ?? ZERO);
    const atDiscount = discounted(counted, state.catalogue.collateralOf(coin));
    effective = effective.plus(atDiscount.times(prices.coin(coin, counted.lt(ZERO))));
    const debt = row.debt.times(prices.coin(coin, true));
    sums.initial = sums.initial.plus(debt.div(String(account.coinLeverage(coin))));
    sums.maintenance = sums.maintenance.plus(debt.times(DEBT_MAINTENANCE));
  }
  return { ...sums, coins, equity, effective, free: effective.minus(sums.initial) };
}

function positionSums(state: State, uid: string, prices: Prices) {
  const sums = {
    gains: new Map<string, Exact>(),
    /** Locked for isolated positions, and their unrealised profit: not available as other margin. */
    isolated: new Map<string, Exact>(),
    unrealised: ZERO,
    initial: ZERO,
    maintenance: ZERO,
    positionMaintenance: ZERO,
    positionValue: ZERO,
  };
  for (const position of state.positions.open(uid)) {
    const { unrealised, value, initial, maintenance } = figuresOf(state, position, prices);
    const price = prices.coin(position.marginCoin, true);
    add(sums.gains, position.marginCoin, unrealised);
    sums.unrealised = sums.unrealised.plus(unrealised.times(price));
    sums.positionValue = sums.positionValue.plus(value.times(price));
    sums.positionMaintenance = sums.positionMaintenance.plus(maintenance.times(price));
    if (position.marginMode === "isolated") {
      add(sums.isolated, position.marginCoin, position.margin.plus(unrealised));
    } else {
      sums.initial = sums.initial.plus(initial.times(price));
      sums.maintenance = sums.maintenance.plus(maintenance.times(price));
    }
  }
  return sums;
}

function coinOf(coin: string, balance: Balance | undefined, gain: Exact, debt: Exact, prices: Prices): UnifiedCoin {
  const available = balance?.available ?? ZERO;
  const locked = balance === undefined ? ZERO : balance.frozen.plus(balance.locked);
  const held = available.plus(locked);
  const equity = held.plus(gain).minus(debt);
  return {
    coin,
    balance: held,
    available,
    locked,
    unrealised: gain,
    debt,
    equity,
    usdValue: equity.times(prices.coin(coin, equity.lt(ZERO))),
  };
}

/** Amount of a coin that counts as margin. A debt counts in full. */
export function discounted(amount: Exact, collateral: Collateral | undefined): Exact {
  if (amount.lte(ZERO)) return amount;
  let sum = ZERO;
  const tiers = collateral?.tiers ?? [];
  for (const [at, { minAmount, rate }] of tiers.entries()) {
    if (amount.lte(minAmount)) break;
    const next = tiers[at + 1];
    const upTo = next === undefined ? amount : least(amount, next.minAmount);
    sum = sum.plus(upTo.minus(minAmount).times(rate));
  }
  return sum;
}

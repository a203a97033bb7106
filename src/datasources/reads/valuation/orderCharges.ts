import { type Exact, exact, isZero } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import type { Position } from "@exchange-graph/contract/position";
import { isFuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { MarginRules, Prices } from "./marginRules.js";
import { crossMarginAt } from "./markToMarket.js";
import { ZERO } from "./positionFigures.js";

/** The initial margin that a unified account's open orders and debts take, as far as it follows from them. */

/** Margin that is taken: an amount of a coin at its price, divided by a leverage. */
export interface Charge {
  readonly coin: string;
  readonly amount: Exact;
  readonly leverage: Exact;
}
export type Charges = readonly Charge[];

const ONE = exact("1");
/** Highest leverages that are tried where the exchange does not show the one of a contract, or of a borrowed coin. */
const MAX_LEVERAGE = 150;
const MAX_COIN_LEVERAGE = 10;

/** An amount that takes margin: an order's quantity, or a debt. */
interface Demand {
  readonly isDebt: boolean;
  readonly leverage: Exact | undefined;
  charge(leverage: Exact): Charge;
}

interface Charged {
  readonly orders: readonly Order[];
  readonly positions: readonly Position[];
  readonly debts: readonly { readonly coin: string; readonly amount: Exact }[];
}

/**
 * Every set of charges that the account's orders and debts may take, the likeliest first. There is more than one where a leverage
 * is not known: the exchange does not show those that are at their default. Empty if an order's margin cannot be computed.
 */
export function possibleCharges(charged: Charged, rules: MarginRules): readonly Charges[] {
  const demands = demandsOf(charged, rules);
  if (demands === undefined) return [];
  const guesses = (isDebt: boolean, most: number) =>
    demands.some((demand) => demand.isDebt === isDebt && demand.leverage === undefined)
      ? Array.from({ length: most }, (_, at) => exact(String(at + 1)))
      : [ONE];
  return guesses(false, MAX_LEVERAGE).flatMap((leverage) =>
    guesses(true, MAX_COIN_LEVERAGE).map((coinLeverage) => chargesOf(demands, leverage, coinLeverage)),
  );
}

const chargesOf = (demands: readonly Demand[], leverage: Exact, coinLeverage: Exact): Charges =>
  demands.map((demand) => demand.charge(demand.leverage ?? (demand.isDebt ? coinLeverage : leverage)));

function demandsOf({ orders, positions, debts }: Charged, rules: MarginRules): readonly Demand[] | undefined {
  const demands: Demand[] = debts.map(({ coin, amount }) => ({
    isDebt: true,
    leverage: rules.coinLeverage(coin),
    charge: (leverage) => ({ coin, amount, leverage }),
  }));
  for (const { order, opening } of withOpening(orders, positions)) {
    const demand = opening.eq(ZERO) ? null : orderDemand(order, opening, positions, rules);
    if (demand === undefined) return undefined;
    if (demand !== null) demands.push(demand);
  }
  return demands;
}

function orderDemand(order: Order, opening: Exact, positions: readonly Position[], rules: MarginRules): Demand | undefined {
  const { category, symbol, price, marginMode } = order;
  const coin = rules.contract(category, symbol)?.marginCoin;
  if (coin === undefined || price === null || !isFuturesCategory(category)) return undefined;
  const held = positions.find((one) => isSameContract(one, order) && (one.marginMode === marginMode || marginMode === null));
  return {
    isDebt: false,
    leverage: held?.leverage == null || isZero(held.leverage) ? rules.leverage(category, symbol) : exact(held.leverage),
    // The exchange rounds the margin of an order in its coin.
    charge: (leverage) => ({ coin, amount: crossMarginAt({ category }, opening, exact(price), leverage), leverage: ONE }),
  };
}

const isSameContract = (position: Position, order: Order): boolean =>
  position.category === order.category && position.symbol === order.symbol;

const remainingOf = ({ qty, cumExecQty }: Order): Exact => exact(qty ?? "0").minus(exact(cumExecQty ?? "0"));

/**
 * The part of each order that increases a position. In one-way mode an order first closes what no earlier closing order claims;
 * in hedge mode an order on the other side of its position closes.
 */
function withOpening(orders: readonly Order[], positions: readonly Position[]) {
  const claimed = new Map<string, Exact>();
  const sorted = [...orders].sort((one, other) => (one.createdTime ?? 0) - (other.createdTime ?? 0));
  return sorted.map((order) => {
    const remaining = remainingOf(order);
    const opens = order.side === "buy" ? "long" : "short";
    if (order.holdMode === "hedge_mode") return { order, opening: order.posSide === opens ? remaining : ZERO };
    const against = positions.find((one) => isSameContract(one, order) && one.posSide !== opens);
    const key = `${order.category} ${order.symbol} ${opens}`;
    const taken = claimed.get(key) ?? ZERO;
    const closable = most(
      ZERO,
      exact(against?.qty ?? "0")
        .abs()
        .minus(taken),
    );
    const closing = order.isReduceOnly === true ? remaining : least(remaining, closable);
    claimed.set(key, taken.plus(closing));
    return { order, opening: remaining.minus(closing) };
  });
}

const least = (one: Exact, other: Exact): Exact => (one.lt(other) ? one : other);
const most = (one: Exact, other: Exact): Exact => (one.gt(other) ? one : other);

/** The value of charges in USD; undefined if a price is not known. */
export function inUsd(charges: Charges, prices: Prices): Exact | undefined {
  let sum = ZERO;
  for (const { coin, amount, leverage } of charges) {
    const price = prices.coin(coin);
    if (price === undefined) return undefined;
    sum = sum.plus(amount.times(price).div(leverage));
  }
  return sum;
}

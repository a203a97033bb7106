import { type DecimalText, type Exact, exact, isZero, plain, quotient, truncated } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import Big from "big.js";

/**
 * A position's figures at another mark price, between two messages of the exchange. A formula is used only if it reproduces,
 * digit by digit, the exchange's last figure; otherwise that figure is kept.
 */

/** Decimals of an amount of margin coin. */
const PLACES = 8;
/** Possible numbers of decimals of a profit rate; the exchange uses different ones in different places. */
export const RATE_PLACES = [8, 10, 12] as const;
const MOST_RATE_PLACES = 12;

/** Whether it is settled in its base coin. */
export const isInverse = ({ category }: Pick<Position, "category">): boolean => category === "COIN-FUTURES";

/** A profit or loss is rounded down, a margin up. */
const floor = (amount: Exact): Exact => amount.round(PLACES, amount.lt("0") ? Big.roundUp : Big.roundDown);
export const ceiling = (amount: Exact): Exact => amount.round(PLACES, Big.roundUp);

/**
 * The cost of the quantity, in quote coin. The average price is cut off after eight decimals: of the costs that it can result
 * from, the one with the fewest decimals is the sum of trades at actual prices.
 */
function shortestCost(qty: Exact, avgPrice: Exact): Exact {
  const least = qty.times(avgPrice);
  const most = least.plus(qty.times("0.00000001"));
  for (let places = 0; places < PLACES; places++) {
    const cost = least.round(places, Big.roundUp);
    if (cost.lt(most)) return cost;
  }
  return least.round(PLACES, Big.roundUp);
}

/** A profit in quote coin gives the cost exactly; in base coin it does not. */
function costs(position: Position, qty: Exact, avgPrice: Exact, mark: Exact, profit: Exact): readonly Exact[] {
  const shortest = shortestCost(qty, avgPrice);
  if (isInverse(position)) return [shortest];
  const value = qty.times(mark);
  return [position.posSide === "short" ? value.plus(profit) : value.minus(profit), shortest];
}

/** Costs of positions, which are computed at every change of a price. */
const costsOf = new WeakMap<Position, Exact | "unknown">();

/** The cost of a position, in quote coin; undefined if it does not reproduce the exchange's figures. */
export function costOf(position: Position): Exact | undefined {
  const cost = costsOf.get(position) ?? provenCostOf(position) ?? "unknown";
  costsOf.set(position, cost);
  return cost === "unknown" ? undefined : cost;
}

function provenCostOf(position: Position): Exact | undefined {
  const { qty, avgPrice, markPrice, unrealisedPnl, posSide } = position;
  if (qty === null || avgPrice === null || markPrice === null || unrealisedPnl === null) return undefined;
  if (isZero(qty) || isZero(markPrice) || (posSide !== "long" && posSide !== "short")) return undefined;
  const [size, average, mark, profit] = [exact(qty).abs(), exact(avgPrice), exact(markPrice), exact(unrealisedPnl)];
  return costs(position, size, average, mark, profit).find(
    (cost) => quotient(cost, size, PLACES).eq(average) && profitAt(position, cost, size, mark).eq(profit),
  );
}

/** The unrealised profit at a mark price: the result of closing the whole position there, in margin coin. */
export function profitAt(position: Pick<Position, "category" | "posSide">, cost: Exact, qty: Exact, mark: Exact): Exact {
  const value = qty.times(mark);
  const gain = position.posSide === "short" ? cost.minus(value) : value.minus(cost);
  return floor(isInverse(position) ? gain.div(mark) : gain);
}

/** The margin of a cross position at a mark price: its value divided by its leverage. */
export const crossMarginAt = (position: Pick<Position, "category">, qty: Exact, mark: Exact, leverage: Exact): Exact =>
  ceiling((isInverse(position) ? qty : qty.times(mark)).div(leverage));

/** Whether a formula reproduces the exchange's figure. */
const gives = (found: Exact, reported: DecimalText): boolean => found.eq(exact(reported));

/** The position at another mark price; unchanged if the inputs of its figures are not known. */
export function markedTo(position: Position, markPrice: DecimalText): Position {
  const cost = isZero(markPrice) ? undefined : costOf(position);
  if (cost === undefined || position.qty === null || position.markPrice === null) return position;
  const [size, from, to] = [exact(position.qty).abs(), exact(position.markPrice), exact(markPrice)];
  const profit = plain(profitAt(position, cost, size, to));
  const margin = marginAt(position, size, from, to);
  return { ...position, markPrice, unrealisedPnl: profit, margin, profitRate: rateAt(position, profit, margin) };
}

/** An isolated position keeps its assigned margin at any price. */
function marginAt(position: Position, qty: Exact, from: Exact, to: Exact): DecimalText | null {
  const { margin, leverage, marginMode } = position;
  if (marginMode !== "crossed" || margin === null || leverage === null || isZero(leverage)) return margin;
  const by = exact(leverage);
  return gives(crossMarginAt(position, qty, from, by), margin) ? plain(crossMarginAt(position, qty, to, by)) : margin;
}

/** The numbers of decimals that the profit rate may have been rounded to: each one that reproduces it. */
export function ratePlacesOf({ unrealisedPnl, margin, profitRate }: Position): readonly number[] {
  if (profitRate === null || unrealisedPnl === null || margin === null || isZero(margin)) return [];
  const rate = quotient(exact(unrealisedPnl), exact(margin), MOST_RATE_PLACES);
  return RATE_PLACES.filter((places) => gives(truncated(rate, places), profitRate));
}

function rateAt(position: Position, profit: DecimalText, margin: DecimalText | null): DecimalText | null {
  const [places] = ratePlacesOf(position);
  if (places === undefined || margin === null || isZero(margin)) return position.profitRate;
  return plain(quotient(exact(profit), exact(margin), places));
}

/**
 * How far the mark price may move against the position until its liquidation, as a fraction of the mark price, cut off after six
 * decimals. Negative if the liquidation price has been passed; `null` without a liquidation price.
 */
export function distanceToLiquidationOf({
  posSide,
  markPrice,
  liquidationPrice,
}: Pick<Position, "posSide" | "markPrice" | "liquidationPrice">): DecimalText | null {
  if (markPrice === null || liquidationPrice === null || isZero(markPrice) || posSide === "UNKNOWN") return null;
  const way = exact(markPrice).minus(exact(liquidationPrice)).div(exact(markPrice));
  return plain(truncated(posSide === "long" ? way : exact("0").minus(way), 6));
}

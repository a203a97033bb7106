import { type DecimalText, type Exact, exact, isZero, plain, truncated } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import Big from "big.js";

/**
 * What a position stands at when the mark price moves, between two words of the exchange. Each formula is used only where
 * it gives back, digit by digit, what the exchange itself said last: where it does not, its figure stays as it was said.
 */

/** Decimals of an amount of margin coin. */
const PLACES = 8;
/** Decimals that the exchange writes a profit rate with, in one place or another. */
const RATE_PLACES = [8, 10, 12] as const;

/** A position as far as its figures move with the mark price. */
type Marked = Pick<
  Position,
  | "category"
  | "posSide"
  | "qty"
  | "avgPrice"
  | "markPrice"
  | "leverage"
  | "marginMode"
  | "margin"
  | "unrealisedPnl"
  | "profitRate"
>;

/** Is it settled in its base coin? */
const isInverse = ({ category }: Marked): boolean => category === "COIN-FUTURES";

/** A result is rounded toward a loss, a margin toward more of it. */
const floor = (amount: Exact): Exact => amount.round(PLACES, amount.lt("0") ? Big.roundUp : Big.roundDown);
const ceiling = (amount: Exact): Exact => amount.round(PLACES, Big.roundUp);

/**
 * What the quantity was opened for, in quote coin. The average price is cut off after eight decimals: of the amounts that
 * it can stand for, the one with the fewest decimals is what trades at real prices add up to.
 */
function costOf(qty: Exact, avgPrice: Exact): Exact {
  const least = qty.times(avgPrice);
  const most = least.plus(qty.times("0.00000001"));
  for (let places = 0; places < PLACES; places++) {
    const cost = least.round(places, Big.roundUp);
    if (cost.lt(most)) return cost;
  }
  return least.round(PLACES, Big.roundUp);
}

/** The unrealised profit at a mark price: what closing all of it there would bring, in margin coin. */
function profitAt(position: Marked, cost: Exact, qty: Exact, mark: Exact): Exact {
  const value = qty.times(mark);
  const gain = position.posSide === "short" ? cost.minus(value) : value.minus(cost);
  return floor(isInverse(position) ? gain.div(mark) : gain);
}

/** The margin of a cross position at a mark price: its value by its leverage. */
const crossMarginAt = (position: Marked, qty: Exact, mark: Exact, leverage: Exact): Exact =>
  ceiling((isInverse(position) ? qty : qty.times(mark)).div(leverage));

/** Does a formula give what the exchange said? */
const gives = (found: Exact, said: DecimalText): boolean => found.eq(exact(said));

/** The position at another mark price; as it is where the exchange has not said what its figures follow from. */
export function markedTo<P extends Marked>(position: P, markPrice: DecimalText): P {
  const { qty, avgPrice, markPrice: last, unrealisedPnl } = position;
  if (qty === null || avgPrice === null || last === null || unrealisedPnl === null) return position;
  if (isZero(qty) || isZero(last) || isZero(markPrice) || (position.posSide !== "long" && position.posSide !== "short"))
    return position;
  const [size, from, to] = [exact(qty).abs(), exact(last), exact(markPrice)];
  const cost = costOf(size, exact(avgPrice));
  if (!gives(profitAt(position, cost, size, from), unrealisedPnl)) return position;
  const profit = plain(profitAt(position, cost, size, to));
  const margin = marginAt(position, size, from, to);
  return { ...position, markPrice, unrealisedPnl: profit, margin, profitRate: rateAt(position, profit, margin) };
}

/** An isolated position has the coins that were set aside for it, whatever the price. */
function marginAt(position: Marked, qty: Exact, from: Exact, to: Exact): DecimalText | null {
  const { margin, leverage, marginMode } = position;
  if (marginMode !== "crossed" || margin === null || leverage === null || isZero(leverage)) return margin;
  const by = exact(leverage);
  return gives(crossMarginAt(position, qty, from, by), margin) ? plain(crossMarginAt(position, qty, to, by)) : margin;
}

function rateAt(position: Marked, profit: DecimalText, margin: DecimalText | null): DecimalText | null {
  const { unrealisedPnl, margin: last, profitRate } = position;
  if (profitRate === null || unrealisedPnl === null || last === null || margin === null) return profitRate;
  if (isZero(last) || isZero(margin)) return profitRate;
  const quotient = exact(unrealisedPnl).div(exact(last));
  const places = RATE_PLACES.find((one) => gives(truncated(quotient, one), profitRate));
  return places === undefined ? profitRate : plain(truncated(exact(profit).div(exact(margin)), places));
}

/**
 * How far the mark price may move against the position until it is liquidated, as a fraction of the mark price, cut off
 * after six decimals. Negative once the price has been passed; `null` where there is no such price.
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

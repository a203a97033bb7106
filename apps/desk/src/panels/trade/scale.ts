import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundToStep,
  subtractDecimals,
  trimDecimal,
} from "@exchange-graph/client";

/** How the quantity of a scale order is split: the same for each, or in equal steps from the smallest to the largest. */
export type Distribution = "equal" | "rising" | "falling";

/** Orders at equal distances between two prices, both included. */
export interface Scale {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** The whole quantity. */
  readonly qty: string;
  readonly distribution: Distribution;
}

/** Steps of the market. */
export interface Steps {
  readonly price: string;
  readonly qty: string;
}

/** The gateway takes this many orders at once. */
export const MOST_PARTS = 50;

export interface Part {
  readonly price: string;
  readonly qty: string;
}

/** Exact enough for any step of the exchange. */
const DIGITS = 24;

/**
 * The orders of a scale, from its first price to its last. Prices are rounded to the nearest tick, quantities down to a step; what
 * that leaves over goes to the orders in steps, the first ones first, so that the sum is the whole quantity in steps.
 */
export function partsOf({ from, to, count, qty, distribution }: Scale, steps: Steps): readonly Part[] {
  const gap = subtractDecimals(to, from);
  const weights = Array.from({ length: count }, (_, at) =>
    distribution === "equal" ? 1 : distribution === "rising" ? at + 1 : count - at,
  );
  const all = String(weights.reduce((sum, weight) => sum + weight, 0));
  const whole = roundToStep(qty, steps.qty);
  const parts = weights.map((weight, at) => {
    const moved = count === 1 ? "0" : divideDecimals(multiplyDecimals(gap, String(at)), String(count - 1), DIGITS);
    return {
      price: trimDecimal(roundToStep(addDecimals(from, moved), steps.price, "nearest")),
      qty: roundToStep(divideDecimals(multiplyDecimals(whole, String(weight)), all, DIGITS), steps.qty),
    };
  });
  let left = subtractDecimals(
    whole,
    parts.reduce((sum, part) => addDecimals(sum, part.qty), "0"),
  );
  return parts.map((part) => {
    const hasMore = compareDecimals(left, steps.qty) >= 0;
    if (hasMore) left = subtractDecimals(left, steps.qty);
    return { price: part.price, qty: trimDecimal(hasMore ? addDecimals(part.qty, steps.qty) : part.qty) };
  });
}

/** The average price of the parts, by their quantities; undefined without a quantity. */
export function averageOf(parts: readonly Part[], decimals: number): string | undefined {
  const qty = parts.reduce((sum, part) => addDecimals(sum, part.qty), "0");
  const worth = parts.reduce((sum, part) => addDecimals(sum, multiplyDecimals(part.price, part.qty)), "0");
  return compareDecimals(qty, "0") > 0 ? divideDecimals(worth, qty, decimals) : undefined;
}

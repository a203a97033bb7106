import type { Exact } from "@exchange-graph/contract/decimal";

/** Steps of prices and quantities. */

/** Whether the value is a multiple of the step. */
export const isOnStep = (value: Exact, step: Exact): boolean => value.mod(step).eq("0");

/** The largest multiple of the step that is not above the value. */
export const stepBelow = (value: Exact, step: Exact): Exact => value.minus(value.mod(step));

/** The smallest multiple of the step that is not below the value. */
export const stepAbove = (value: Exact, step: Exact): Exact =>
  isOnStep(value, step) ? value : stepBelow(value, step).plus(step);

/** The multiple of the step nearest to the value; never zero. */
export function nearestStep(value: Exact, step: Exact): Exact {
  const below = stepBelow(value, step);
  const above = below.plus(step);
  return below.eq("0") || above.minus(value).lt(value.minus(below)) ? above : below;
}

import type { Exact } from "@exchange-graph/contract/decimal";
import { least, most } from "../money.js";
import { isReached, type Plan, type Trigger } from "./plan.js";

type Kind = Trigger["by"];

/** The nearest triggers of the trigger orders on a market: no price reaches any trigger without reaching one of these. */
export interface Nearest {
  /** Trailing orders whose trigger was reached: they follow the price, and every tick counts. */
  readonly following: readonly Plan[];
  /** At most one trigger per price and direction. */
  readonly triggers: readonly Trigger[];
}

const isFollowing = ({ trail }: Plan): boolean => trail?.best !== undefined;

/** The nearest triggers of these trigger orders. */
export function nearestOf(plans: readonly Plan[]): Nearest {
  const triggers = new Map<string, Trigger>();
  for (const plan of plans) {
    if (isFollowing(plan)) continue;
    for (const { trigger } of plan.legs) {
      const { by, direction, price } = trigger;
      const other = triggers.get(`${by} ${direction}`)?.price ?? price;
      triggers.set(`${by} ${direction}`, { by, direction, price: direction === "up" ? least(price, other) : most(price, other) });
    }
  }
  return { following: plans.filter(isFollowing), triggers: [...triggers.values()] };
}

/** Whether a trigger is reached at these prices, which may differ for the two directions. */
export const isNearestReached = (
  { triggers }: Nearest,
  priceFor: (by: Kind, direction: Trigger["direction"]) => Exact,
): boolean => triggers.some((trigger) => isReached(trigger, priceFor(trigger.by, trigger.direction)));

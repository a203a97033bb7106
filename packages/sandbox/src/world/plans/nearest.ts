import type { Exact } from "@exchange-graph/contract/decimal";
import { least, most } from "../money.js";
import { isReached, type Plan, type Trigger } from "./plan.js";

type Kind = Trigger["by"];

/** What the plans on a market wait for, taken together: no price reaches one of them without reaching the nearest trigger. */
export interface Nearest {
  /** Trailing plans whose trigger was reached: they follow the price, and every tick counts. */
  readonly following: readonly Plan[];
  /** At most one trigger for each price and direction. */
  readonly triggers: readonly Trigger[];
}

const isFollowing = ({ trail }: Plan): boolean => trail?.best !== undefined;

/** What a market has to be watched for on behalf of its plans. */
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

/** Is a trigger reached at these prices, which may be others upward than downward? */
export const isNearestReached = (
  { triggers }: Nearest,
  priceFor: (by: Kind, direction: Trigger["direction"]) => Exact,
): boolean => triggers.some((trigger) => isReached(trigger, priceFor(trigger.by, trigger.direction)));

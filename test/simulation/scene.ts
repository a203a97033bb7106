import { type Action, MARKETS, type OrderTerms } from "./actions.js";
import { oneOf, type Random } from "./random.js";

/** A step of a theme. */
export interface Scene {
  readonly action: Action;
  /** Time until the next one, ms. */
  readonly gapMs: number;
  /** Its gateway. Default: that of the whole scene. */
  readonly replica?: number;
}

export const gapped = (actions: readonly Action[], gapMs = 400): readonly Scene[] => actions.map((action) => ({ action, gapMs }));

/** An order worth a share of the limit. */
export function orderOf(random: Random, limit: number | undefined, share: number): OrderTerms {
  return {
    market: oneOf(random, MARKETS),
    side: oneOf(random, ["buy", "sell"] as const),
    posSide: oneOf(random, ["long", "short"] as const),
    isMarket: false,
    notional: (limit ?? 1_000) * share,
    distance: 0,
    isReduceOnly: false,
    marketPrice: undefined,
  };
}

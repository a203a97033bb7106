import type { Exact } from "@exchange-graph/contract/decimal";
import Big from "big.js";

/**
 * Rounding of the exchange. Products are exact and never rounded. A quotient (a share, a margin, a converted amount) is rounded
 * to eight places, always in the exchange's favour: amounts that a user pays or reserves are rounded up, amounts that it receives
 * are rounded down.
 */
const PLACES = 8;

const zero = "0";

/** An amount that a user receives, or a result that may be a loss: rounded toward minus infinity. */
export const down = (amount: Exact, places: number = PLACES): Exact =>
  amount.round(places, amount.lt(zero) ? Big.roundUp : Big.roundDown);

/** An amount that a user pays or reserves: rounded toward plus infinity. */
export const up = (amount: Exact, places: number = PLACES): Exact =>
  amount.round(places, amount.lt(zero) ? Big.roundDown : Big.roundUp);

export const least = (a: Exact, b: Exact): Exact => (a.lt(b) ? a : b);
export const most = (a: Exact, b: Exact): Exact => (a.gt(b) ? a : b);

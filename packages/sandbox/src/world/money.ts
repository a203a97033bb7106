import type { Exact } from "@exchange-graph/contract/decimal";
import Big from "big.js";

/**
 * How the exchange rounds. Products are exact and never rounded. A quotient (a share, a margin, an amount turned into
 * another coin) is cut to eight places, always in the exchange's favour: what a user pays or sets aside goes up, what
 * he receives goes down.
 */
const PLACES = 8;

const zero = "0";

/** What a user receives, or a result that may be a loss: toward minus infinity. */
export const down = (amount: Exact, places: number = PLACES): Exact =>
  amount.round(places, amount.lt(zero) ? Big.roundUp : Big.roundDown);

/** What a user pays or sets aside: toward plus infinity. */
export const up = (amount: Exact, places: number = PLACES): Exact =>
  amount.round(places, amount.lt(zero) ? Big.roundDown : Big.roundUp);

/** The smaller of two amounts. */
export const least = (a: Exact, b: Exact): Exact => (a.lt(b) ? a : b);
/** The larger of two amounts. */
export const most = (a: Exact, b: Exact): Exact => (a.gt(b) ? a : b);

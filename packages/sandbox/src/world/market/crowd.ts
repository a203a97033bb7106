import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { bits } from "../random.js";
import type { Listing } from "./listing.js";
import { TICK_MS } from "./path.js";

/** A liquidated position of the simulated participants. */
interface CrowdLiquidation {
  /** Side that opened the position: `buy` for a long one. */
  readonly side: "buy" | "sell";
  readonly price: Exact;
  readonly size: Exact;
}

const TICKS_PER_SECOND = 1_000 / TICK_MS;
/** Average number of seconds with a price move per liquidation. */
const ONE_IN = 240;
/** Maximum size, in percent of the maximum generated quantity of a level. */
const LARGEST = 40;

/**
 * A liquidation of a simulated participant, caused by the market's move in a second. Simulated participants have no balances.
 * Longs are liquidated when the price falls, shorts when it rises.
 */
export function crowdLiquidation(listing: Listing, second: number): CrowdLiquidation | undefined {
  const [from, to] = [second - 1, second].map((one) => listing.steps(one * TICKS_PER_SECOND, "mark"));
  if (from === undefined || to === undefined || from === to || bits(listing.root, second, 9) % ONE_IN !== 0) return undefined;
  const { depth } = listing.instrument.making;
  const parts = 1 + (bits(listing.root, second, 10) % LARGEST);
  const size = listing.grid.floored(exact(depth).times(String(parts)).div("100"));
  if (size.lt(listing.instrument.minQuantity)) return undefined;
  return { side: to < from ? "buy" : "sell", price: listing.grid.price(to), size };
}

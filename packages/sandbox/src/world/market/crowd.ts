import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { bits } from "../random.js";
import type { Listing } from "./listing.js";
import { TICK_MS } from "./path.js";

/** A position of somebody in the crowd that the market has closed by force. */
export interface CrowdLiquidation {
  /** What the position was opened with: `buy` a long one. */
  readonly side: "buy" | "sell";
  readonly price: Exact;
  readonly size: Exact;
}

const TICKS_PER_SECOND = 1_000 / TICK_MS;
/** On average one second in so many of those in which the price moves. */
const ONE_IN = 240;
/** The largest, in parts of what the house offers on a level. */
const LARGEST = 40;

/**
 * What the market's move in a second has liquidated of those who trade among themselves: their trades are the house's own,
 * so no balance is behind it. It hits longs when the price falls and shorts when it rises.
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

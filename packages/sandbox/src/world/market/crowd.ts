import type { StreamedLevel } from "@exchange-graph/contract/channels/book";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { bits, rootOf, scaled } from "../random.js";
import type { Depth, PrintedLevel } from "./depth.js";
import type { Listing } from "./listing.js";
import { TICK_MS } from "./path.js";

/** Number of levels per side with retail price improvement, which is on every third of them. */
const IMPROVED_LEVELS = 20;
const IMPROVED_ONE_IN = 3;
const OFFER_TICKS = 64;
/** Maximum quantity, in percent of the public quantity of the level. */
const LARGEST_SHARE = 50;

/** A book with the quantities for retail clients only. Calls never trade with them, so they appear in the RPI books only. */
export const withRetail = ({ asks, bids, seq, at }: Depth, listing: Listing, tick: number): Depth<StreamedLevel> => {
  const improved = (level: PrintedLevel, rank: number): StreamedLevel => [...level, retailSize(level, rank, listing, tick)];
  return { asks: asks.map(improved), bids: bids.map(improved), seq, at };
};

function retailSize([price, size]: PrintedLevel, rank: number, { root, grid }: Listing, tick: number): string {
  if (rank >= IMPROVED_LEVELS) return "0";
  const draw = bits(root, rootOf(price), Math.floor(tick / OFFER_TICKS), 9);
  if (draw % IMPROVED_ONE_IN !== 0) return "0";
  const share = String(1 + scaled(draw, LARGEST_SHARE));
  return grid.quantityText(grid.units(exact(size).times(share).div("100")));
}

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

import type { StreamedLevel } from "@exchange-graph/contract/channels/book";
import { exact } from "@exchange-graph/contract/decimal";
import { bits, rootOf, scaled } from "../random.js";
import type { Depth, PrintedLevel } from "./depth.js";
import type { Listing } from "./listing.js";

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

import { byId, firstNumberOf } from "../ids.js";
import { type Listing, timeOf } from "./listing.js";
import type { Print, Prints } from "./prints.js";

/** A public trade, with a user on one side or without. */
export type Trade = Print;

/** Leaves lower numbers for the ids that are counted from the same millisecond on. */
const HOUSE_IDS = 900_000n;
/** Maximum age of a trade in a list, in ticks, in a market with few trades. */
const LOOK_BACK_TICKS = 3_000;

/** The generated trade at a tick; undefined if there is none. */
export function houseTrade(listing: Listing, tick: number): Trade | undefined {
  const { price, activity } = listing.path.tick(tick);
  if (activity === 0) return undefined;
  const at = timeOf(tick);
  const id = firstNumberOf(at) + HOUSE_IDS;
  return {
    execId: String(id + 1n),
    execLinkId: String(id),
    at,
    price: listing.grid.price(listing.stepsOf(price)),
    quantity: listing.volumeOf(activity),
    side: listing.takerSide(tick),
  };
}

/** The latest public trades up to a tick, newest first: generated ones and those of users. */
export function recentTrades(listing: Listing, prints: Prints, tick: number, limit: number): readonly Trade[] {
  const trades: Trade[] = [];
  for (let back = 0; back < LOOK_BACK_TICKS && trades.length < limit; back++) {
    const trade = houseTrade(listing, tick - back);
    if (trade !== undefined) trades.push(trade);
  }
  return [...trades, ...prints.latest()].sort((a, b) => b.at - a.at || byId(b.execId, a.execId)).slice(0, limit);
}

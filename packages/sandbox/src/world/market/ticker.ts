import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { isFutures } from "../catalogue/instrument.js";
import { bits, scaled } from "../random.js";
import { candle, type GrowingSpan, span } from "./candles.js";
import { fundingRate, nextFunding } from "./funding.js";
import { type Listing, timeOf } from "./listing.js";
import { TICK_MS } from "./path.js";
import type { Prints } from "./prints.js";

/** The figures of a symbol at one tick. Best prices are read from its depth. */
export interface Ticker {
  /** Unix ms. */
  readonly at: number;
  readonly last: Exact;
  readonly open24h: Exact;
  readonly high24h: Exact;
  readonly low24h: Exact;
  /** Base coin. */
  readonly volume24h: Exact;
  /** Quote coin. */
  readonly turnover24h: Exact;
  /** The price at midnight UTC. */
  readonly openUtc: Exact;
  readonly futures?: FuturesFigures;
}

export interface FuturesFigures {
  readonly mark: Exact;
  readonly index: Exact;
  readonly fundingRate: Exact;
  /** Unix ms. */
  readonly nextFundingTime: number;
  /** Base coin. */
  readonly openInterest: Exact;
}

/** Open interest in multiples of the maximum generated quantity of a level. */
const INTEREST_DEPTHS = 8_000;

/** The last 24 hours of a listing, as of a tick. `lastDay`: the span of its path that the former ticker has covered. */
export function tickerOf(listing: Listing, prints: Prints, tick: number, lastDay: GrowingSpan): Ticker {
  const at = timeOf(tick);
  const [start, end] = [Math.floor(at / MINUTE_MS) * MINUTE_MS - DAY_MS, at + TICK_MS];
  const day = candle(listing, prints, start, end, "market", lastDay.bar(start, end));
  const midnight = Math.floor(at / DAY_MS) * DAY_MS;
  const atMidnight = span(listing.path, midnight, midnight + TICK_MS).open;
  return {
    at,
    last: day.close,
    open24h: day.open,
    high24h: day.high,
    low24h: day.low,
    volume24h: day.volume,
    turnover24h: day.turnover,
    openUtc: listing.grid.price(listing.stepsOf(atMidnight, "market")),
    ...futuresFigures(listing, tick, at),
  };
}

function futuresFigures(listing: Listing, tick: number, at: number): { readonly futures?: FuturesFigures } {
  const { instrument } = listing;
  if (!isFutures(instrument)) return {};
  const nextFundingTime = nextFunding(instrument, at);
  const share = INTEREST_DEPTHS + scaled(bits(listing.root, Math.floor(at / HOUR_MS), 8), INTEREST_DEPTHS);
  return {
    futures: {
      mark: listing.price(tick, "mark"),
      index: listing.price(tick, "index"),
      fundingRate: fundingRate(listing, nextFundingTime),
      nextFundingTime,
      openInterest: exact(instrument.making.depth).times(exact(String(share))),
    },
  };
}

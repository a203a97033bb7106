import { type Exact, plain, truncated } from "@exchange-graph/contract/decimal";
import type { Instrument } from "../../world/catalogue/instrument.js";
import type { Sides } from "../../world/market/depth.js";
import type { FuturesFigures, Ticker } from "../../world/market/ticker.js";

/** Figures that the tickers of calls and pushes have in common. */

/** Decimals of a change, as a fraction. */
const CHANGE_PLACES = 5;

/** The best prices and their sizes. An empty side has an empty price and a size of zero. */
export interface Best {
  readonly ask: readonly [price: string, size: string];
  readonly bid: readonly [price: string, size: string];
}

/** The best level of each side of a book. */
export const bestOf = ({ asks, bids }: Sides): Best => ({ ask: asks[0] ?? ["", "0"], bid: bids[0] ?? ["", "0"] });

const change = (from: Exact, to: Exact): string => plain(truncated(to.minus(from).div(from), CHANGE_PLACES));

/** v3. */
export const unifiedFigures = (instrument: Instrument, ticker: Ticker, { ask, bid }: Best) => ({
  lastPrice: plain(ticker.last),
  openPrice24h: plain(ticker.open24h),
  highPrice24h: plain(ticker.high24h),
  lowPrice24h: plain(ticker.low24h),
  ask1Price: ask[0],
  bid1Price: bid[0],
  bid1Size: bid[1],
  ask1Size: ask[1],
  price24hPcnt: change(ticker.open24h, ticker.last),
  volume24h: plain(ticker.volume24h),
  turnover24h: plain(ticker.turnover24h),
  ...(ticker.futures === undefined ? {} : unifiedFutures(ticker.futures, instrument, ticker.at)),
});

const unifiedFutures = ({ index, mark, fundingRate, openInterest }: FuturesFigures, instrument: Instrument, at: number) => ({
  indexPrice: plain(index),
  markPrice: plain(mark),
  fundingRate: plain(fundingRate),
  openInterest: plain(openInterest),
  ...delivery(instrument, at),
});

/** Empty for a perpetual contract. `at` is the time of the ticker, Unix ms. */
export function delivery({ contract }: Instrument, at: number) {
  const dates = contract?.delivery;
  return {
    deliveryStartTime: dates === undefined ? "" : String(dates.startTime),
    deliveryTime: dates === undefined ? "" : String(dates.time),
    deliveryStatus: dates === undefined ? "" : at < dates.time ? "delivery_normal" : "delivery_period",
  };
}

/** v2, spot and futures. */
export const classicFigures = (ticker: Ticker, { ask, bid }: Best) => ({
  high24h: plain(ticker.high24h),
  low24h: plain(ticker.low24h),
  lastPr: plain(ticker.last),
  quoteVolume: plain(ticker.turnover24h),
  baseVolume: plain(ticker.volume24h),
  bidPr: bid[0],
  askPr: ask[0],
  bidSz: bid[1],
  askSz: ask[1],
  openUtc: plain(ticker.openUtc),
  ts: String(ticker.at),
  change24h: change(ticker.open24h, ticker.last),
  ...(ticker.futures === undefined ? {} : classicFutures(ticker.futures)),
});

/** v2's change since midnight UTC, as a fraction. */
export const sinceMidnight = ({ openUtc, last }: Ticker): string => change(openUtc, last);

const classicFutures = ({ index, mark, fundingRate, openInterest }: FuturesFigures) => ({
  indexPrice: plain(index),
  markPrice: plain(mark),
  fundingRate: plain(fundingRate),
  holdingAmount: plain(openInterest),
});

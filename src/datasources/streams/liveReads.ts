import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { MarketCategory } from "@exchange-graph/contract/vocabulary";
import type { ListedOrderBook } from "../queries/orderBook.js";
import type { ListedTicker } from "../queries/tickers.js";
import type { RequestReads } from "../requestReads.js";
import type { Depth, Streams } from "./index.js";

/**
 * Answers to queries out of topics that somebody listens to and that are live. A stream that is interrupted, not deep
 * enough, or has said nothing for a while answers nothing.
 */

/** A dead line is noticed late; a state that nothing has touched for this long is asked for, quiet market or not. */
const MAX_AGE_MS = 5_000;

interface Wanted {
  readonly category: MarketCategory;
  readonly symbol: string;
}

const DEPTHS = [1, 5, 15, 50] as const;

/** A symbol's ticker; `undefined` when it must be asked for. */
export function liveTicker(streams: Streams, reads: RequestReads, wanted: Wanted): ListedTicker | undefined {
  const ticker = streams.market.liveTicker(spelled(wanted));
  // One that does not say when it was true may be of any age.
  if (ticker === undefined || ticker.time === null || isOld(reads, ticker.time)) return undefined;
  note(reads, "ticker", ticker.time);
  return { ...ticker, category: wanted.category };
}

/** A symbol's order book with `count` levels per side; `undefined` when it must be asked for. */
export function liveOrderBook(streams: Streams, reads: RequestReads, wanted: Wanted, count: number): ListedOrderBook | undefined {
  if (count < 1) return undefined;
  const depth: Depth = DEPTHS.find((step) => step >= count) ?? "full";
  const market = spelled(wanted);
  const book = streams.market.liveBook(market, { depth });
  // A side that is shown only as far as it is proven may be shorter than the market's.
  if (book === undefined || isOld(reads, book.time) || book.asks.length < count || book.bids.length < count) return undefined;
  note(reads, "orderBook", book.time);
  const { asks, bids, time } = book;
  return { ...market, depth: count, asks: asks.slice(0, count), bids: bids.slice(0, count), time, isStale: false };
}

const spelled = ({ category, symbol }: Wanted): Wanted => ({ category, symbol: inCapitals(symbol) });

const isOld = (reads: RequestReads, time: number): boolean => reads.now() - time > MAX_AGE_MS;

function note(reads: RequestReads, stream: string, time: number): void {
  const ageMs = Math.max(0, reads.now() - time);
  reads.trace.add({ endpoint: stream, account: undefined, source: "STREAM", ageMs, waitMs: 0, failed: false });
}

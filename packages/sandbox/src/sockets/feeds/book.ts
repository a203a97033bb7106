import {
  BOOK_CHANNELS,
  type BookChannel,
  CLASSIC_BOOK_CHANNELS,
  FAST_BOOK_MS,
  FAST_BOOK_SYMBOLS,
  RPI_BOOK_CHANNELS,
  type StreamedLevel,
} from "@exchange-graph/contract/channels/book";
import { bookChecksum } from "@exchange-graph/contract/channels/checksum";
import { withRetail } from "../../world/market/crowd.js";
import { type Depth, depthChange } from "../../world/market/depth.js";
import type { Market } from "../../world/market/market.js";
import type { Markets } from "../../world/market/markets.js";
import { type MarketSource, marketFeed, Picture, type TopicFeed } from "./topicFeed.js";

/** Order books: a number of levels each time, or a snapshot of the whole book followed by changes. */
export const bookFeeds = (markets: Markets): readonly TopicFeed[] =>
  [...BOOK_CHANNELS, ...RPI_BOOK_CHANNELS, ...CLASSIC_BOOK_CHANNELS].map((channel) => {
    const { tier } = channel;
    const follow = (market: Market): MarketSource =>
      tier === "full" ? new FullBook(channel, market, markets) : shallowBook(channel, tier, market, markets);
    return isBest(channel) ? marketFeed(markets, channel, follow, bestPeriod(channel)) : marketFeed(markets, channel, follow);
  });

const isBest = ({ tier, isRpi }: BookChannel): boolean => tier === 1 && !isRpi;

/** The best level of the busiest futures is pushed more often than that of the others. */
const bestPeriod =
  ({ frequency }: BookChannel) =>
  ({ listing: { instrument } }: Market): number => {
    if (instrument.category === "SPOT") return frequency.spot;
    return FAST_BOOK_SYMBOLS.includes(instrument.symbol) ? FAST_BOOK_MS : frequency.futures;
  };

type Book = Depth<StreamedLevel>;

/** `levels`: how many levels of each side are needed. Default: all. */
function bookAt({ isRpi }: BookChannel, market: Market, tick: number, levels?: number): Book {
  const depth = market.depth(tick, levels);
  return isRpi ? withRetail(depth, market.listing, tick) : depth;
}

/** Fields of v3 and v2 besides the levels. v2 has no number of the previous message. */
interface Chain {
  readonly checksum: number;
  readonly previousSeq: bigint;
}

/** Values of shallow tiers and of snapshots, which have no predecessor. */
const UNCHAINED: Chain = { checksum: 0, previousSeq: 0n };

/** Sequence numbers are bare numbers with 19 digits. */
function written({ apiVersion }: BookChannel, { asks, bids, seq, at }: Book, { checksum, previousSeq }: Chain): string {
  const [a, b] = [JSON.stringify(asks), JSON.stringify(bids)];
  return apiVersion === "v3"
    ? `[{"a":${a},"b":${b},"checksum":${checksum},"pseq":${previousSeq},"seq":${seq},"ts":"${at}"}]`
    : `[{"asks":${a},"bids":${b},"checksum":${checksum},"seq":${seq},"ts":"${at}"}]`;
}

/** A number of levels per side, all of them each time one has changed. */
function shallowBook(channel: BookChannel, count: number, market: Market, markets: Markets): MarketSource {
  const render = () => {
    const { asks, bids, ...depth } = bookAt(channel, market, markets.tick, count);
    const levels = { asks: asks.slice(0, count), bids: bids.slice(0, count) };
    return { text: written(channel, { ...levels, ...depth }, UNCHAINED), content: JSON.stringify(levels) };
  };
  return new Picture(() => market.seq(markets.tick), render);
}

/** The whole book once, then the changed levels. Each change has the number of the one before. */
class FullBook implements MarketSource {
  #shown: Book;

  constructor(
    private readonly channel: BookChannel,
    private readonly market: Market,
    private readonly markets: Markets,
  ) {
    this.#shown = bookAt(channel, market, markets.tick);
  }

  /** v3's snapshots have no checksum. */
  opening(): string {
    if (this.channel.apiVersion === "v3") return written(this.channel, this.#shown, UNCHAINED);
    return written(this.channel, this.#shown, { ...UNCHAINED, checksum: this.#checksum() });
  }

  advance(): string | undefined {
    if (this.market.seq(this.markets.tick) === this.#shown.seq) return undefined;
    const present = bookAt(this.channel, this.market, this.markets.tick);
    const change = depthChange(this.#shown, present);
    if (change === undefined) return undefined;
    this.#shown = present;
    return written(this.channel, change, { checksum: this.#checksum(), previousSeq: change.previousSeq });
  }

  #checksum(): number {
    return bookChecksum(this.#shown.bids, this.#shown.asks);
  }
}

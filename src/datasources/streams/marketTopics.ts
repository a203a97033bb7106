import type { Candle } from "@exchange-graph/contract/candle";
import type { FuturesMarket, Market } from "@exchange-graph/contract/channels/arguments";
import {
  BOOK_CHANNELS,
  type BookChannel,
  CLASSIC_BOOK_CHANNELS,
  RPI_BOOK_CHANNELS,
} from "@exchange-graph/contract/channels/book";
import { type CandleMarket, classicCandleChannel, klineChannel } from "@exchange-graph/contract/channels/candle";
import { type Channel, keyOf } from "@exchange-graph/contract/channels/channel";
import { type Liquidation, liquidationChannel } from "@exchange-graph/contract/channels/liquidation";
import { classicTradeChannel, publicTradeChannel } from "@exchange-graph/contract/channels/publicTrade";
import { classicTickerChannel, type StreamedTicker, tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { symbolName } from "@exchange-graph/contract/parameter";
import type { PublicTrade } from "@exchange-graph/contract/publicTrade";
import { marketCategoryOf, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import { badInput } from "../errors/index.js";
import type { Depth, OrderBook, ShownBook } from "./book/orderBook.js";
import { BookFeed } from "./feeds/bookFeed.js";
import { ChannelFeed, type FeedUpstream, type Fold } from "./feeds/channelFeed.js";
import type { Feed } from "./feeds/feed.js";
import { candlesFold, liquidationsFold, tickerFold, tradesFold } from "./feeds/publicFolds.js";
import type { BookView, Listener, MarketStreams, StreamEvent, Unlisten } from "./listening.js";
import { LIQUIDATIONS, TRADES } from "./resumption/resumableTopics.js";
import type { History, NewHistory } from "./resumption/topicHistory.js";
import type { NewHub, TopicHub } from "./topicHub.js";

const SYMBOL = symbolName();

/**
 * The market of a public topic; letter case does not matter. Throws `BAD_USER_INPUT` for an impossible symbol name: one request
 * subscribes to several topics, and a name that is too long would break all of them.
 */
export function topicMarket(category: ProductCategory, symbol: string, argument = "symbol"): Market {
  if (!SYMBOL.accepts(symbol)) throw badInput([{ argument, rule: `must be ${SYMBOL.allowed}` }]);
  return { category: marketCategoryOf(category), symbol: inCapitals(symbol) };
}

/** The two public sockets. Both have the same markets. */
export type ApiVersion = Channel["apiVersion"];

export const tickerOf = (apiVersion: ApiVersion) => (apiVersion === "v3" ? tickerChannel : classicTickerChannel);
const tradesOf = (apiVersion: ApiVersion) => (apiVersion === "v3" ? publicTradeChannel : classicTradeChannel);

/** v3 streams fewer intervals than v2: the others are taken from v2, whichever version is preferred. */
export const candlesOf = (apiVersion: ApiVersion, market: CandleMarket): Channel<CandleMarket, Candle> =>
  apiVersion === "v3" && klineChannel.parameters(klineChannel.argument(market)) !== undefined
    ? klineChannel
    : classicCandleChannel;

/** A depth as a number of levels, for comparisons. */
export const levels = (depth: Depth): number => (depth === "full" ? Number.POSITIVE_INFINITY : depth);

/** The book channels of this kind, the shallowest first. RPI books exist on v3 only. */
export function booksOf(apiVersion: ApiVersion, isRpi: boolean): readonly BookChannel[] {
  const channels = isRpi ? RPI_BOOK_CHANNELS : apiVersion === "v3" ? BOOK_CHANNELS : CLASSIC_BOOK_CHANNELS;
  return [...channels].sort((a, b) => levels(a.tier) - levels(b.tier));
}

const hubsOf = (newHub: NewHub) => ({
  ticker: newHub<StreamedTicker>(),
  trades: newHub<readonly PublicTrade[]>(),
  candles: newHub<readonly Candle[]>(),
  orderBook: newHub<OrderBook>(),
  liquidations: newHub<readonly Liquidation[]>(),
});

/** The market's streams: a feed for each channel and symbol with listeners. */
export class MarketTopics implements MarketStreams {
  readonly hubs: ReturnType<typeof hubsOf>;

  constructor(
    private readonly upstream: FeedUpstream,
    newHub: NewHub,
    /** The preferred public socket. */
    private readonly apiVersion: ApiVersion,
    private readonly newHistory: NewHistory,
  ) {
    this.hubs = hubsOf(newHub);
  }

  ticker(market: Market, listener: Listener<StreamedTicker>): Unlisten {
    return this.#listen(this.hubs.ticker, tickerOf(this.apiVersion), market, tickerFold, listener);
  }

  trades(market: Market, listener: Listener<readonly PublicTrade[]>): Unlisten {
    return this.#listen(this.hubs.trades, tradesOf(this.apiVersion), market, tradesFold, listener, (key) =>
      this.newHistory(key, TRADES),
    );
  }

  candles(market: CandleMarket, listener: Listener<readonly Candle[]>): Unlisten {
    return this.#listen(this.hubs.candles, candlesOf(this.apiVersion, market), market, candlesFold, listener);
  }

  liquidations(market: FuturesMarket, listener: Listener<readonly Liquidation[]>): Unlisten {
    return this.#listen(this.hubs.liquidations, liquidationChannel, market, liquidationsFold, listener, (key) =>
      this.newHistory(key, LIQUIDATIONS),
    );
  }

  orderBook(market: Market, view: BookView, listener: Listener<ShownBook>): Unlisten {
    const [channel] = this.#bookChannels(view);
    if (channel === undefined) throw new Error("no book is as deep as the full one");
    const open = () => new BookFeed(this.upstream, channel, market);
    return this.hubs.orderBook.listen(topicKey(channel, market), open, atDepth(view.depth, listener));
  }

  liveTicker(market: Market): StreamedTicker | undefined {
    return liveValue(this.hubs.ticker.feed(topicKey(tickerOf(this.apiVersion), market)));
  }

  tickerKnownUntil(market: Market): number | undefined {
    const channel = tickerOf(this.apiVersion);
    const feed = this.hubs.ticker.feed(topicKey(channel, market));
    const time = feed?.isLive === true ? feed.current()?.time : undefined;
    if (time === undefined) return undefined;
    // A change is pushed within one period of the channel, so a later push over the same connection proves that there was none
    // before.
    const periodMs = channel.frequency[market.category === "SPOT" ? "spot" : "futures"];
    const quietMs = Math.max(0, (feed?.arrivedUntil ?? 0) - time);
    return time + Math.floor(quietMs / periodMs) * periodMs;
  }

  liveBook(market: Market, view: BookView): ShownBook | undefined {
    for (const channel of this.#bookChannels(view)) {
      const book = liveValue(this.hubs.orderBook.feed(topicKey(channel, market)));
      if (book !== undefined) return book.view(view.depth);
    }
    return undefined;
  }

  /** The candles with the time of their last push, while their stream is live; does not open it. */
  liveCandles(market: CandleMarket): StreamEvent<readonly Candle[]> | undefined {
    const feed = this.hubs.candles.feed(topicKey(candlesOf(this.apiVersion, market), market));
    return feed?.isLive === true ? feed.current() : undefined;
  }

  #listen<P extends object, T, V>(
    hub: TopicHub<V>,
    channel: Channel<P, T>,
    parameters: P,
    fold: () => Fold<T, V>,
    listener: Listener<V>,
    history?: (key: string) => History<V>,
  ): Unlisten {
    const open = () => new ChannelFeed(this.upstream, channel, parameters, fold());
    const key = topicKey(channel, parameters);
    return hub.listen(key, open, listener, { history: history && (() => history(key)) });
  }

  /** The channels that are deep enough, the shallowest first. */
  #bookChannels({ depth, isRpi = false }: BookView): readonly BookChannel[] {
    return booksOf(this.apiVersion, isRpi).filter(({ tier }) => levels(tier) >= levels(depth));
  }
}

const topicKey = <P extends object>(channel: Channel<P>, parameters: P): string =>
  `${channel.name} ${keyOf(channel.argument(parameters))}`;

const liveValue = <T>(feed: Feed<T> | undefined): T | undefined => (feed?.isLive === true ? feed.current()?.value : undefined);

const atDepth = (depth: Depth, listener: Listener<ShownBook>): Listener<OrderBook> => ({
  next: (event) => listener.next({ ...event, value: event.value.view(depth) }),
  failed: (fault) => listener.failed(fault),
});

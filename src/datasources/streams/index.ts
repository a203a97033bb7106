import type { Clock } from "../../clock.js";
import type { Candle } from "../../contract/candle.js";
import type { FuturesMarket, Market } from "../../contract/channels/arguments.js";
import type { BookChannel } from "../../contract/channels/book.js";
import type { CandleMarket } from "../../contract/channels/candle.js";
import { type Channel, keyOf } from "../../contract/channels/channel.js";
import { type Liquidation, liquidationChannel } from "../../contract/channels/liquidation.js";
import type { StreamedOrder } from "../../contract/channels/order.js";
import type { StreamedTicker } from "../../contract/channels/ticker.js";
import type { Fill } from "../../contract/fill.js";
import type { PlanOrder } from "../../contract/plan.js";
import type { Position } from "../../contract/position.js";
import type { PublicTrade } from "../../contract/publicTrade.js";
import type { AccountMode } from "../accounts/accountModes.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Exchange } from "../exchange.js";
import { RequestReads } from "../requestReads.js";
import type { Depth, OrderBook, ShownBook } from "./book/orderBook.js";
import { type AccountHoldings, accountState } from "./feeds/accountState.js";
import { BookFeed } from "./feeds/bookFeed.js";
import { ChannelFeed, type Fold } from "./feeds/channelFeed.js";
import type { Feed } from "./feeds/feed.js";
import { fillsState } from "./feeds/fillsState.js";
import { ordersState } from "./feeds/ordersState.js";
import { plansState } from "./feeds/plansState.js";
import { positionsState } from "./feeds/positionsState.js";
import { PrivateFeed, type PrivateState } from "./feeds/privateFeed.js";
import { candlesFold, liquidationsFold, tickerFold, tradesFold } from "./feeds/publicFolds.js";
import type { Upstream } from "./feeds/upstream.js";
import { booksOf, candlesOf, type Generation, levels, tickerOf, tradesOf } from "./publicTopics.js";
import { type Listener, TopicHub, type TopicState } from "./topicHub.js";
import { type ConnectionObserver, type ConnectionState, Connections } from "./upstream/connections.js";
import { TIMINGS, type Timings } from "./upstream/timings.js";

export type { Depth, ShownBook, ShownLevel } from "./book/orderBook.js";
export type { StreamEvent } from "./event.js";
export type { AccountHoldings } from "./feeds/accountState.js";
export type { Generation } from "./publicTopics.js";
export type { Listener } from "./topicHub.js";
export type { ConnectionState } from "./upstream/connections.js";

/** Hears what happens, for logs and metrics. */
export interface StreamObserver extends ConnectionObserver {
  /** A listener threw; the others heard the event all the same. */
  listenerFailed(error: unknown): void;
}

interface StreamsSettings {
  readonly exchange: Exchange;
  readonly wsUrl: URL;
  /** Where public data comes from; v3 if left out. */
  readonly publicGeneration?: Generation;
  readonly clock: Clock;
  /** Between 0 and 1; spreads reconnections. */
  readonly random: () => number;
  readonly observer: StreamObserver;
  readonly timings?: Partial<Timings>;
  /** How long a topic without listeners is kept, ms. */
  readonly lingerMs?: number;
}

/** Stops listening; may be called at any time, and more than once. */
export type Unlisten = () => void;

/** How an account's state is told: what changes of it, or the whole of it each time. */
export interface StateView {
  readonly isWhole?: boolean;
}

/** Which book: how deep, and whether with the orders that are offered to retail alone. */
interface BookView {
  readonly depth: Depth;
  readonly isRpi?: boolean;
}

/** A topic that is open: what kind of stream it is of, and how it stands. */
export interface OpenTopic extends TopicState {
  readonly stream: string;
  /** Whose it is when it is private. */
  readonly account: string | undefined;
}

/** What the streams cost at this moment. */
interface StreamGauges {
  /** Lingering ones included. */
  readonly topics: readonly OpenTopic[];
  readonly connections: readonly ConnectionState[];
}

/**
 * Everything that the exchange pushes. Each subscription hears the current state first, then every change, and costs
 * the exchange nothing when somebody listens to the same already. Listeners are called synchronously.
 */
export interface Streams {
  ticker(market: Market, listener: Listener<StreamedTicker>): Unlisten;
  trades(market: Market, listener: Listener<readonly PublicTrade[]>): Unlisten;
  candles(market: CandleMarket, listener: Listener<readonly Candle[]>): Unlisten;
  orderBook(market: Market, view: BookView, listener: Listener<ShownBook>): Unlisten;
  liquidations(market: FuturesMarket, listener: Listener<readonly Liquidation[]>): Unlisten;
  orders(account: ExchangeAccount, listener: Listener<readonly StreamedOrder[]>, view?: StateView): Unlisten;
  fills(account: ExchangeAccount, listener: Listener<readonly Fill[]>): Unlisten;
  planOrders(account: ExchangeAccount, listener: Listener<readonly PlanOrder[]>, view?: StateView): Unlisten;
  accountUpdates(account: ExchangeAccount, listener: Listener<AccountHoldings>, view?: StateView): Unlisten;
  positions(account: ExchangeAccount, listener: Listener<readonly Position[]>, view?: StateView): Unlisten;
  /** The ticker, while its stream is live; opens nothing. */
  liveTicker(market: Market): StreamedTicker | undefined;
  /** The book, while a stream of it that is deep enough is live; opens nothing. */
  liveBook(market: Market, view: BookView): ShownBook | undefined;
  gauges(): StreamGauges;
  /** Ends every stream; listeners are told. */
  close(): void;
}

const LINGER_MS = 5_000;
/** How long a topic may take to come up: a connection, a login, a subscription and a first reading. */
const READY_MS = 30_000;

/** Composes the streams. Nothing is connected before somebody listens. */
export function createStreams(settings: StreamsSettings): Streams {
  const { exchange, clock, random, observer, publicGeneration: generation = "v3" } = settings;
  const exchangeNow = () => exchange.clock.now();
  const timings = { ...TIMINGS, ...settings.timings };
  const connections = new Connections({ wsUrl: settings.wsUrl, clock, exchangeNow, random, timings, observer });
  const upstream: Upstream = { connections, observer, clock, exchangeNow, random };
  const access = {
    modeOf: (account: ExchangeAccount) => exchange.modes.of(account),
    forgetMode: (account: ExchangeAccount) => exchange.modes.forget(account),
    newReads: () => new RequestReads(exchange),
    drop: (account: ExchangeAccount, endpoints: readonly string[]) => exchange.reader.drop(account.name, endpoints),
  };
  const hub = <T>() =>
    new TopicHub<T>({
      clock,
      lingerMs: settings.lingerMs ?? LINGER_MS,
      readyMs: READY_MS,
      onListenerError: (error) => observer.listenerFailed(error),
    });
  const accountHubs = {
    orders: hub<readonly StreamedOrder[]>(),
    fills: hub<readonly Fill[]>(),
    planOrders: hub<readonly PlanOrder[]>(),
    accountUpdates: hub<AccountHoldings>(),
    positions: hub<readonly Position[]>(),
  };
  const hubs = {
    ticker: hub<StreamedTicker>(),
    trades: hub<readonly PublicTrade[]>(),
    candles: hub<readonly Candle[]>(),
    orderBook: hub<OrderBook>(),
    liquidations: hub<readonly Liquidation[]>(),
    ...accountHubs,
  };

  const publicly = <P extends object, T, V>(
    to: TopicHub<V>,
    channel: Channel<P, T>,
    parameters: P,
    fold: () => Fold<T, V>,
    listener: Listener<V>,
  ): Unlisten => to.listen(topicKey(channel, parameters), () => new ChannelFeed(upstream, channel, parameters, fold()), listener);

  const privately = <V>(
    to: TopicHub<V>,
    account: ExchangeAccount,
    state: (account: ExchangeAccount, mode: AccountMode) => PrivateState<V>,
    listener: Listener<V>,
    { isWhole }: StateView = {},
  ): Unlisten => to.listen(account.name, () => new PrivateFeed(upstream, access, account, state), listener, isWhole);

  const bookChannels = ({ depth, isRpi = false }: BookView): readonly BookChannel[] =>
    booksOf(generation, isRpi).filter(({ tier }) => levels(tier) >= levels(depth));

  return {
    ticker: (market, listener) => publicly(hubs.ticker, tickerOf(generation), market, tickerFold, listener),
    trades: (market, listener) => publicly(hubs.trades, tradesOf(generation), market, tradesFold, listener),
    candles: (market, listener) => publicly(hubs.candles, candlesOf(generation, market), market, candlesFold, listener),
    liquidations: (market, listener) => publicly(hubs.liquidations, liquidationChannel, market, liquidationsFold, listener),
    orderBook(market, view, listener) {
      const [channel] = bookChannels(view);
      if (channel === undefined) throw new Error("no book is as deep as the full one");
      return hubs.orderBook.listen(
        topicKey(channel, market),
        () => new BookFeed(upstream, channel, market),
        atDepth(view.depth, listener),
      );
    },
    orders: (account, listener, view) => privately(hubs.orders, account, ordersState, listener, view),
    fills: (account, listener) => privately(hubs.fills, account, fillsState, listener),
    planOrders: (account, listener, view) => privately(hubs.planOrders, account, plansState, listener, view),
    accountUpdates: (account, listener, view) => privately(hubs.accountUpdates, account, accountState, listener, view),
    positions: (account, listener, view) => privately(hubs.positions, account, positionsState, listener, view),
    liveTicker: (market) => liveValue(hubs.ticker.feed(topicKey(tickerOf(generation), market))),
    liveBook(market, view) {
      for (const channel of bookChannels(view)) {
        const book = liveValue(hubs.orderBook.feed(topicKey(channel, market)));
        if (book !== undefined) return book.view(view.depth);
      }
      return undefined;
    },
    gauges: () => ({
      topics: Object.entries(hubs).flatMap(([stream, one]) =>
        one.states().map((topic) => ({ stream, account: stream in accountHubs ? topic.key : undefined, ...topic })),
      ),
      connections: connections.states(),
    }),
    close() {
      for (const one of Object.values(hubs)) one.close();
      connections.close();
    },
  };
}

const topicKey = <P extends object>(channel: Channel<P>, parameters: P): string =>
  `${channel.name} ${keyOf(channel.argument(parameters))}`;

const liveValue = <T>(feed: Feed<T> | undefined): T | undefined => (feed?.isLive === true ? feed.current()?.value : undefined);

const atDepth = (depth: Depth, listener: Listener<ShownBook>): Listener<OrderBook> => ({
  next: (event) => listener.next({ ...event, value: event.value.view(depth) }),
  failed: (fault) => listener.failed(fault),
});

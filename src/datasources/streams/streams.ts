import type { Candle } from "@exchange-graph/contract/candle";
import type { FuturesMarket, Market } from "@exchange-graph/contract/channels/arguments";
import type { CandleMarket } from "@exchange-graph/contract/channels/candle";
import type { Liquidation } from "@exchange-graph/contract/channels/liquidation";
import type { StreamedOrder } from "@exchange-graph/contract/channels/order";
import type { StreamedTicker } from "@exchange-graph/contract/channels/ticker";
import type { Fill } from "@exchange-graph/contract/fill";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import type { Position } from "@exchange-graph/contract/position";
import type { PublicTrade } from "@exchange-graph/contract/publicTrade";
import type { ExchangeAccount } from "../calls/accounts/exchangeAccount.js";
import type { LiveAnswers } from "../reads/reader/liveAnswers.js";
import type { LoanNews } from "../reads/valuation/pricedLoan.js";
import type { Depth, ShownBook } from "./book/orderBook.js";
import type { AnswerCount } from "./live/answerCounts.js";
import type { LiveKind } from "./live/liveEndpoints.js";
import type { LiveList } from "./live/liveList.js";
import type { MarketKind } from "./live/marketKinds.js";
import type { Role } from "./sharing.js";
import type { AccountHoldings } from "./state/holdings.js";
import type { Listener, TopicState } from "./topicHub.js";
import type { ConnectionState } from "./upstream/connections.js";

/** Stops listening; may be called at any time, and repeatedly. */
export type Unlisten = () => void;

/** How an account's state is emitted: its changes, or the whole state each time. */
export interface StateView {
  readonly isWhole?: boolean;
}

/** Depth of a book, and whether RPI orders are included. */
export interface BookView {
  readonly depth: Depth;
  readonly isRpi?: boolean;
}

/** An open topic: the kind of its stream, and its state. */
export interface OpenTopic extends TopicState {
  readonly stream: string;
  /** The account of a private topic. */
  readonly account: string | undefined;
}

/** State of the streams, for operators. */
export interface StreamGauges {
  /** Including topics without listeners that linger. */
  readonly topics: readonly OpenTopic[];
  readonly connections: readonly ConnectionState[];
  /** Streams that are kept open for queries, and the numbers of answered and missed reads. */
  readonly live: {
    readonly kept: readonly { readonly account: string; readonly kind: LiveKind }[];
    readonly symbols: readonly { readonly name: string; readonly kind: MarketKind }[];
    readonly counts: readonly AnswerCount<LiveKind | MarketKind>[];
    /** The lists of the accounts that are kept open. */
    lists(): readonly LiveList[];
  };
  /** Accounts and symbols that are shared with other replicas, by this replica's role. */
  readonly shared: ReadonlyMap<Role, number>;
}

/** Streams of market data. */
export interface MarketStreams {
  ticker(market: Market, listener: Listener<StreamedTicker>): Unlisten;
  trades(market: Market, listener: Listener<readonly PublicTrade[]>): Unlisten;
  candles(market: CandleMarket, listener: Listener<readonly Candle[]>): Unlisten;
  orderBook(market: Market, view: BookView, listener: Listener<ShownBook>): Unlisten;
  liquidations(market: FuturesMarket, listener: Listener<readonly Liquidation[]>): Unlisten;
  /** The ticker while its stream is live; does not open it. */
  liveTicker(market: Market): StreamedTicker | undefined;
  /** Time until which a live ticker is known to be unchanged, Unix ms: earlier changes would have been pushed. */
  tickerKnownUntil(market: Market): number | undefined;
  /** The book while a sufficiently deep stream of it is live; does not open it. */
  liveBook(market: Market, view: BookView): ShownBook | undefined;
}

/** Streams of an account. */
export interface AccountStreams {
  orders(account: ExchangeAccount, listener: Listener<readonly StreamedOrder[]>, view?: StateView): Unlisten;
  fills(account: ExchangeAccount, listener: Listener<readonly Fill[]>): Unlisten;
  planOrders(account: ExchangeAccount, listener: Listener<readonly PlanOrder[]>, view?: StateView): Unlisten;
  accountUpdates(account: ExchangeAccount, listener: Listener<AccountHoldings>, view?: StateView): Unlisten;
  positions(account: ExchangeAccount, listener: Listener<readonly Position[]>, view?: StateView): Unlisten;
  loans(account: ExchangeAccount, listener: Listener<LoanNews>, view?: StateView): Unlisten;
}

/** Streams of account figures at current prices. */
interface AccountFigureStreams {
  /** Holdings of the account, each time prices have changed; nothing is emitted while they cannot be computed. */
  follow(account: ExchangeAccount, listener: Listener<AccountHoldings>): Unlisten;
  /** Positions of the account whose formulas are proven, each time prices have changed. */
  positions(account: ExchangeAccount, listener: Listener<readonly Position[]>): Unlisten;
}

/**
 * The exchange's streams. Each subscription gets the current state first, then every change. Subscriptions to the same topic
 * share one at the exchange. Listeners are called synchronously.
 */
export interface Streams {
  readonly market: MarketStreams;
  readonly accounts: AccountStreams;
  /** Account figures at current prices. */
  readonly figures: AccountFigureStreams;
  /** Answers to queries from proven state. */
  readonly live: LiveAnswers;
  gauges(): StreamGauges;
  /** Called before the process stops: other replicas take over the streams that this one leads. */
  handOver(): Promise<void>;
  /** Ends every stream; listeners get a reason. Resolves when other replicas can take over. */
  close(): Promise<void>;
}

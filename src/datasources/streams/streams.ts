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
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { LiveAnswers } from "../reads/liveAnswers.js";
import type { AccountHoldings } from "../state/holdings.js";
import type { LoanNews } from "../valuation/pricedLoan.js";
import type { Depth, ShownBook } from "./book/orderBook.js";
import type { LiveCounts } from "./live/accountAnswers.js";
import type { LiveKind } from "./live/liveEndpoints.js";
import type { MarketKind } from "./live/marketKinds.js";
import type { Role } from "./relay/relayGroup.js";
import type { Listener, TopicState } from "./topicHub.js";
import type { ConnectionState } from "./upstream/connections.js";

/** Stops listening; may be called at any time, and more than once. */
export type Unlisten = () => void;

/** How an account's state is reported: what changes of it, or the whole of it each time. */
export interface StateView {
  readonly isWhole?: boolean;
}

/** Which book: how deep, and whether with the orders that are offered to retail alone. */
export interface BookView {
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
export interface StreamGauges {
  /** Lingering ones included. */
  readonly topics: readonly OpenTopic[];
  readonly connections: readonly ConnectionState[];
  /** What is kept open for queries, and how often they were answered from it. */
  readonly live: {
    readonly kept: readonly { readonly account: string; readonly kind: LiveKind }[];
    readonly symbols: readonly { readonly name: string; readonly kind: MarketKind }[];
    readonly counts: readonly (Omit<LiveCounts, "kind"> & { readonly kind: LiveKind | MarketKind })[];
  };
  /** Accounts and symbols that are shared with other replicas, by the part that this one has in them. */
  readonly shared: ReadonlyMap<Role, number>;
}

/** What the market does. */
export interface MarketStreams {
  ticker(market: Market, listener: Listener<StreamedTicker>): Unlisten;
  trades(market: Market, listener: Listener<readonly PublicTrade[]>): Unlisten;
  candles(market: CandleMarket, listener: Listener<readonly Candle[]>): Unlisten;
  orderBook(market: Market, view: BookView, listener: Listener<ShownBook>): Unlisten;
  liquidations(market: FuturesMarket, listener: Listener<readonly Liquidation[]>): Unlisten;
  /** The ticker, while its stream is live; opens nothing. */
  liveTicker(market: Market): StreamedTicker | undefined;
  /** Until when a live ticker is known to have been as it is, Unix ms: what had changed before would have been pushed. */
  tickerKnownUntil(market: Market): number | undefined;
  /** The book, while a stream of it that is deep enough is live; opens nothing. */
  liveBook(market: Market, view: BookView): ShownBook | undefined;
}

/** What happens to an account. */
export interface AccountStreams {
  orders(account: ExchangeAccount, listener: Listener<readonly StreamedOrder[]>, view?: StateView): Unlisten;
  fills(account: ExchangeAccount, listener: Listener<readonly Fill[]>): Unlisten;
  planOrders(account: ExchangeAccount, listener: Listener<readonly PlanOrder[]>, view?: StateView): Unlisten;
  accountUpdates(account: ExchangeAccount, listener: Listener<AccountHoldings>, view?: StateView): Unlisten;
  positions(account: ExchangeAccount, listener: Listener<readonly Position[]>, view?: StateView): Unlisten;
  loans(account: ExchangeAccount, listener: Listener<LoanNews>, view?: StateView): Unlisten;
}

/** What accounts are worth as prices move. */
interface AccountFigureStreams {
  /** All that the account holds, each time that prices have moved; nothing while it cannot be computed beyond doubt. */
  follow(account: ExchangeAccount, listener: Listener<AccountHoldings>): Unlisten;
  /** Its positions, each time that prices have moved; undefined while their formulas are not proven. */
  positions(account: ExchangeAccount, listener: Listener<readonly Position[] | undefined>): Unlisten;
}

/**
 * Everything that the exchange pushes. Each subscription hears the current state first, then every change, and costs
 * the exchange nothing when somebody listens to the same already. Listeners are called synchronously.
 */
export interface Streams {
  readonly market: MarketStreams;
  readonly accounts: AccountStreams;
  /** What accounts hold, at the prices of this moment. */
  readonly figures: AccountFigureStreams;
  /** Answers to queries out of what is proven. */
  readonly live: LiveAnswers;
  gauges(): StreamGauges;
  /** The process is about to stop: another replica follows from now on what this one followed for all. */
  handOver(): Promise<void>;
  /** Ends every stream; listeners get a reason. Resolves when other replicas can take over what was followed here. */
  close(): Promise<void>;
}

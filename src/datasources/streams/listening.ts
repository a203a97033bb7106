import type { Candle } from "@exchange-graph/contract/candle";
import type { FuturesMarket, Market } from "@exchange-graph/contract/channels/arguments";
import type { CandleMarket } from "@exchange-graph/contract/channels/candle";
import type { Liquidation } from "@exchange-graph/contract/channels/liquidation";
import type { StreamedTicker } from "@exchange-graph/contract/channels/ticker";
import type { Position } from "@exchange-graph/contract/position";
import type { PublicTrade } from "@exchange-graph/contract/publicTrade";
import type { ExchangeAccount } from "../calls/index.js";
import type { Fault } from "../errors/index.js";
import type { Depth, ShownBook } from "./book/orderBook.js";
import type { AccountHoldings } from "./state/holdings.js";

/** A type alias, because an interface is not assignable to a record. */
export type StreamEvent<T> = {
  /** `snapshot`: the value is the whole state and replaces the former one. `update`: the value is the new or changed part. */
  readonly kind: "snapshot" | "update";
  /** The exchange's time, Unix ms. */
  readonly time: number;
  /** The connection is interrupted, or missed changes are still being read: the data may be out of date. */
  readonly stale: boolean;
  readonly value: T;
  /** The topic of the event, if the stream has several. It replaces only events of the same topic. */
  readonly about?: string;
  /** Whether the stream of this topic has ended, while those of other topics continue. */
  readonly isLast?: boolean | undefined;
  /** Position of a listener after this event, for resuming. Undefined if events need no history. */
  readonly position?: string | undefined;
  /** Set in the first event of a resuming listener: whether it got all missed events. */
  readonly resumed?: Resumed | undefined;
};

/** Whether all events after a position are included. If not, events between these times may be missing, Unix ms. */
export type Resumed =
  | { readonly isWhole: true }
  | {
      readonly isWhole: false;
      /** `null` if the position has no time. */
      readonly from: number | null;
      readonly to: number;
    };

/** A listener of a topic. It is called synchronously and has to return quickly; queues are its own. */
export interface Listener<T> {
  /** Receives the current state first, then every change. */
  next(event: StreamEvent<T>): void;
  /** The topic has ended; no event follows. */
  failed(fault: Fault): void;
  /**
   * Position of the listener's last event; `null` if it only requests the current position. If the topic has a history, the first
   * event has everything after that position, as soon as it is certain.
   */
  readonly after?: string | null | undefined;
  /** Called after that event. */
  caughtUp?(): void;
  /** Called at the start with a function that returns the position of a listener that has got all events so far. */
  followed?(position: () => string | undefined): void;
}

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

/** Streams of account figures at current prices. */
export interface AccountFigureStreams {
  /** Holdings of the account, each time prices have changed; nothing is emitted while they cannot be computed. */
  follow(account: ExchangeAccount, listener: Listener<AccountHoldings>): Unlisten;
  /** Positions of the account whose formulas are proven, each time prices have changed. */
  positions(account: ExchangeAccount, listener: Listener<readonly Position[]>): Unlisten;
}

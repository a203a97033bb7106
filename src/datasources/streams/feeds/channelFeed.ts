import type { Candle } from "@exchange-graph/contract/candle";
import type { Channel, Push } from "@exchange-graph/contract/channels/channel";
import type { Liquidation } from "@exchange-graph/contract/channels/liquidation";
import type { StreamedTicker } from "@exchange-graph/contract/channels/ticker";
import type { PublicTrade } from "@exchange-graph/contract/publicTrade";
import { Fault, growingLru } from "../../errors/index.js";
import type { StreamEvent } from "../event.js";
import type { TopicHandle } from "../upstream/link.js";
import { type Change, type Feed, type FeedSink, updateOf } from "./feed.js";
import { follow, type Upstream } from "./upstream.js";

/** Combines the pushes of a public channel into a state. */
export interface Fold<T, V> {
  /**
   * Applies a push and returns what is new. `afterGap`: pushes may have been missed before this one. While one connection
   * replaces another, the same push may arrive twice, and an older one after a newer one.
   */
  accept(items: readonly T[], push: Push, afterGap: boolean): Change<V> | undefined;
  /** The current state, for a new listener. */
  current(): V | undefined;
  /** Value of an event that reports an interruption or its end: the state, or an empty list of changes. */
  unchanged(): Change<V> | undefined;
}

/** Pushes of the same time arrive within this time. */
const BURST_MS = 20;

/** A public channel as a feed. */
export class ChannelFeed<P extends object, T, V> implements Feed<V> {
  #handle: TopicHandle | undefined;
  #state: "opening" | "live" | "stale" = "opening";
  #isGapped = false;
  /** Whether pushes are overdue. */
  #isStalled = false;
  #time = 0;

  constructor(
    private readonly upstream: Upstream,
    private readonly channel: Channel<P, T>,
    private readonly parameters: P,
    private readonly fold: Fold<T, V>,
  ) {}

  start(sink: FeedSink<V>): void {
    const { fold, channel, upstream } = this;
    const emit = (change: Change<V> | undefined) => {
      if (change !== undefined) sink.emit({ ...change, time: this.#time, stale: this.#isStale });
    };
    const becomeLive = (change: Change<V> | undefined) => {
      const isBack = this.#state === "stale";
      this.#state = "live";
      emit(change ?? (isBack ? fold.unchanged() : undefined));
    };
    try {
      this.#handle = follow(upstream, channel, this.parameters, undefined, {
        items: (items, push) => {
          const change = fold.accept(items, push, this.#isGapped);
          this.#time = Math.max(this.#time, push.time ?? upstream.exchangeNow());
          this.#isGapped = false;
          becomeLive(change);
        },
        up: () => {
          // A channel that opens with a snapshot is live when that has arrived.
          if (channel.opens === "nothing") becomeLive(undefined);
          sink.ready();
        },
        stalled: (isStalled) => {
          this.#isStalled = isStalled;
          this.#time = Math.max(this.#time, upstream.exchangeNow());
          if (this.#state === "live") emit(fold.unchanged());
        },
        down: () => {
          this.#state = "stale";
          this.#isStalled = false;
          this.#isGapped = true;
          this.#time = Math.max(this.#time, upstream.exchangeNow());
          emit(fold.unchanged());
        },
        failed: (fault) => sink.failed(fault),
        unreadable: () => {
          this.#isGapped = true;
        },
      });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      sink.failed(error);
    }
  }

  stop(): void {
    this.#handle?.close();
  }

  get isLive(): boolean {
    return this.#state === "live" && !this.#isStalled;
  }

  get #isStale(): boolean {
    return this.#state === "stale" || this.#isStalled;
  }

  get arrivedUntil(): number | undefined {
    const { heardAt, pushTime } = this.#handle ?? {};
    if (heardAt === undefined || pushTime === undefined) return undefined;
    // Of pushes with the same time some may not have arrived yet.
    return pushTime() - (this.upstream.clock.now() - heardAt() >= BURST_MS ? 0 : 1);
  }

  current(): StreamEvent<V> | undefined {
    const value = this.fold.current();
    return value === undefined ? undefined : { kind: "snapshot", time: this.#time, stale: this.#isStale, value };
  }
}

const isEarlier = ({ time: one }: StreamedTicker, { time: other }: StreamedTicker): boolean =>
  one !== null && other !== null && one < other;

/** The last ticker; an older one is ignored. */
export function tickerFold(): Fold<StreamedTicker, StreamedTicker> {
  let last: StreamedTicker | undefined;
  return {
    accept([ticker]) {
      if (ticker === undefined || (last !== undefined && isEarlier(ticker, last))) return undefined;
      last = ticker;
      return { kind: "snapshot", value: ticker };
    },
    current: () => last,
    unchanged: () => (last === undefined ? undefined : { kind: "snapshot", value: last }),
  };
}

/** Number of trades in a snapshot. */
const SHOWN_TRADES = 100;
/** Trades that are remembered, so that none is emitted twice. */
const KNOWN_TRADES = 2_000;

/**
 * Trades, newest first, each emitted once. After a gap the exchange's list of latest trades fills it if the list overlaps with
 * emitted trades; otherwise it is emitted as a snapshot.
 */
export function tradesFold(): Fold<PublicTrade, readonly PublicTrade[]> {
  const seen = growingLru<true>(KNOWN_TRADES);
  let latest: readonly PublicTrade[] = [];
  return {
    accept(items, push, afterGap) {
      const fresh = items.filter(({ execId }) => !seen.has(execId));
      for (const { execId } of fresh) seen.set(execId, true);
      const isBeginning = latest.length === 0 || (afterGap && fresh.length > 0 && fresh.length === items.length);
      latest = [...fresh, ...(isBeginning ? [] : latest)].slice(0, SHOWN_TRADES);
      if (isBeginning && push.action === "snapshot") return { kind: "snapshot", value: latest };
      return updateOf(fresh);
    },
    current: () => (latest.length === 0 ? undefined : latest),
    unchanged: () => ({ kind: "update", value: [] }),
  };
}

/** Liquidations that are remembered: they have no id, and one connection may replace another. */
const KNOWN_LIQUIDATIONS = 500;

/** Liquidations, each emitted once. There is no snapshot. */
export function liquidationsFold(): Fold<Liquidation, readonly Liquidation[]> {
  const seen = growingLru<true>(KNOWN_LIQUIDATIONS);
  return {
    accept(items) {
      const fresh = items.filter(({ symbol, sideRaw, price, qty, time }) => {
        const key = `${symbol} ${sideRaw} ${price} ${qty} ${time}`;
        const isNew = !seen.has(key);
        seen.set(key, true);
        return isNew;
      });
      return updateOf(fresh);
    },
    current: () => undefined,
    unchanged: () => ({ kind: "update", value: [] }),
  };
}

/** Number of kept candles: that of the exchange's snapshot. */
const KEPT_CANDLES = 500;

/** Candles, oldest first; an update has the changed ones. */
export function candlesFold(): Fold<Candle, readonly Candle[]> {
  let rows: readonly Candle[] = [];
  let pushedAt = 0;
  return {
    accept(items, push, afterGap) {
      if (push.time !== null && push.time < pushedAt) return undefined;
      pushedAt = push.time ?? pushedAt;
      const isBeginning = rows.length === 0 || (afterGap && push.action === "snapshot");
      const byStart = new Map((isBeginning ? [] : rows).map((row) => [row.startTime, row]));
      const changed = items.filter((row) => !isSame(row, byStart.get(row.startTime)));
      if (changed.length === 0) return undefined;
      for (const row of changed) byStart.set(row.startTime, row);
      rows = [...byStart.values()].sort((a, b) => a.startTime - b.startTime).slice(-KEPT_CANDLES);
      return isBeginning ? { kind: "snapshot", value: rows } : { kind: "update", value: changed };
    },
    current: () => (rows.length === 0 ? undefined : rows),
    unchanged: () => ({ kind: "update", value: [] }),
  };
}

const isSame = (a: Candle, b: Candle | undefined): boolean =>
  b !== undefined &&
  a.close === b.close &&
  a.volume === b.volume &&
  a.turnover === b.turnover &&
  a.high === b.high &&
  a.low === b.low &&
  a.open === b.open;

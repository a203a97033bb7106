import { type Channel, itemsOf, type Push } from "@exchange-graph/contract/channels/channel";
import { type ExchangeAccount, reported } from "../../calls/index.js";
import { inClientsWords } from "../../errors/index.js";
import type { StreamEvent } from "../listening.js";
import type { TopicHandle, TopicSink } from "../upstream/link.js";
import type { ConnectionsOptions, UpstreamConnections } from "../upstream/upstreamConnections.js";
import type { Feed, FeedChange, FeedSink } from "./feed.js";

export interface FeedUpstream extends Pick<ConnectionsOptions, "instrumentation" | "clock" | "exchangeNow" | "random"> {
  readonly connections: Pick<UpstreamConnections, "follow">;
}

/** Receives the decoded pushes of a channel. */
export interface ChannelSink<T> extends Omit<TopicSink, "push"> {
  /** `isWhole`: whether everything in the push could be decoded. */
  items(items: readonly T[], push: Push, source: object, isWhole: boolean): void;
  /** A push, or a row of it, could not be decoded and is lost. The decoded rows have been delivered before. */
  unreadable(source: object): void;
}

/** Subscribes to a channel. Without a free connection it fails at once, and has no handle. */
export function follow<P extends object, T>(
  { connections, instrumentation }: FeedUpstream,
  channel: Channel<P, T>,
  parameters: P,
  account: ExchangeAccount | undefined,
  sink: ChannelSink<T>,
): TopicHandle | undefined {
  const { apiVersion, access } = channel;
  return connections.follow(
    { socket: { apiVersion, access }, argument: channel.argument(parameters), account },
    {
      push: (push, source) => {
        const { items, found } = itemsOf(channel, parameters, push);
        const { unread } = reported(instrumentation, channel.name, channel.item.fields, push.data, found);
        const isWhole = !unread.some(({ isOfField }) => !isOfField);
        if (items.length > 0 || isWhole) sink.items(items, push, source, isWhole);
        if (!isWhole) sink.unreadable(source);
      },
      up: () => sink.up(),
      down: () => sink.down(),
      stalled: (isStalled) => sink.stalled(isStalled),
      failed: (fault) => sink.failed(inClientsWords(fault, parameters)),
    },
  );
}

/** Combines the pushes of a public channel into a state. */
export interface Fold<T, V> {
  /**
   * Applies a push and returns what is new. `afterGap`: pushes may have been missed before this one. While one connection
   * replaces another, the same push may arrive twice, and an older one after a newer one.
   */
  accept(items: readonly T[], push: Push, afterGap: boolean): FeedChange<V> | undefined;
  /** The current state, for a new listener. */
  current(): V | undefined;
  /** Value of an event that reports an interruption or its end: the state, or an empty list of changes. */
  unchanged(): FeedChange<V> | undefined;
}

/** Pushes of the same time arrive within this time. */
const BURST_MS = 20;
/** A push may be late by less than this, while one connection replaces another. Earlier times are those of a clock that was set back. */
export const MOST_LATE_MS = 4_000;

/** Whether a push of this time is an older one that arrives after the last one. Times by the exchange's clock, Unix ms. */
export const isLate = (time: number | null, last: number | null): boolean =>
  time !== null && last !== null && time < last && time > last - MOST_LATE_MS;

/** A public channel as a feed. */
export class ChannelFeed<P extends object, T, V> implements Feed<V> {
  #handle: TopicHandle | undefined;
  #state: "opening" | "live" | "stale" = "opening";
  #isGapped = false;
  #isStalled = false;
  #time = 0;

  constructor(
    private readonly upstream: FeedUpstream,
    private readonly channel: Channel<P, T>,
    private readonly parameters: P,
    private readonly fold: Fold<T, V>,
  ) {}

  start(sink: FeedSink<V>): void {
    const { fold, channel, upstream } = this;
    const emit = (change: FeedChange<V> | undefined) => {
      if (change !== undefined) sink.emit({ ...change, time: this.#time, stale: this.#isStale });
    };
    const becomeLive = (change: FeedChange<V> | undefined) => {
      const isBack = this.#state === "stale";
      this.#state = "live";
      emit(change ?? (isBack ? fold.unchanged() : undefined));
    };
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
    const { lastReceivedAt, pushTime } = this.#handle ?? {};
    if (lastReceivedAt === undefined || pushTime === undefined) return undefined;
    // Of pushes with the same time some may not have arrived yet.
    return pushTime() - (this.upstream.clock.now() - lastReceivedAt() >= BURST_MS ? 0 : 1);
  }

  current(): StreamEvent<V> | undefined {
    const value = this.fold.current();
    return value === undefined ? undefined : { kind: "snapshot", time: this.#time, stale: this.#isStale, value };
  }
}

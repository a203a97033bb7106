import type { Push } from "@exchange-graph/contract/channels/channel";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Fault } from "../../errors/index.js";
import type { TopicHandle } from "../upstream/link.js";
import type { FeedUpstream } from "./channelFeed.js";
import type { FeedChange } from "./feed.js";
import type { PushSource } from "./privateState.js";

/** Receives events of the channels of a state. `channel`: the index of the channel. */
interface ChannelsSink<V> {
  /** `accept` applies the push and returns its new part; `categories` are the product categories of its records. */
  pushed(source: PushSource<V>, accept: () => FeedChange<V> | undefined, push: Push, categories: readonly string[]): void;
  up(channel: number): void;
  down(channel: number): void;
  /** Pushes of the first channel are overdue, or those of all have arrived. */
  stalled(): void;
  failed(fault: Fault): void;
  unreadable(): void;
}

/** A connection without any message for this long may be dead: then its pushes prove nothing. */
const SUSPECT_MS = 5_000;

/** The open channels of an account's state. */
export class OpenChannels<V> {
  #handles: readonly TopicHandle[] = [];
  readonly #stalled = new Set<number>();

  constructor(
    private readonly upstream: FeedUpstream,
    private readonly account: ExchangeAccount,
  ) {}

  get areStalled(): boolean {
    return this.#stalled.size > 0;
  }

  /**
   * Whether messages arrive. A quiet connection is pinged long before it counts as suspect, so a live one always has recent
   * messages.
   */
  get areReceiving(): boolean {
    const since = this.upstream.clock.now() - SUSPECT_MS;
    return (
      !this.areStalled && this.#handles.every(({ lastReceivedAt }) => lastReceivedAt === undefined || lastReceivedAt() >= since)
    );
  }

  /** Opens them one by one while `isWanted`, which an event of one of them may end, and until a connection refuses one at once. */
  open(sources: readonly PushSource<V>[], isWanted: () => boolean, sink: ChannelsSink<V>): void {
    for (const [channel, source] of sources.entries()) {
      if (!isWanted()) return;
      const handle = source.open(this.upstream, this.account, {
        pushed: (accept, push, categories) => sink.pushed(source, accept, push, categories),
        up: () => {
          this.#stalled.delete(channel);
          sink.up(channel);
        },
        down: () => {
          this.#stalled.delete(channel);
          sink.down(channel);
        },
        stalled: (isStalled) => {
          const wereStalled = this.areStalled;
          if (isStalled) this.#stalled.add(channel);
          else this.#stalled.delete(channel);
          if (wereStalled !== this.areStalled) sink.stalled();
        },
        failed: (fault) => sink.failed(fault),
        unreadable: () => sink.unreadable(),
      });
      if (handle === undefined) return;
      this.#handles = [...this.#handles, handle];
    }
  }

  close(): void {
    this.#stalled.clear();
    for (const handle of this.#handles) handle.close();
    this.#handles = [];
  }
}

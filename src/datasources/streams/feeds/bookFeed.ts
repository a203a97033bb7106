import type { Market } from "@exchange-graph/contract/channels/arguments";
import type { BookChannel, BookPush } from "@exchange-graph/contract/channels/book";
import type { Push } from "@exchange-graph/contract/channels/channel";
import { isBehind, OrderBook } from "../book/orderBook.js";
import type { StreamEvent } from "../listening.js";
import type { TopicHandle } from "../upstream/link.js";
import { Timers } from "../upstream/timings.js";
import { type FeedUpstream, follow } from "./channelFeed.js";
import type { Feed, FeedSink } from "./feed.js";

/** Timeout of the first state after a subscription; then it is renewed. */
const FIRST_STATE_MS = 10_000;
/** A broken book is renewed at once, then after pauses that double, up to the maximum. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A book that was whole for this long is renewed at once again. */
const STABLE_MS = 60_000;

/**
 * A book as a feed. It shows complete states only: when a message proves that something is missing, the last good state is kept
 * and marked stale until a new one arrives.
 *
 * While one connection replaces another, both deliver the book. Each has its own copy, and the more recent one is shown.
 */
export class BookFeed implements Feed<OrderBook> {
  #books = new WeakMap<object, OrderBook>();
  #shown: OrderBook | undefined;
  #isStale = true;
  #isStalled = false;
  #handle: TopicHandle | undefined;
  #pauseMs = 0;
  /** `next`: a scheduled renewal, or the check of its success. */
  readonly #timers: Timers;

  constructor(
    private readonly upstream: FeedUpstream,
    private readonly channel: BookChannel,
    private readonly market: Market,
  ) {
    this.#timers = new Timers(upstream.clock);
  }

  start(sink: FeedSink<OrderBook>): void {
    this.#handle = follow(this.upstream, this.channel, this.market, undefined, {
      items: (items, push, source) => {
        for (const item of items) this.#take(sink, item, push, source);
      },
      up: () => this.#expectState(),
      stalled: (isStalled) => {
        this.#isStalled = isStalled;
        const event = this.#isStale ? undefined : this.current();
        if (event !== undefined) sink.emit(event);
      },
      down: () => {
        this.#isStalled = false;
        this.#books = new WeakMap();
        this.#becomeStale(sink);
      },
      failed: (fault) => sink.failed(fault),
      unreadable: (source) => this.#broke(sink, source),
    });
  }

  stop(): void {
    this.#handle?.close();
    this.#timers.stopAll();
  }

  get isLive(): boolean {
    return !this.#isStale && !this.#isStalled;
  }

  current(): StreamEvent<OrderBook> | undefined {
    const book = this.#shown;
    return book === undefined ? undefined : { kind: "snapshot", time: book.time, stale: !this.isLive, value: book };
  }

  #take(sink: FeedSink<OrderBook>, item: BookPush, push: Push, source: object): void {
    const book = this.#books.get(source) ?? new OrderBook({ isRpi: this.channel.isRpi });
    this.#books.set(source, book);
    const wasStarted = book.isStarted;
    const applied = book.apply(item, push.action);
    if (applied === "changed") this.#show(sink, book);
    // Before its first state a book can apply no update, and a gap means nothing.
    else if (applied !== "old" && (wasStarted || applied !== "gap")) this.#broke(sink, source);
  }

  #show(sink: FeedSink<OrderBook>, book: OrderBook): void {
    if (!this.#isStale && this.#shown !== book && isBehind(book.seq, this.#shown?.seq ?? null)) return;
    this.#shown = book;
    if (this.#isStale) {
      this.#isStale = false;
      this.#timers.stop("next");
      this.#timers.after("stable", STABLE_MS, () => {
        this.#pauseMs = 0;
      });
    }
    sink.emit({ kind: "snapshot", time: book.time, stale: this.#isStalled, value: book });
  }

  #broke(sink: FeedSink<OrderBook>, source: object): void {
    const book = this.#books.get(source);
    this.#books.delete(source);
    if (book === undefined || book === this.#shown || this.#shown === undefined) {
      this.#becomeStale(sink);
      this.#renew(source);
    } else this.#handle?.renew(source);
  }

  #becomeStale(sink: FeedSink<OrderBook>): void {
    this.#timers.stopAll();
    if (this.#isStale) return;
    this.#isStale = true;
    const event = this.current();
    if (event !== undefined) sink.emit(event);
  }

  #renew(source?: object): void {
    const pause = this.#pauseMs;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, pause === 0 ? FIRST_PAUSE_MS : pause * 2);
    const ask = () => {
      this.#handle?.renew(source);
      this.#expectState();
    };
    if (pause === 0) ask();
    else this.#timers.after("next", pause * (0.5 + this.upstream.random() / 2), ask);
  }

  #expectState(): void {
    this.#timers.after("next", FIRST_STATE_MS, () => this.#renew());
  }
}

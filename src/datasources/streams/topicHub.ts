import type { Clock } from "@exchange-graph/contract/clock";
import { Fault } from "../fault.js";
import type { StreamEvent } from "./event.js";
import type { Feed, FeedSink } from "./feeds/feed.js";
import type { History } from "./history/topicHistory.js";

/** Somebody who wants to hear of a topic. Called synchronously, so it must be quick; queues are its own business. */
export interface Listener<T> {
  /** The current state first, then every change. */
  next(event: StreamEvent<T>): void;
  /** The topic is over for good; nothing comes after this. */
  failed(fault: Fault): void;
  /**
   * Where it was when it heard the topic last; `null` where it only wants to know its position. Where the topic has a history, its
   * first event says what came after that, as soon as it is known for sure.
   */
  readonly after?: string | null | undefined;
  /** Called as soon as that was said. */
  caughtUp?(): void;
}

/** How a topic is heard. */
export interface Hearing<T> {
  /** Each change comes as the whole state, where the topic has one, so that whoever leaves some of them out loses nothing. */
  readonly isWhole?: boolean | undefined;
  /** Makes what remembers the topic's events, where each of them counts. */
  readonly history?: (() => History<T>) | undefined;
}

interface HubOptions {
  readonly clock: Clock;
  /** How long a topic is kept without listeners: a page that is loaded again comes back within that. */
  readonly lingerMs: number;
  /** How long a topic may take to come up, ms. */
  readonly readyMs: number;
  /** A listener threw. The others hear the event all the same. */
  readonly onListenerError: (error: unknown) => void;
}

/** Makes the hub of one kind of stream. */
export type NewHub = <T, F extends Feed<T> = Feed<T>>() => TopicHub<T, F>;

/** A topic as an operator sees it. */
export interface TopicState {
  readonly key: string;
  readonly listeners: number;
  /** Is it up to date? */
  readonly isLive: boolean;
}

interface Topic<T, F extends Feed<T>> {
  readonly feed: F;
  readonly history: History<T> | undefined;
  readonly listeners: Set<Listener<T>>;
  cancelDeadline: () => void;
  cancelLinger: (() => void) | undefined;
}

/** Feeds by their key, one of each however many listen. The last one out closes it, after a short linger. */
export class TopicHub<T, F extends Feed<T> = Feed<T>> {
  readonly #topics = new Map<string, Topic<T, F>>();

  constructor(private readonly options: HubOptions) {}

  /**
   * Listens from now on; the first listener opens the feed. The returned function ends it, and may be called at any
   * time and more than once.
   */
  listen(key: string, open: () => F, listener: Listener<T>, { isWhole = false, history }: Hearing<T> = {}): () => void {
    const known = this.#topics.get(key);
    const topic = known ?? this.#add(key, open(), history?.());
    const shown = (event: StreamEvent<T>): StreamEvent<T> =>
      isWhole ? { ...(topic.feed.current() ?? event), time: event.time } : event;
    const { after } = listener;
    let isBehind = after !== undefined && topic.history !== undefined;
    const own: Listener<T> = {
      next: (event) => {
        if (!isBehind) listener.next(shown(event));
      },
      failed: (fault) => listener.failed(fault),
    };
    topic.listeners.add(own);
    topic.cancelLinger?.();
    topic.cancelLinger = undefined;
    if (known === undefined) this.#start(key, topic);
    else {
      const event = topic.feed.current();
      if (event !== undefined) this.#notify(() => own.next({ ...event, position: topic.history?.position }));
    }
    if (after === undefined || topic.history === undefined) return () => this.#leave(key, topic, own);
    const stopWaiting = topic.history.resume(after, (missed) => {
      isBehind = false;
      // A listener that cannot get all that it missed begins again with the state, where there is one.
      const state = missed.resumed?.isWhole === true ? undefined : topic.feed.current();
      if (!topic.listeners.has(own)) return;
      this.#notify(() => listener.next(state === undefined ? missed : { ...missed, ...state }));
      this.#notify(() => listener.caughtUp?.());
    });
    return () => {
      stopWaiting();
      this.#leave(key, topic, own);
    };
  }

  /** The feed of this key, if it is open. */
  feed(key: string): F | undefined {
    return this.#topics.get(key)?.feed;
  }

  /** Every topic that is open, lingering ones included. */
  states(): readonly TopicState[] {
    return [...this.#topics].map(([key, { feed, listeners }]) => ({ key, listeners: listeners.size, isLive: feed.isLive }));
  }

  /** Closes the feed of this key, if it is open; its listeners get the reason. */
  end(key: string, why: Fault): void {
    const topic = this.#topics.get(key);
    if (topic !== undefined) this.#fail(key, topic, why);
  }

  /** Closes every feed; the listeners get a reason. */
  close(): void {
    for (const [key, topic] of [...this.#topics])
      this.#fail(key, topic, new Fault("EXCHANGE_UNAVAILABLE", "the stream is closed: the gateway is shutting down"));
  }

  #add(key: string, feed: F, history: History<T> | undefined): Topic<T, F> {
    const cancelDeadline = this.options.clock.after(this.options.readyMs, () =>
      this.#fail(key, topic, new Fault("EXCHANGE_TIMEOUT", `${key}: the exchange's stream did not come up in time`)),
    );
    const topic: Topic<T, F> = { feed, history, listeners: new Set(), cancelDeadline, cancelLinger: undefined };
    this.#topics.set(key, topic);
    return topic;
  }

  #start(key: string, topic: Topic<T, F>): void {
    const isOpen = () => this.#topics.get(key) === topic;
    const { feed, history } = topic;
    const sink: FeedSink<T> = {
      emit: (event) => {
        if (!isOpen()) return;
        topic.cancelDeadline();
        history?.take(event);
        const sent = history === undefined ? event : { ...event, position: history.position };
        for (const listener of [...topic.listeners]) if (topic.listeners.has(listener)) this.#notify(() => listener.next(sent));
        history?.settle();
      },
      ready: () => {
        topic.cancelDeadline();
        if (!isOpen() || !feed.isLive) return;
        history?.live();
        history?.settle();
      },
      failed: (fault) => {
        if (isOpen()) this.#fail(key, topic, fault);
      },
    };
    const begun = history?.begin();
    if (begun === undefined) feed.start(sink);
    else
      void begun.then(() => {
        if (isOpen()) feed.start(sink);
      });
  }

  #leave(key: string, topic: Topic<T, F>, listener: Listener<T>): void {
    if (!topic.listeners.delete(listener) || topic.listeners.size > 0 || this.#topics.get(key) !== topic) return;
    topic.cancelLinger = this.options.clock.after(this.options.lingerMs, () => this.#close(key, topic));
  }

  #fail(key: string, topic: Topic<T, F>, fault: Fault): void {
    this.#close(key, topic);
    const listeners = [...topic.listeners];
    topic.listeners.clear();
    for (const listener of listeners) this.#notify(() => listener.failed(fault));
  }

  #close(key: string, topic: Topic<T, F>): void {
    this.#topics.delete(key);
    topic.cancelDeadline();
    topic.cancelLinger?.();
    topic.history?.close();
    topic.feed.stop();
  }

  #notify(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.options.onListenerError(error);
    }
  }
}

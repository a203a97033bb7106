import type { Clock } from "@exchange-graph/contract/clock";
import { Fault } from "../errors/index.js";
import type { Feed, FeedSink } from "./feeds/feed.js";
import type { Listener, StreamEvent } from "./listening.js";
import type { History } from "./resumption/topicHistory.js";

export interface ListenOptions<T> {
  /** Each change is emitted as the whole state, if the topic has one, so that events can be skipped without loss. */
  readonly isWhole?: boolean | undefined;
  /** Makes the topic's history, if all of its events matter. */
  readonly history?: (() => History<T>) | undefined;
}

interface HubOptions {
  readonly clock: Clock;
  /** Time for which a topic without listeners is kept, so that reloaded pages find it again. */
  readonly lingerMs: number;
  /** Maximum time for a topic to start, ms. */
  readonly readyMs: number;
  /** Called if a listener throws. The others get the event nevertheless. */
  readonly onListenerError: (error: unknown) => void;
}

/** Makes the hub for one kind of stream. */
export type NewHub = <T, F extends Feed<T> = Feed<T>>() => TopicHub<T, F>;

/** State of a topic, for operators. */
export interface TopicState {
  readonly key: string;
  readonly listeners: number;
  readonly isLive: boolean;
}

interface Topic<T, F extends Feed<T>> {
  readonly feed: F;
  history: History<T> | undefined;
  /** The former history, which continues if the account's new key turns out to be of the same user. */
  former: History<T> | undefined;
  readonly newHistory: (() => History<T>) | undefined;
  readonly listeners: Set<Listener<T>>;
  /** A function for each listener that waits for missed events: it requests them from the current history. */
  readonly resuming: Set<() => void>;
  cancelDeadline: () => void;
  cancelLinger: (() => void) | undefined;
}

/** Feeds by key, one for any number of listeners. It is closed some time after the last listener has left. */
export class TopicHub<T, F extends Feed<T> = Feed<T>> {
  readonly #topics = new Map<string, Topic<T, F>>();

  constructor(private readonly options: HubOptions) {}

  /**
   * Starts listening; the first listener opens the feed. The returned function stops it, and may be called at any time and
   * repeatedly.
   */
  listen(key: string, open: () => F, listener: Listener<T>, { isWhole = false, history }: ListenOptions<T> = {}): () => void {
    const existing = this.#topics.get(key);
    const topic = existing ?? this.#add(key, open(), history);
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
    listener.followed?.(() => topic.history?.position);
    topic.cancelLinger?.();
    topic.cancelLinger = undefined;
    if (existing === undefined) this.#start(key, topic);
    else {
      const event = topic.feed.current();
      if (event !== undefined) this.#notify(() => own.next({ ...event, position: topic.history?.position }));
    }
    if (after === undefined || topic.history === undefined) return () => this.#leave(key, topic, own);
    let stopWaiting = (): void => undefined;
    const resume = (): void => {
      const { history: current } = topic;
      stopWaiting();
      if (current === undefined) return;
      stopWaiting = current.resume(after, (missed) => {
        topic.resuming.delete(resume);
        isBehind = false;
        // A listener that cannot get all missed events starts with the snapshot, if there is one.
        const state = missed.resumed?.isWhole === true ? undefined : topic.feed.current();
        if (!topic.listeners.has(own)) return;
        this.#notify(() => listener.next(state === undefined ? missed : { ...missed, ...state }));
        this.#notify(() => listener.caughtUp?.());
      });
    };
    topic.resuming.add(resume);
    resume();
    return () => {
      topic.resuming.delete(resume);
      stopWaiting();
      this.#leave(key, topic, own);
    };
  }

  /** The account of this topic has another key: its listeners get a stale event, and then the events of that key's user. */
  reassign(key: string): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    const { feed, history, former = history, newHistory } = topic;
    const next = newHistory?.();
    const begun = next?.begin();
    /**
     * The same user's history continues. Another user's begins anew, and listeners that wait for missed events get them from that
     * one.
     */
    const decided = (): boolean => {
      if (this.#topics.get(key) !== topic || topic.history !== next) return false;
      const isSameUser = next !== undefined && former?.topic === next.topic;
      topic.history = isSameUser ? former : next;
      topic.former = undefined;
      (isSameUser ? next : former)?.close();
      for (const resume of topic.resuming) resume();
      return isSameUser;
    };
    feed.reassigned?.(begun === undefined ? next !== undefined && former?.topic === next.topic : begun.then(decided));
    if (history !== former) history?.close();
    topic.former = former;
    topic.history = next;
    if (begun === undefined) decided();
    else for (const resume of topic.resuming) resume();
  }

  /** The feed with this key, if it is open. */
  feed(key: string): F | undefined {
    return this.#topics.get(key)?.feed;
  }

  /** Every open topic, including lingering ones. */
  states(): readonly TopicState[] {
    return [...this.#topics].map(([key, { feed, listeners }]) => ({ key, listeners: listeners.size, isLive: feed.isLive }));
  }

  /** Closes the feed with this key, if it is open; its listeners get the reason. */
  end(key: string, why: Fault): void {
    const topic = this.#topics.get(key);
    if (topic !== undefined) this.#fail(key, topic, why);
  }

  /** Closes every feed; the listeners get a reason. */
  close(): void {
    for (const [key, topic] of [...this.#topics])
      this.#fail(key, topic, new Fault("EXCHANGE_UNAVAILABLE", "the stream is closed: the gateway is shutting down"));
  }

  #add(key: string, feed: F, newHistory: (() => History<T>) | undefined): Topic<T, F> {
    const cancelDeadline = this.options.clock.after(this.options.readyMs, () =>
      this.#fail(key, topic, new Fault("EXCHANGE_TIMEOUT", "the exchange's stream did not start in time")),
    );
    const topic: Topic<T, F> = {
      ...{ feed, history: newHistory?.(), former: undefined, newHistory, listeners: new Set(), resuming: new Set() },
      ...{ cancelDeadline, cancelLinger: undefined },
    };
    this.#topics.set(key, topic);
    return topic;
  }

  #start(key: string, topic: Topic<T, F>): void {
    const isOpen = () => this.#topics.get(key) === topic;
    const { feed } = topic;
    const sink: FeedSink<T> = {
      emit: (event) => {
        if (!isOpen()) return;
        const { history } = topic;
        topic.cancelDeadline();
        const sent = history === undefined ? event : { ...history.take(event), position: history.position };
        for (const listener of [...topic.listeners]) if (topic.listeners.has(listener)) this.#notify(() => listener.next(sent));
        history?.settle();
      },
      ready: () => {
        topic.cancelDeadline();
        if (!isOpen() || !feed.isLive) return;
        topic.history?.live();
        topic.history?.settle();
      },
      failed: (fault) => {
        if (isOpen()) this.#fail(key, topic, fault);
      },
    };
    const begun = topic.history?.begin();
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
    topic.former?.close();
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

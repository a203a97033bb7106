import { type Argument, keyOf, type Push } from "@exchange-graph/contract/channels/channel";
import { Fault } from "../../errors/index.js";
import { Timers } from "./timings.js";
import { Socket, type SocketEnd, type SocketOptions, type SocketOwner } from "./upstreamSocket.js";

export interface TopicSink {
  /** `source` identifies the connection: while one replaces another, both deliver, and their pushes overlap. */
  push(push: Push, source: object): void;
  /** The exchange confirmed the subscription, for the first time or after a gap. */
  up(): void;
  /** The subscription is interrupted: pushes are missed. */
  down(): void;
  /**
   * Pushes are overdue, because the connection is silent for longer than it should be; or everything that was under way has
   * arrived, with nothing lost. An interruption ends it.
   */
  stalled(isStalled: boolean): void;
  /** The exchange refuses the topic, or refuses it to this client. No push follows. */
  failed(fault: Fault): void;
}

export interface TopicHandle {
  /** Subscribes to the topic again for a new snapshot, over one of its connections or all. */
  renew(source?: object): void;
  close(): void;
  /** Local time of the last message over its connections, Unix ms; undefined if another replica follows it. */
  lastReceivedAt?(): number;
  /** Exchange's time of the last push over its connections, Unix ms; undefined if another replica follows it. */
  pushTime?(): number;
}

interface LinkedTopic {
  readonly argument: Argument;
  readonly sink: TopicSink;
  /** The connections on which the exchange has confirmed it. */
  readonly on: Set<Socket>;
  /** The connections on which it is subscribed again. */
  readonly renewals: Map<Socket, Renewal>;
  isStalled: boolean;
}

/** A second subscription that the exchange has not confirmed yet; until then pushes do not count. */
interface Renewal {
  readonly cancel: () => void;
  isOverdue: boolean;
}

interface LinkOptions extends SocketOptions {
  /** Time to wait before a connection may be opened, in ms. 0 means now, and counts as an attempt. */
  readonly mayConnect: () => number;
  /** Called when the link has no topics and no connection any more. */
  readonly onIdle: () => void;
}

/**
 * Keeps a set of topics subscribed while connections come and go. There is one connection, none while it waits for the next
 * attempt, or two during a replacement: a connection that is about to end is left only when its successor has every topic
 * confirmed, and its remaining messages are still read for a moment.
 */
export class Link implements SocketOwner {
  readonly #topics = new Map<string, LinkedTopic>();
  readonly #sockets = new Set<Socket>();
  #current: Socket | undefined;
  #successor: Socket | undefined;
  /** Number of consecutive failed attempts: no connection, or none of its topics was confirmed. */
  #failures = 0;
  readonly #timers: Timers;

  constructor(private readonly options: LinkOptions) {
    this.#timers = new Timers(options.clock);
  }

  get size(): number {
    return this.#topics.size;
  }

  get sockets(): ReadonlySet<Socket> {
    return this.#sockets;
  }

  has(argument: Argument): boolean {
    return this.#topics.has(keyOf(argument));
  }

  /** Throws if it has the argument already. */
  add(argument: Argument, sink: TopicSink): TopicHandle {
    const key = keyOf(argument);
    if (this.#topics.has(key)) throw new Error(`${key} is followed already`);
    const topic: LinkedTopic = { argument, sink, on: new Set(), renewals: new Map(), isStalled: false };
    this.#topics.set(key, topic);
    this.#timers.stop("idle");
    for (const socket of this.#sockets) socket.subscribe(argument);
    if (this.#current === undefined && !this.#timers.has("retry")) this.#connect();
    return {
      renew: (source) => {
        for (const socket of topic.on) if (source === undefined || socket === source) this.#renew(topic, key, socket);
      },
      close: () => {
        if (this.#topics.get(key) === topic) this.#remove(key);
      },
      lastReceivedAt: () => Math.max(...[...topic.on].map(({ lastReceivedAt }) => lastReceivedAt)),
      pushTime: () => Math.max(...[...topic.on].map(({ pushTime }) => pushTime)),
    };
  }

  /**
   * The login of its connections is no longer valid. Each is replaced before it is left. If no successor with the new login comes
   * up in time, it is left nevertheless.
   */
  relogin(): void {
    const former = [...this.#sockets];
    this.#timers.after("relogin", this.options.timings.reloginMs, () => {
      for (const socket of former) socket.close();
    });
    this.#failures = 0;
    for (const socket of former) socket.retire();
  }

  /** Ends everything without notifying the topics. */
  close(): void {
    this.#drop();
    this.#shut();
  }

  subscribed(socket: Socket, key: string): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    const isUp = topic.on.size === 0;
    topic.on.add(socket);
    endRenewal(topic, socket);
    // A connection that has to be replaced as soon as it is open does not count as a success.
    if (!socket.isRetiring) this.#failures = 0;
    if (isUp) topic.sink.up();
    this.#judge(topic);
    this.#handOverIfComplete();
  }

  stalled(socket: Socket): void {
    for (const topic of [...this.#topics.values()]) if (topic.on.has(socket)) this.#judge(topic);
  }

  pushed(socket: Socket, key: string, push: Push): void {
    this.#topics.get(key)?.sink.push(push, socket);
  }

  refused(_socket: Socket, key: string, fault: Fault): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    this.#remove(key);
    topic.sink.failed(fault);
  }

  retiring(socket: Socket): void {
    if (socket === this.#current && this.#successor === undefined && !this.#timers.has("retry")) this.#connect();
  }

  closed(socket: Socket, end: SocketEnd, cause: Error | undefined): void {
    this.#sockets.delete(socket);
    if (end !== "retired") this.options.instrumentation.disconnect.publish({ end, cause });
    const wasCurrent = socket === this.#current;
    if (wasCurrent) {
      this.#current = this.#successor;
      this.#successor = undefined;
    } else if (socket === this.#successor) this.#successor = undefined;
    // Its last messages may be from before its successor was subscribed. Public topics begin with their state there.
    const isLossy = this.options.login !== undefined && (end !== "retired" || socket.isStalled);
    for (const topic of [...this.#topics.values()]) {
      endRenewal(topic, socket);
      if (!topic.on.delete(socket)) continue;
      const isServed = topic.on.size > 0;
      if (!isServed || isLossy) {
        topic.isStalled = false;
        topic.sink.down();
        if (isServed) topic.sink.up();
      }
      if (isServed) this.#judge(topic);
    }
    // While another connection serves, a refused login fails no topic: there is only no successor.
    if (end === "refused" && cause instanceof Fault && this.#current === undefined) this.#fail(cause);
    else if (this.#topics.size > 0 && this.#needsConnection()) this.#retry();
  }

  #renew(topic: LinkedTopic, key: string, socket: Socket): void {
    socket.renew(key);
    if (topic.renewals.has(socket)) return;
    const { clock, timings } = this.options;
    const cancel = clock.after(timings.stalledMs, () => {
      renewal.isOverdue = true;
      this.#judge(topic);
    });
    const renewal: Renewal = { cancel, isOverdue: false };
    topic.renewals.set(socket, renewal);
  }

  /** A topic is stalled while all of its connections are, or owe it the confirmation of a renewal. */
  #judge(topic: LinkedTopic): void {
    const isStalled = [...topic.on].every((socket) => socket.isStalled || topic.renewals.get(socket)?.isOverdue === true);
    if (topic.isStalled === isStalled) return;
    topic.isStalled = isStalled;
    topic.sink.stalled(isStalled);
  }

  #remove(key: string): void {
    const topic = this.#topics.get(key);
    if (topic !== undefined) endRenewals(topic);
    this.#topics.delete(key);
    for (const socket of this.#sockets) socket.unsubscribe(key);
    this.#handOverIfComplete();
    if (this.#topics.size > 0) return;
    this.#timers.after("idle", this.options.timings.idleMs, () => this.#shut());
  }

  #needsConnection(): boolean {
    return this.#current === undefined || (this.#current.isRetiring && this.#successor === undefined);
  }

  #connect(): void {
    const wait = this.options.mayConnect();
    if (wait > 0) {
      this.#retryIn(wait);
      return;
    }
    const socket = new Socket(this.options, this);
    this.#sockets.add(socket);
    if (this.#current === undefined) this.#current = socket;
    else this.#successor = socket;
    for (const { argument } of this.#topics.values()) socket.subscribe(argument);
  }

  /**
   * The pause doubles with every failed attempt. A working connection that breaks is replaced at once, however often:
   * `mayConnect` keeps the exchange's limits. Jitter separates the attempts of many links.
   */
  #retry(): void {
    const { firstPauseMs, longestPauseMs } = this.options.timings;
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures);
    this.#failures++;
    this.#retryIn(pause * (0.5 + this.options.random() / 2));
  }

  #retryIn(ms: number): void {
    this.#timers.after("retry", ms, () => {
      if (this.#topics.size > 0 && this.#needsConnection()) this.#connect();
    });
  }

  /** When the successor has all topics, it takes over after the remaining messages of its predecessor have arrived. */
  #handOverIfComplete(): void {
    const former = this.#current;
    const next = this.#successor;
    if (former === undefined || next === undefined || next.state !== "READY") return;
    for (const { on } of this.#topics.values()) if (!on.has(next)) return;
    this.#current = next;
    this.#successor = undefined;
    this.options.clock.after(this.options.timings.overlapMs, () => former.close());
    if (next.isRetiring) this.#retry();
  }

  /** The key is refused: all topics of this link fail. */
  #fail(fault: Fault): void {
    const topics = this.#drop();
    this.#shut();
    for (const { sink } of topics) sink.failed(fault);
  }

  #drop(): readonly LinkedTopic[] {
    const topics = [...this.#topics.values()];
    topics.forEach(endRenewals);
    this.#topics.clear();
    return topics;
  }

  #shut(): void {
    this.#timers.stopAll();
    this.#current = undefined;
    this.#successor = undefined;
    for (const socket of [...this.#sockets]) socket.close();
    this.options.onIdle();
  }
}

function endRenewal({ renewals }: LinkedTopic, socket: Socket): void {
  renewals.get(socket)?.cancel();
  renewals.delete(socket);
}

function endRenewals({ renewals }: LinkedTopic): void {
  for (const { cancel } of renewals.values()) cancel();
  renewals.clear();
}

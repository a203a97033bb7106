import type { Clock } from "@exchange-graph/contract/clock";
import type { Resuming } from "../../resolvers/index.js";
import type { DeliveryTurns, EventDelivery } from "./deliveryTurns.js";
import type { EventStream, RefusedStream, Turn } from "./eventStream.js";
import { type Conflation, type Frames, framesOf, type GroupEvent, newestOf } from "./frames.js";
import type { DeliveryCounts, Member } from "./member.js";

export interface GroupListener {
  readonly member: Member;
  finished(): void;
  failed(error: unknown): void;
}

/** Opens the group's stream, or another stream of the same operation, or returns its errors. */
export type Open = (resuming?: Resuming) => Promise<EventStream | RefusedStream>;

/** The first events of a late listener, and the number of the last event that they include. */
interface InitialEvents {
  readonly state: readonly GroupEvent[];
  readonly seen: number;
}

/** Maximum number of events that wait during a delivery or a pause. */
const MAX_PENDING = 1_000;

/** Events that are being delivered, and the listeners that have not got them yet. */
interface Sending {
  readonly events: readonly GroupEvent[];
  readonly frames: Frames;
  /** The lowest number of these events. */
  readonly oldest: number;
  readonly left: Iterator<Member>;
}

/**
 * All listeners of one operation with equal variables and rights. Each event is executed and serialized once, and copied to each
 * listener.
 *
 * All events that arrived since the last delivery are sent in one write per listener. Under load more events share a write, so
 * throughput rises. Deliveries do not overlap, so each listener gets the events in order.
 */
export class Group implements EventDelivery {
  readonly #listeners = new Map<Member, GroupListener>();
  #stream: EventStream | undefined;
  /** Number of listeners that have joined or are joining. */
  #expected = 0;
  #isRunning = false;
  #pending: GroupEvent[] = [];
  /** Bound of the pending events; when it is reached they are merged or sent. */
  #mostPending = MAX_PENDING;
  #sending: Sending | undefined;
  /** Whether it is scheduled: waiting for its turn, sending, or pausing. */
  #isBooked = false;
  #cancelPause: (() => void) | undefined;
  /** The last events of topics whose streams have ended. */
  readonly #ended: GroupEvent[] = [];
  #endedAt = Number.POSITIVE_INFINITY;
  /** First events of late listeners, by the position after which they resume, shared until the next event. */
  readonly #greetings = new Map<string | null | undefined, Promise<InitialEvents>>();

  constructor(
    private readonly openStream: Open,
    private readonly turn: Turn,
    private readonly clock: Clock,
    private readonly turns: DeliveryTurns,
    private readonly counts: DeliveryCounts,
    /** Called when the last listener has left or the stream has ended: the group accepts no more listeners. */
    private readonly onEmpty: () => void,
    /** Time after the end of one of its streams for which the group still accepts listeners: a new group may have it again. */
    readonly acceptsForMs: number,
  ) {}

  get size(): number {
    return this.#listeners.size;
  }

  /** Conflation of the group; known once it is open. */
  get pace(): Conflation {
    return this.#stream?.pace ?? { mode: "ALL" };
  }

  /** Whether one of its streams ended a while ago: further listeners need a new group to get it back. */
  get isShort(): boolean {
    return this.clock.now() - this.#endedAt >= this.acceptsForMs;
  }

  get isPrivate(): boolean {
    return this.#stream?.isPrivate === true;
  }

  /** Announces a listener: the group stays open until `leave` was called as often. */
  expect(): void {
    this.#expected++;
  }

  /** Subscribes. Resolves to the response of an operation that could not be subscribed to, otherwise to undefined. */
  async open(): Promise<RefusedStream | undefined> {
    const opened = await this.openStream();
    if (!("next" in opened)) return opened;
    this.#stream = opened;
    return undefined;
  }

  /**
   * Adds a listener. The first one starts the stream; a later one gets the current state first. `after`: a resuming listener gets
   * the events after that position instead.
   */
  join(listener: GroupListener, after: string | null | undefined): void {
    this.#listeners.set(listener.member, listener);
    const isFirst = !this.#isRunning;
    if (isFirst) this.#start();
    if (isFirst && after === undefined) return;
    listener.member.hold();
    const ended = this.#ended.length;
    this.#greeting(after).then(
      ({ state, seen }) => listener.member.greet([...state, ...this.#endedBy(seen, ended, state)], seen),
      (error: unknown) => listener.failed(error),
    );
  }

  #start(): void {
    this.#isRunning = true;
    this.#pump().then(
      () => this.#end((each) => each.finished()),
      (error: unknown) => this.#end((each) => each.failed(error)),
    );
  }

  /**
   * Last events that a listener would not get: those from before it joined, when there were this many, and those that its first events
   * include by their number, but do not have.
   */
  #endedBy(seen: number, before: number, state: readonly GroupEvent[]): readonly GroupEvent[] {
    const isTold = ({ about }: GroupEvent) => state.some((event) => event.isLast && event.about === about);
    return this.#ended.filter((event, at) => (at < before || event.number <= seen) && !isTold(event)).map(lookedUp);
  }

  #greeting(after: string | null | undefined): Promise<InitialEvents> {
    const cached = this.#greetings.get(after);
    if (cached !== undefined) return cached;
    const greeting = this.#currentState(after);
    this.#greetings.set(after, greeting);
    greeting.catch(() => {
      if (this.#greetings.get(after) === greeting) this.#greetings.delete(after);
    });
    return greeting;
  }

  /** Reverses one `expect` and the `join` that may have followed it. The last call ends the stream. */
  leave(listener: GroupListener): void {
    this.#listeners.delete(listener.member);
    listener.member.leave();
    this.#expected--;
    if (this.#expected > 0) return;
    this.onEmpty();
    this.#cancelPause?.();
    this.#stream?.stop();
  }

  async #pump(): Promise<void> {
    for (;;) {
      const event = await this.#stream?.next(this.turn);
      if (event === undefined) return;
      this.#greetings.clear();
      this.counts.missed += event.missed * this.#listeners.size;
      this.#pending.push(event);
      if (event.isLast) {
        this.#ended.push(event);
        this.#endedAt = Math.min(this.#endedAt, this.clock.now());
      }
      if (this.#pending.length >= this.#mostPending) this.#relieve();
      this.#book();
    }
  }

  /** Keeps the newest event of each topic if the conflation allows it, otherwise sends everything at once. */
  #relieve(): void {
    if (this.pace.mode === "ALL") {
      this.#sendAll();
      return;
    }
    const newest = newestOf(this.#pending);
    this.counts.missed += (this.#pending.length - newest.length) * this.#listeners.size;
    this.#pending = [...newest];
    this.#mostPending = Math.max(MAX_PENDING, 2 * newest.length);
  }

  #book(): void {
    if (this.#isBooked) return;
    this.#isBooked = true;
    this.turns.book(this);
  }

  deliver(most: number): number {
    if (!this.#begin()) {
      this.#isBooked = false;
      return 0;
    }
    const written = this.#write(most);
    if (this.#sending === undefined) this.#pause();
    return written;
  }

  /** Starts a delivery of the pending events, unless one is running. */
  #begin(): boolean {
    if (this.#sending !== undefined) return true;
    if (this.#pending.length === 0) return false;
    const events = this.pace.mode === "LATEST" ? newestOf(this.#pending) : this.#pending;
    this.counts.missed += (this.#pending.length - events.length) * this.#listeners.size;
    this.#pending = [];
    const oldest = events.reduce((lowest, { number }) => Math.min(lowest, number), Number.POSITIVE_INFINITY);
    this.#sending = { events, frames: framesOf(events), oldest, left: this.#listeners.keys() };
    return true;
  }

  #write(most: number): number {
    if (this.#sending === undefined) return 0;
    const { events, frames, oldest, left } = this.#sending;
    for (let written = 0; written < most; written++) {
      const next = left.next();
      if (next.done === true) {
        this.#sending = undefined;
        return written;
      }
      next.value.deliver(events, frames, oldest);
    }
    return most;
  }

  /** Sends the current delivery and all pending events. */
  #sendAll(): void {
    while (this.#begin()) this.#write(Number.POSITIVE_INFINITY);
  }

  /** With a conflation interval it sends at most once per `everyMs`. */
  #pause(): void {
    const goOn = () => {
      this.#isBooked = false;
      if (this.#pending.length > 0) this.#book();
    };
    if (this.pace.mode === "ALL" || this.pace.everyMs === 0) goOn();
    else this.#cancelPause = this.clock.after(this.pace.everyMs, goOn);
  }

  /** The first events of a new stream. Shared by all listeners that join between two events. */
  async #currentState(after: string | null | undefined): Promise<InitialEvents> {
    // The source is read synchronously, so the state includes all events that the group's stream has received by now. Events
    // after a position may take longer to read.
    const received = () => this.#stream?.received ?? 0;
    let seen = 0;
    const caughtUp = () => {
      seen = received();
    };
    const opening = this.openStream(after === undefined ? undefined : { after, caughtUp });
    caughtUp();
    const opened = await opening;
    if (!("next" in opened)) return { state: [{ number: 0, text: opened.text, notes: "", missed: 0 }], seen };
    try {
      const initial = await opened.initial;
      const state: GroupEvent[] = [];
      while (state.length < initial) {
        const event = await opened.next(this.turn);
        if (event === undefined) break;
        state.push(lookedUp(event));
      }
      return { state, seen: state.length === 0 ? 0 : seen };
    } finally {
      opened.stop();
    }
  }

  #end(notify: (listener: GroupListener) => void): void {
    this.#cancelPause?.();
    this.#sendAll();
    this.onEmpty();
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const listener of listeners) {
      listener.member.finish();
      notify(listener);
    }
  }
}

/** A snapshot event, which has no number in the group's stream. */
const lookedUp = (event: GroupEvent): GroupEvent => ({ ...event, number: 0, missed: 0 });

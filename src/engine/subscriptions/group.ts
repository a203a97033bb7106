import type { Clock } from "@exchange-graph/contract/clock";
import type { Delivery, DeliveryTurns } from "./deliveryTurns.js";
import type { EventStream, RefusedStream, Resuming } from "./eventStream.js";
import { type Frames, framesOf } from "./frames.js";
import type { DeliveryCounts, Member } from "./member.js";
import { type Conflation, type GroupEvent, newestOf } from "./pace.js";

/** Whoever listens to a group. */
export interface GroupListener {
  readonly member: Member;
  /** The stream has ended. */
  finished(): void;
  failed(error: unknown): void;
}

/** Opens the group's stream, or another one of the same operation; or says what is wrong with it. */
export type Open = (resuming?: Resuming) => Promise<EventStream | RefusedStream>;

/** What a late listener gets first, and the number of the last event that it holds. */
interface Greeting {
  readonly state: readonly GroupEvent[];
  readonly seen: number;
}

/** How many events may wait while others are being sent, or for the pace. */
const MAX_PENDING = 1_000;

/** Events that are being sent, and to whom they have not been sent yet. */
interface Sending {
  readonly events: readonly GroupEvent[];
  readonly frames: Frames;
  /** The lowest of their numbers. */
  readonly oldest: number;
  readonly left: Iterator<Member>;
}

/**
 * All listeners of one operation, with equal variables and equal rights: each event is executed once, written
 * as JSON once, and copied to each.
 *
 * The frames of all events that have come since the last delivery leave in one write per listener. Idle, that is one event; the
 * further the process falls behind, the more events share a write, so throughput rises by itself. One delivery is over before the
 * next one begins, so each listener gets the events in their order.
 */
export class Group implements Delivery {
  readonly #listeners = new Map<Member, GroupListener>();
  #stream: EventStream | undefined;
  /** Those who are joining, or have joined. */
  #expected = 0;
  #isRunning = false;
  #pending: GroupEvent[] = [];
  /** As soon as so many wait there are fewer. */
  #mostPending = MAX_PENDING;
  #sending: Sending | undefined;
  /** Does it wait for its turn, send, or pause? */
  #isBooked = false;
  #cancelPause: (() => void) | undefined;
  #greeting: Promise<Greeting> | undefined;
  /** What those get who come back with the same position between two events. */
  readonly #catchUps = new Map<string | null, Promise<Greeting>>();

  constructor(
    private readonly openStream: Open,
    private readonly clock: Clock,
    private readonly turns: DeliveryTurns,
    private readonly counts: DeliveryCounts,
    /** Nobody listens any more, or there is nothing more to hear: the group is not to be joined. */
    private readonly onEmpty: () => void,
  ) {}

  get size(): number {
    return this.#listeners.size;
  }

  /** How fast everybody here is served; known once it is open. */
  get pace(): Conflation {
    return this.#stream?.pace ?? { mode: "ALL" };
  }

  get isPrivate(): boolean {
    return this.#stream?.isPrivate === true;
  }

  /** Somebody is coming: the group stays open until as many have called `leave`. */
  expect(): void {
    this.#expected++;
  }

  /** Subscribes. Resolves to nothing, or to what is wrong with an operation that could not be subscribed to. */
  async open(): Promise<RefusedStream | undefined> {
    const opened = await this.openStream();
    if (!("next" in opened)) return opened;
    this.#stream = opened;
    return undefined;
  }

  /**
   * Adds a listener; the first one starts the stream, a later one gets the current state before anything else. `after`: one that comes
   * back gets what followed that position instead.
   */
  join(listener: GroupListener, after: string | null | undefined): void {
    this.#listeners.set(listener.member, listener);
    const isFirst = !this.#isRunning;
    if (isFirst) this.#start();
    if (isFirst && after === undefined) return;
    listener.member.hold();
    const greeting = after === undefined ? this.#stateNow() : this.#catchUp(after);
    greeting.then(
      ({ state, seen }) => listener.member.greet(state, seen),
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

  #stateNow(): Promise<Greeting> {
    const known = this.#greeting;
    if (known !== undefined) return known;
    const greeting = this.#currentState();
    this.#greeting = greeting;
    greeting.catch(() => {
      if (this.#greeting === greeting) this.#greeting = undefined;
    });
    return greeting;
  }

  #catchUp(after: string | null): Promise<Greeting> {
    const known = this.#catchUps.get(after);
    if (known !== undefined) return known;
    const greeting = this.#currentState(after);
    this.#catchUps.set(after, greeting);
    greeting.catch(() => {
      if (this.#catchUps.get(after) === greeting) this.#catchUps.delete(after);
    });
    return greeting;
  }

  /** Undoes one `expect`, and the `join` that may have followed it. The last one ends the stream. */
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
      const event = await this.#stream?.next();
      if (event === undefined) return;
      this.#greeting = undefined;
      this.#catchUps.clear();
      this.counts.missed += event.missed * this.#listeners.size;
      this.#pending.push(event);
      if (this.#pending.length >= this.#mostPending) this.#relieve();
      this.#book();
    }
  }

  /** Keeps the newest event of each thing where that is enough, and sends all at once where each event counts. */
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

  /** Begins to send what has come, unless something is being sent still. */
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

  /** Sends what is being sent, and what has come since. */
  #sendAll(): void {
    while (this.#begin()) this.#write(Number.POSITIVE_INFINITY);
  }

  /** With a pace it sends at most once in `everyMs`. */
  #pause(): void {
    const goOn = () => {
      this.#isBooked = false;
      if (this.#pending.length > 0) this.#book();
    };
    if (this.pace.mode === "ALL" || this.pace.everyMs === 0) goOn();
    else this.#cancelPause = this.clock.after(this.pace.everyMs, goOn);
  }

  /** What a subscription of its own would be given first. Shared by all who join between two events. */
  async #currentState(after?: string | null): Promise<Greeting> {
    // Opening asks the source at once, so the state is that of this moment: what our own stream has received is in it. What came after
    // a position may take a while.
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
        const event = await opened.next();
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

/** A state that stands for no event of the group's own stream. */
const lookedUp = (event: GroupEvent): GroupEvent => ({ ...event, number: 0, missed: 0 });

import type { Clock } from "@exchange-graph/contract/clock";
import { type Conflation, type Frames, framesOf, type GroupEvent, newestOf } from "./frames.js";
import type { SubscriberSink } from "./subscriberSink.js";

/** Unsent bytes of a connection above which its reader counts as slow. */
const HIGH_WATER_BYTES = 256 * 1024;
/** Bounds of a slow reader's backlog; beyond any of them its connection is closed. */
const MAX_WAITING_EVENTS = 1_000;
const MAX_WAITING_BYTES = 1024 * 1024;
/** For all subscriptions of a connection together. */
const MAX_BACKLOG_BYTES = 16 * 1024 * 1024;
/** A connection that takes no bytes for this long is closed. */
const STALL_MS = 30_000;

/** Counters of deliveries. They are updated hundreds of thousands of times a second, and read rarely. */
export class DeliveryCounts {
  delivered = 0;
  /** Events merged into a newer one. */
  missed = 0;
  /** Connections of slow readers that were closed. */
  cut = 0;
}

const NOTHING: readonly GroupEvent[] = [];

/** One listener of a group. A slow one is served with its own backlog and delays no other. */
export class Member {
  /** Events that wait until the connection has drained, or until the snapshot is sent. */
  #waiting: readonly GroupEvent[] = NOTHING;
  #waitingBytes = 0;
  #isHeld = false;
  #hasLeft = false;
  /** Number of the last event that its snapshot includes. */
  #seen = 0;
  #stopWaiting: (() => void) | undefined;

  constructor(
    private readonly sink: SubscriberSink,
    private readonly pace: Conflation,
    private readonly clock: Clock,
    private readonly counts: DeliveryCounts,
  ) {}

  /** Events of one delivery, with their prepared frames and the lowest of their numbers. */
  deliver(events: readonly GroupEvent[], frames: Frames, oldest: number): void {
    if (this.#hasLeft || !this.sink.isOpen) return;
    const isOld = oldest <= this.#seen;
    if (this.#isHeld || isOld || this.#waiting.length > 0 || this.sink.unsentBytes > HIGH_WATER_BYTES)
      this.#wait(events.filter(({ number, isLast }) => number > this.#seen || isLast));
    else this.#write(frames, events.length);
  }

  /** Holds events back until `greet`. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Sends the snapshot, then the events after it: `seen` is the number of the last event that it includes. */
  greet(state: readonly GroupEvent[], seen: number): void {
    if (this.#hasLeft) return;
    this.#isHeld = false;
    this.#seen = seen;
    const newer = this.#waiting.filter(({ number }) => number > seen);
    this.#keep([...state, ...newer]);
    this.#flush();
  }

  /** Sends the backlog regardless of unsent bytes: no event follows. */
  finish(): void {
    this.#flush();
    this.leave();
  }

  leave(): void {
    this.#hasLeft = true;
    this.#keep(NOTHING);
    this.#stopWaiting?.();
  }

  #wait(events: readonly GroupEvent[]): void {
    const all = [...this.#waiting, ...events];
    this.#keep(this.pace.mode === "LATEST" ? newestOf(all) : all);
    this.counts.missed += all.length - this.#waiting.length;
    const isTooMuch =
      this.#waiting.length > MAX_WAITING_EVENTS ||
      this.#waitingBytes > MAX_WAITING_BYTES ||
      this.sink.backlog.bytes > MAX_BACKLOG_BYTES;
    if (isTooMuch) this.#cut();
    else if (!this.#isHeld) this.#awaitDrain();
  }

  #keep(events: readonly GroupEvent[]): void {
    const bytes = events.reduce((sum, { text }) => sum + text.length, 0);
    this.sink.backlog.bytes += bytes - this.#waitingBytes;
    this.#waitingBytes = bytes;
    this.#waiting = events;
  }

  #awaitDrain(): void {
    // A connection with fewer unsent bytes than this emits no `drain`.
    if (this.sink.unsentBytes <= HIGH_WATER_BYTES) {
      this.#flush();
      return;
    }
    if (this.#stopWaiting !== undefined) return;
    const cancelDrain = this.sink.onceDrained(() => this.#flush());
    const cancelStall = this.clock.after(STALL_MS, () => this.#cut());
    this.#stopWaiting = () => {
      this.#stopWaiting = undefined;
      cancelDrain();
      cancelStall();
    };
  }

  #flush(): void {
    this.#stopWaiting?.();
    const waiting = this.#waiting;
    this.#keep(NOTHING);
    if (waiting.length > 0 && this.sink.isOpen) this.#write(framesOf(waiting), waiting.length);
  }

  #write(frames: Frames, messages: number): void {
    this.sink.write(frames);
    this.counts.delivered += messages;
  }

  #cut(): void {
    this.leave();
    this.counts.cut++;
    this.sink.cut();
  }
}

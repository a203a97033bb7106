import { type ExecutionArgs, type ExecutionResult, subscribe } from "graphql";
import type { Clock } from "../../clock.js";
import { Frames } from "./frames.js";
import type { Member } from "./member.js";
import { type GroupEvent, newestOf, type Pace, payloadOf } from "./pace.js";

/** Whoever listens to a group. */
export interface Listener {
  readonly member: Member;
  /** The stream has ended. */
  finished(): void;
  failed(error: unknown): void;
}

/** One subscribing: its arguments, with a context of its own, and what its stream says of itself. */
export interface Attempt {
  readonly args: ExecutionArgs;
  /** Does the stream begin with the current state? Known once it is open. */
  hasState(): boolean;
  /** Formats a result, with what its stream says of it. */
  toEvent(result: ExecutionResult): GroupEvent;
}

/**
 * All listeners of one operation, with equal variables and an equal principal: each event is executed once, written
 * as JSON once, and copied to each.
 *
 * The frames of all events of one turn of the event loop leave in one write per listener. Idle, that is one event; the
 * further the process falls behind, the more events share a write, so throughput rises by itself.
 */
export class Group {
  readonly #listeners = new Set<Listener>();
  readonly #attempt: Attempt;
  #source: AsyncIterator<ExecutionResult> | undefined;
  #pending: GroupEvent[] = [];
  #isFlushBooked = false;
  #cancelPause: (() => void) | undefined;
  #greeting: Promise<GroupEvent | undefined> | undefined;

  constructor(
    private readonly attempt: () => Attempt,
    private readonly pace: Pace,
    private readonly clock: Clock,
    private readonly onEmpty: () => void,
  ) {
    this.#attempt = attempt();
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Subscribes. Resolves to nothing, or to the answer of an operation that could not be subscribed to. */
  async open(): Promise<ExecutionResult | undefined> {
    const opened = await subscribe(this.#attempt.args);
    if (!(Symbol.asyncIterator in opened)) return opened;
    this.#source = opened[Symbol.asyncIterator]();
    return undefined;
  }

  /** Adds a listener; the first one starts the stream, a later one gets the current state before anything else. */
  join(listener: Listener): void {
    const isFirst = this.#listeners.size === 0;
    this.#listeners.add(listener);
    if (isFirst) {
      this.#pump().then(
        () => this.#end((each) => each.finished()),
        (error: unknown) => this.#end((each) => each.failed(error)),
      );
      return;
    }
    listener.member.hold();
    this.#greeting ??= this.#currentState();
    this.#greeting.then(
      (state) => listener.member.greet(state),
      (error: unknown) => {
        this.leave(listener);
        listener.failed(error);
      },
    );
  }

  /** Removes a listener; the last one ends the stream. */
  leave(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return;
    listener.member.leave();
    this.closeIfEmpty();
  }

  /** Ends the stream when nobody listens. */
  closeIfEmpty(): void {
    if (this.#listeners.size > 0) return;
    this.onEmpty();
    this.#cancelPause?.();
    void this.#source?.return?.();
  }

  async #pump(): Promise<void> {
    for (;;) {
      const turn = await this.#source?.next();
      if (turn === undefined || turn.done === true) return;
      this.#greeting = undefined;
      this.#pending.push(this.#attempt.toEvent(turn.value));
      if (this.#isFlushBooked) continue;
      this.#isFlushBooked = true;
      setImmediate(() => this.#flush());
    }
  }

  /** Sends what the moment has brought; with a pace, at most so often. */
  #flush(): void {
    this.#isFlushBooked = false;
    if (this.#pending.length === 0) return;
    const newest = this.pace.mode === "LATEST" ? newestOf(this.#pending) : undefined;
    const events = newest === undefined ? this.#pending : [newest];
    this.#pending = [];
    const frames = new Frames(events.map(payloadOf));
    for (const { member } of this.#listeners) member.deliver(events, frames);
    if (this.pace.mode === "ALL" || this.pace.everyMs === 0) return;
    this.#isFlushBooked = true;
    this.#cancelPause = this.clock.after(this.pace.everyMs, () => this.#flush());
  }

  /** What a subscription of its own would be given first. Shared by all who join between two events. */
  async #currentState(): Promise<GroupEvent | undefined> {
    const { args, hasState, toEvent } = this.attempt();
    const opened = await subscribe(args);
    if (!(Symbol.asyncIterator in opened)) return toEvent(opened);
    try {
      if (!hasState()) return undefined;
      const first = await opened.next();
      return first.done === true ? undefined : toEvent(first.value);
    } finally {
      await opened.return(undefined);
    }
  }

  #end(tell: (listener: Listener) => void): void {
    this.#cancelPause?.();
    this.#isFlushBooked = false;
    this.#flush();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    if (listeners.length > 0) this.onEmpty();
    for (const listener of listeners) {
      listener.member.finish();
      tell(listener);
    }
  }
}

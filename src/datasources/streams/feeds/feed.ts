import type { Fault } from "../../fault.js";
import type { StreamEvent } from "../event.js";

/** Where a feed's events go. */
export interface FeedSink<T> {
  emit(event: StreamEvent<T>): void;
  /** It works, even if there is nothing to report yet. */
  ready(): void;
  /** It is over, and nothing comes after this. */
  failed(fault: Fault): void;
}

/** One stream of the exchange, for however many listeners: it is started once, and stopped once. */
export interface Feed<T> {
  start(sink: FeedSink<T>): void;
  stop(): void;
  /** Is it connected, and does it know all that can be known? */
  readonly isLive: boolean;
  /** What a newcomer hears first; nothing while there is no state, or where there is none. */
  current(): StreamEvent<T> | undefined;
  /** Everything that was pushed up to then over its connection has arrived, the exchange's time in Unix ms; nothing where that is not known. */
  readonly arrivedUntil?: number | undefined;
}

/** What is new to listeners. */
export type Change<T> = Pick<StreamEvent<T>, "kind" | "value">;

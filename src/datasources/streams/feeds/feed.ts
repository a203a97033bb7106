import type { Fault } from "../../errors/index.js";
import type { StreamEvent } from "../listening.js";

/** Destination of a feed's events. */
export interface FeedSink<T> {
  emit(event: StreamEvent<T>): void;
  /** The feed works, even if it has no event yet. */
  ready(): void;
  /** The feed has ended; no event follows. */
  failed(fault: Fault): void;
}

/** One stream of the exchange, for any number of listeners: it is started once and stopped once. */
export interface Feed<T> {
  start(sink: FeedSink<T>): void;
  stop(): void;
  /** Whether it is connected and up to date. */
  readonly isLive: boolean;
  /**
   * Called when the account has another key: its stream is stale until it has the state of that key's user. Nothing is opened
   * before it is known whether that is the former user, whose stream continues.
   */
  reassigned?(isSameUser: boolean | Promise<boolean>): void;
  /** First event for a new listener; undefined if there is no state. */
  current(): StreamEvent<T> | undefined;
  /** Exchange's time up to which all pushes over its connection have arrived, Unix ms; undefined if not known. */
  readonly arrivedUntil?: number | undefined;
}

/** The new part of an event. */
export type FeedChange<T> = Pick<StreamEvent<T>, "kind" | "value">;

/** An update with new or changed rows; `undefined` without any. */
export const updateOf = <T>(rows: readonly T[]): FeedChange<readonly T[]> | undefined =>
  rows.length === 0 ? undefined : { kind: "update", value: rows };

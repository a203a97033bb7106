import type { Writable } from "node:stream";
import type { Frames } from "./frames.js";

/** Bytes waiting in the gateway for one connection, over all its subscriptions. */
export interface Backlog {
  bytes: number;
}

/** Destination of one subscription's events: a WebSocket, or an event stream. */
export interface SubscriberSink {
  readonly isOpen: boolean;
  /** Bytes written and not yet taken by the client. */
  readonly unsentBytes: number;
  readonly backlog: Backlog;
  write(frames: Frames): void;
  /** Calls once when everything written has been taken; the returned function cancels it. */
  onceDrained(task: () => void): () => void;
  /** Closes the connection of a reader that is too slow. */
  cut(): void;
}

/** Maximum of unread answers, in bytes, with which a client may send further operations. */
export const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

/** Calls `task` once when everything written has been taken; the returned function cancels it. */
export const onceDrained = (connection: Writable, task: () => void): (() => void) => {
  connection.once("drain", task);
  return () => connection.off("drain", task);
};

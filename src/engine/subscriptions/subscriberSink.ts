import type { Writable } from "node:stream";
import type { Frames } from "./frames.js";

/** What waits here for one connection, over all its subscriptions. */
export interface Backlog {
  bytes: number;
}

/** Where one subscription's events leave: a place on a WebSocket, or an event stream of its own. */
export interface SubscriberSink {
  readonly isOpen: boolean;
  /** Bytes that were written and that the reader's side has not taken yet. */
  readonly owedBytes: number;
  readonly backlog: Backlog;
  write(frames: Frames): void;
  /** Calls once when everything owed has been taken; the returned function takes that back. */
  onceDrained(task: () => void): () => void;
  /** Ends the connection of a reader that is too slow for what it asked for. */
  cut(): void;
}

/** What a client may leave unread of the answers to what it asks for, and still ask for more. */
export const MAX_OWED_BYTES = 16 * 1024 * 1024;

/** Calls `task` once what was written has left; the returned function takes that back. */
export const onceDrained = (connection: Writable, task: () => void): (() => void) => {
  connection.once("drain", task);
  return () => connection.off("drain", task);
};

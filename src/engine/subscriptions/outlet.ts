import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { Clock } from "@exchange-graph/contract/clock";
import type { WebSocket } from "ws";
import { type Frames, prefixOf } from "./frames.js";

/** What waits here for one connection, over all its subscriptions. */
export interface Backlog {
  bytes: number;
}

/** Where one subscription's events leave: a place on a WebSocket, or an event stream of its own. */
export interface Outlet {
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

/** Close code for a reader who is too slow for what it asked for. */
export const TOO_SLOW = 4429;
/** What a client may leave unread of the answers to what it asks for, and still ask for more. */
export const MAX_OWED_BYTES = 16 * 1024 * 1024;
/** How long a reader may take to answer a close. One that reads nothing never does. */
const CLOSING_MS = 3_000;

/** Calls `task` once what was written has left; the returned function takes that back. */
export const onceDrained = (connection: Writable, task: () => void): (() => void) => {
  connection.once("drain", task);
  return () => connection.off("drain", task);
};

/** The place of one subscription on a WebSocket. The frames go past `ws`, straight into the connection under it. */
export class SocketOutlet implements Outlet {
  readonly #prefix: Buffer;
  /** What the system did not take at once is kept by the connection. */
  readonly #write = (bytes: Buffer): boolean => {
    this.connection.write(bytes);
    return this.connection.writableLength > 0;
  };

  constructor(
    id: string,
    private readonly socket: WebSocket,
    private readonly connection: Socket,
    readonly backlog: Backlog,
    private readonly clock: Clock,
  ) {
    this.#prefix = prefixOf(id);
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  get owedBytes(): number {
    return this.connection.writableLength;
  }

  write(frames: Frames): void {
    frames.write(this.#prefix, this.#write);
  }

  onceDrained(task: () => void): () => void {
    return onceDrained(this.connection, task);
  }

  cut(): void {
    closeSocket(this.socket, TOO_SLOW, "too slow for what it subscribed to", this.clock);
  }
}

/** Closes a socket in order, and breaks it when the other side does not answer. */
export function closeSocket(socket: WebSocket, code: number, reason: string, clock: Clock): void {
  socket.close(code, reason);
  const cancel = clock.after(CLOSING_MS, () => socket.terminate());
  socket.once("close", cancel);
}

import type { Socket } from "node:net";
import type { Clock } from "@exchange-graph/contract/clock";
import type { WebSocket } from "ws";
import { type Frames, prefixOf } from "../../engine/subscriptions/frames.js";
import { type Backlog, onceDrained, type SubscriberSink } from "../../engine/subscriptions/subscriberSink.js";

/** Close code for a reader that is too slow. */
export const TOO_SLOW = 4429;
/** Time for a client to answer a close frame. A client that does not read never does. */
const CLOSING_MS = 3_000;

/** One subscription on a WebSocket. Frames are written directly to the connection, without `ws`. */
export class SocketSink implements SubscriberSink {
  readonly #prefix: Buffer;

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

  get unsentBytes(): number {
    return this.connection.writableLength;
  }

  write(frames: Frames): void {
    frames.write(this.#prefix, this.connection);
  }

  onceDrained(task: () => void): () => void {
    return onceDrained(this.connection, task);
  }

  cut(): void {
    closeSocket(this.socket, TOO_SLOW, "too slow for what it subscribed to", this.clock);
  }
}

/** Closes a socket with a close frame, and destroys it if the client does not answer. */
export function closeSocket(socket: WebSocket, code: number, reason: string, clock: Clock): void {
  socket.close(code, reason);
  const cancel = clock.after(CLOSING_MS, () => socket.terminate());
  socket.once("close", cancel);
}

import type { Socket } from "node:net";
import type { Clock } from "@exchange-graph/contract/clock";
import type { WebSocket } from "ws";
import { type Frames, prefixOf } from "../../engine/subscriptions/frames.js";
import { type Backlog, onceDrained, type SubscriberSink } from "../../engine/subscriptions/subscriberSink.js";

/** Close code for a reader who is too slow for what it asked for. */
export const TOO_SLOW = 4429;
/** How long a reader may take to answer a close. One that reads nothing never does. */
const CLOSING_MS = 3_000;

/** The place of one subscription on a WebSocket. The frames go past `ws`, straight into the connection under it. */
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

  get owedBytes(): number {
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

/** Closes a socket in order, and breaks it when the other side does not answer. */
export function closeSocket(socket: WebSocket, code: number, reason: string, clock: Clock): void {
  socket.close(code, reason);
  const cancel = clock.after(CLOSING_MS, () => socket.terminate());
  socket.once("close", cancel);
}

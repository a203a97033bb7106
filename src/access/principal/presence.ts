import type { Socket } from "node:net";

/** Whether a client is still connected. */
export interface Presence {
  readonly isGone: boolean;
  /** Calls once when it disconnects; never if it already has. The returned function cancels it. */
  onceGone(task: () => void): () => void;
}

/** A presence that is ended explicitly. */
export class Attendance implements Presence {
  readonly #tasks = new Set<() => void>();
  #isGone = false;

  get isGone(): boolean {
    return this.#isGone;
  }

  onceGone(task: () => void): () => void {
    this.#tasks.add(task);
    return () => this.#tasks.delete(task);
  }

  leave(): void {
    this.#isGone = true;
    const tasks = [...this.#tasks];
    this.#tasks.clear();
    for (const task of tasks) task();
  }
}

/** One per connection, so that many waiting requests add only one listener to it. */
const attendances = new WeakMap<Socket, Attendance>();

class ConnectionPresence implements Presence {
  constructor(private readonly socket: Socket) {}

  get isGone(): boolean {
    return this.socket.destroyed;
  }

  onceGone(task: () => void): () => void {
    const existing = attendances.get(this.socket);
    if (existing !== undefined) return existing.onceGone(task);
    const attendance = new Attendance();
    attendances.set(this.socket, attendance);
    this.socket.once("close", () => attendance.leave());
    return attendance.onceGone(task);
  }
}

/** The presence of a connection's client. */
export const presenceOf = (socket: Socket): Presence => new ConnectionPresence(socket);

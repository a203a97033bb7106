import type { Socket } from "node:net";

/** Whether somebody is still there. */
export interface Presence {
  readonly isGone: boolean;
  /** Calls once when it has gone; never if it had gone before. The returned function stops that. */
  onceGone(task: () => void): () => void;
}

/** Of whatever says itself when it is over. */
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

/** One for each connection, so that however many wait on one, it has one listener. */
const attendances = new WeakMap<Socket, Attendance>();

/** Of the other end of a connection. */
export const presenceOf = (socket: Socket): Presence => ({
  get isGone() {
    return socket.destroyed;
  },
  onceGone(task) {
    const known = attendances.get(socket);
    if (known !== undefined) return known.onceGone(task);
    const attendance = new Attendance();
    attendances.set(socket, attendance);
    socket.once("close", () => attendance.leave());
    return attendance.onceGone(task);
  },
});

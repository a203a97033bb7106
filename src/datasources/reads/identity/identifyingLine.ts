import type { Clock } from "@exchange-graph/contract/clock";
import { PRIORITIES, type Priority } from "../../calls/index.js";

interface Waiting {
  priority: Priority;
  readonly start: () => void;
}

/** Time between an answer and the next call: the window of the limit of one call a second and user, and the rounding of clocks. */
const REST_MS = 1_005;
/** A call without an answer holds up the next one for at most this long. */
const LATE_MS = 2_000;
/** With more keys than this waiting, a further key does not wait: each takes about a second. */
const MAX_WAITING = 5;

/**
 * Calls that identify the users of keys, one after the other: until they are answered it is not known which keys share a rate
 * budget. What is urgent goes first.
 */
export class IdentifyingLine {
  readonly #waiting = new Map<string, Waiting>();
  #isOccupied = false;

  constructor(private readonly clock: Clock) {}

  /** Makes a call for a key when it is its turn. */
  async inTurn<T>(key: string, priority: Priority, call: () => Promise<T>): Promise<T> {
    if (this.#isOccupied && this.#waiting.size >= MAX_WAITING) return call();
    if (this.#isOccupied) await new Promise<void>((start) => this.#waiting.set(key, { priority, start }));
    this.#isOccupied = true;
    const leave = this.#once(() => this.#next());
    const cancelLate = this.clock.after(LATE_MS, leave);
    try {
      return await call();
    } finally {
      cancelLate();
      this.clock.after(REST_MS, leave);
    }
  }

  /** Raises the priority of a waiting key. */
  hurry(key: string, priority: Priority): void {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined && rankOf(priority) < rankOf(waiting.priority)) waiting.priority = priority;
  }

  #next(): void {
    const [next] = [...this.#waiting].sort(([, one], [, other]) => rankOf(one.priority) - rankOf(other.priority));
    this.#isOccupied = next !== undefined;
    if (next === undefined) return;
    const [key, { start }] = next;
    this.#waiting.delete(key);
    start();
  }

  #once(task: () => void): () => void {
    let isDone = false;
    return () => {
      if (!isDone) task();
      isDone = true;
    };
  }
}

const rankOf = (priority: Priority): number => PRIORITIES.indexOf(priority);

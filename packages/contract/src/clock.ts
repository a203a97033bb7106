/** Lengths of time, in ms. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Time as the rest of the code sees it. Everything that reads the hour or waits takes a `Clock`, so that a test can
 * replay an hour in a millisecond and no test has to sleep.
 */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

/** The machine's own clock. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** As good as the machine's clock when the process starts, and never set: for lengths of time that must not be too short. */
export const steadyClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  after: systemClock.after,
};

/** A clock that moves only when it is advanced. Due tasks run in the order of their time, then of their booking. */
export class ManualClock implements Clock {
  #now: number;
  #idleUntil = Number.POSITIVE_INFINITY;
  #booked = 0;
  readonly #tasks = new Map<number, { at: number; task: () => void }>();

  constructor(startMs: number) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): () => void {
    const id = this.#booked++;
    const at = this.#now + Math.max(0, delayMs);
    this.#tasks.set(id, { at, task });
    this.#idleUntil = Math.min(this.#idleUntil, at);
    return () => this.#tasks.delete(id);
  }

  /** No task is due before, Unix ms. */
  get idleUntil(): number {
    return this.#idleUntil;
  }

  /** How many tasks still wait. */
  get pending(): number {
    return this.#tasks.size;
  }

  /** Moves time forward by `ms`, running every task that falls due on the way, at its own time. */
  advance(ms: number): void {
    const until = this.#now + ms;
    while (this.#idleUntil <= until) {
      const due = this.#first();
      this.#idleUntil = due?.at ?? Number.POSITIVE_INFINITY;
      if (due === undefined || due.at > until) break;
      this.#now = Math.max(this.#now, due.at);
      this.#tasks.delete(due.id);
      due.task();
    }
    this.#now = until;
  }

  #first(): { id: number; at: number; task: () => void } | undefined {
    let first: { id: number; at: number; task: () => void } | undefined;
    for (const [id, { at, task }] of this.#tasks) {
      // Tasks are in the order in which they were booked: of two that are due at the same time the earlier one comes first.
      if (first === undefined || at < first.at) first = { id, at, task };
    }
    return first;
  }
}

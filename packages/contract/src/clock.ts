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

/** A clock that moves only when told to. Due tasks run in the order of their time, then of their booking. */
export class ManualClock implements Clock {
  #now: number;
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
    this.#tasks.set(id, { at: this.#now + Math.max(0, delayMs), task });
    return () => this.#tasks.delete(id);
  }

  /** How many tasks still wait. */
  get pending(): number {
    return this.#tasks.size;
  }

  /** Moves time forward by `ms`, running every task that falls due on the way, at its own time. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = this.#next(until);
      if (due === undefined) break;
      this.#now = Math.max(this.#now, due.at);
      this.#tasks.delete(due.id);
      due.task();
    }
    this.#now = until;
  }

  #next(until: number): { id: number; at: number; task: () => void } | undefined {
    let first: { id: number; at: number; task: () => void } | undefined;
    for (const [id, { at, task }] of this.#tasks) {
      if (at > until) continue;
      if (first === undefined || at < first.at || (at === first.at && id < first.id)) first = { id, at, task };
    }
    return first;
  }
}

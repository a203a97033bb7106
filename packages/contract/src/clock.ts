/** Lengths of time, in ms. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Whether there is such a day, as `2026-11-30`: JavaScript takes one that its month does not have for one of the next month. */
export function isDay(text: string): boolean {
  const start = new Date(text);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(text);
}

/**
 * The source of time. Everything that reads the time or waits takes a `Clock`, so that tests can simulate an hour in a
 * millisecond and never sleep.
 */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

/** How much slower a clock runs than real time while it is ahead of the one that it follows. */
const SLEW = 0.1;

/**
 * A clock that follows `time` and never goes back: while that is behind, as after it was set back, this one runs slower than
 * `steady` until both agree. So a length of time that is measured by it is at most a tenth too short, and no deadline is put off
 * until the former time comes again. A step ahead is followed at once. All times in ms.
 */
export function slewed(time: () => number, steady: () => number): () => number {
  let [now, at] = [time(), steady()];
  return () => {
    const ticks = steady();
    now = Math.max(time(), now + (ticks - at) * (1 - SLEW));
    at = ticks;
    return Math.floor(now);
  };
}

const monotonic = (): number => performance.now();

/** The system clock, which does not go back when that is set back. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: slewed(() => Date.now(), monotonic),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A monotonic clock, set to the system clock when the process starts: for durations that must not be too short. */
export const steadyClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  after: systemClock.after,
};

/** A manually advanced clock. Due tasks run in the order of their times, then of their scheduling. */
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

  /** No task is due before this time, Unix ms. */
  get idleUntil(): number {
    return this.#idleUntil;
  }

  get pending(): number {
    return this.#tasks.size;
  }

  /** Advances the time by `ms` and runs every task that becomes due, at its own time. */
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
      // Tasks are in the order of scheduling, which decides between equal times.
      if (first === undefined || at < first.at) first = { id, at, task };
    }
    return first;
  }
}

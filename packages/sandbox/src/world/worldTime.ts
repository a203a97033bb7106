import { type Clock, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { tickAt, timeOf } from "./market/listing.js";
import { lastTickOf, type Stretch, stretchOf, TICK_MS } from "./market/path.js";

/** Effects of passing time on the world. */
export interface Course {
  /** Whether nothing can happen in a period without calls. */
  isQuiet(stretch: Stretch): boolean;
  /** Called for each tick; `now` is its time. */
  tick(tick: number): void;
  /** Called for each full hour, before its tick. `at` is Unix ms. */
  hour(at: number): void;
}

interface Task {
  readonly at: number;
  readonly run: () => void;
}

const TICKS_PER_HOUR = HOUR_MS / TICK_MS;
/** For fewer ticks than this, processing them is cheaper than checking whether they can be skipped. */
const WORTH_ASKING = 10;

/**
 * Time of the world. It moves in ticks, or in several at once, up to the clock's time when it is requested; the number of steps makes no difference.
 * Periods in which nothing can happen are skipped.
 */
export class WorldTime {
  #tick: number;
  /** Number of ticks in one movement of the market. */
  readonly #stride: number;
  /** The time that is being processed. */
  #moment: number | undefined;
  /** The latest time that the world has had between ticks, Unix ms. */
  #latest: number;
  readonly #tasks: Task[] = [];

  /**
   * `from`: when the world begins, Unix ms; the clock may be further already. `marketMs`: interval at which the market moves; a
   * minute is a multiple of it, and it is one of a tick. Throws `RangeError` otherwise.
   */
  constructor(
    private readonly clock: Clock,
    from: number,
    readonly marketMs: number = TICK_MS,
  ) {
    this.#stride = marketMs / TICK_MS;
    if (!Number.isInteger(this.#stride) || !Number.isInteger(MINUTE_MS / marketMs))
      throw new RangeError(`marketMs must be a multiple of ${TICK_MS} that divides ${MINUTE_MS}: ${marketMs}`);
    this.#tick = this.#tickAt(from);
    this.#latest = timeOf(this.#tick);
  }

  /** The tick of the market's present prices. */
  get tick(): number {
    return this.#tickAt(this.now());
  }

  #tickAt(at: number): number {
    const tick = tickAt(at);
    return tick - (tick % this.#stride);
  }

  /** Time of the world, Unix ms. It never decreases, even if the clock does. */
  now(): number {
    if (this.#moment !== undefined) return this.#moment;
    this.#latest = Math.max(this.#latest, this.clock.now());
    return this.#latest;
  }

  /** Runs a task at the start of the world, before time is advanced. */
  begin(run: () => void): void {
    this.#moment = timeOf(this.#tick);
    try {
      run();
    } finally {
      this.#moment = undefined;
    }
  }

  /** Schedules a task. It runs at the first tick at or after its time. */
  at(at: number, run: () => void): void {
    const place = this.#tasks.findIndex((task) => task.at > at);
    this.#tasks.splice(place === -1 ? this.#tasks.length : place, 0, { at, run });
  }

  /** Advances the world to the clock. Does nothing while that is already in progress. */
  advance(course: Course): void {
    if (this.#moment !== undefined) return;
    const target = this.tick;
    try {
      while (this.#tick < target) this.#proceed(course, target);
    } finally {
      this.#moment = undefined;
    }
  }

  #proceed(course: Course, target: number): void {
    const next = this.#tick + this.#stride;
    this.#tick = next;
    this.#moment = timeOf(next);
    for (const unit of ["hour", "minute"] as const) {
      const last = Math.min(target, lastTickOf(stretchOf(unit, next)));
      if (last - next >= WORTH_ASKING && this.#passes(course, stretchOf(unit, next), next, last)) {
        this.#tick = last - (last % this.#stride);
        return;
      }
    }
    if (next % TICKS_PER_HOUR === 0) course.hour(this.#moment);
    this.#runTasks(this.#moment);
    course.tick(next);
  }

  /** Whether the ticks from `next` to `last`, of one period, can be skipped. */
  #passes(course: Course, stretch: Stretch, next: number, last: number): boolean {
    if (next % TICKS_PER_HOUR === 0 || (this.#tasks[0]?.at ?? Number.POSITIVE_INFINITY) <= timeOf(last)) return false;
    return course.isQuiet(stretch);
  }

  #runTasks(now: number): void {
    for (let task = this.#tasks[0]; task !== undefined && task.at <= now; task = this.#tasks[0]) {
      this.#tasks.shift();
      task.run();
    }
  }
}

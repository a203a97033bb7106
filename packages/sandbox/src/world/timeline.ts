import { type Clock, HOUR_MS } from "@exchange-graph/contract/clock";
import { tickAt, timeOf } from "./market/listing.js";
import { lastTickOf, type Stretch, stretchOf, TICK_MS } from "./market/path.js";

/** What the passing of time means to the world. */
export interface Course {
  /** Does a stretch pass without anything that a tick could bring about, if nobody does anything meanwhile? */
  isQuiet(stretch: Stretch): boolean;
  /** A tick has come; `now` stands on it. */
  tick(tick: number): void;
  /** A full hour has come, before its tick. `at` is Unix ms. */
  hour(at: number): void;
}

interface Task {
  readonly at: number;
  readonly run: () => void;
}

const TICKS_PER_HOUR = HOUR_MS / TICK_MS;
/** It is cheaper to go through a few ticks than to ask whether they can be passed over. */
const WORTH_ASKING = 10;

/**
 * Time in the world. It moves in ticks, up to the clock's present, whenever somebody asks for that: whether it is
 * brought forward in one go or step by step makes no difference to what happens. Hours and minutes in which nothing can
 * happen are passed over.
 */
export class Timeline {
  #tick: number;
  /** The moment that is being made up for. */
  #moment: number | undefined;
  readonly #tasks: Task[] = [];

  /** `from`: when the world begins, Unix ms; the clock may be further already. */
  constructor(
    private readonly clock: Clock,
    from: number,
  ) {
    this.#tick = tickAt(from);
  }

  /** The time of the world, Unix ms. It never runs back, whatever the clock does. */
  now(): number {
    return this.#moment ?? Math.max(this.clock.now(), timeOf(this.#tick));
  }

  /** Lets something happen at the beginning of the world, before time has been brought forward. */
  begin(run: () => void): void {
    this.#moment = timeOf(this.#tick);
    try {
      run();
    } finally {
      this.#moment = undefined;
    }
  }

  /** Books a task for a moment. It runs at the first tick that is not before it. */
  at(at: number, run: () => void): void {
    const place = this.#tasks.findIndex((task) => task.at > at);
    this.#tasks.splice(place === -1 ? this.#tasks.length : place, 0, { at, run });
  }

  /** Brings the world up to the clock. Does nothing while that is already under way. */
  advance(course: Course): void {
    if (this.#moment !== undefined) return;
    const target = tickAt(this.clock.now());
    try {
      while (this.#tick < target) this.#proceed(course, target);
    } finally {
      this.#moment = undefined;
    }
  }

  #proceed(course: Course, target: number): void {
    const next = this.#tick + 1;
    this.#tick = next;
    this.#moment = timeOf(next);
    for (const unit of ["hour", "minute"] as const) {
      const last = Math.min(target, lastTickOf(stretchOf(unit, next)));
      if (last - next >= WORTH_ASKING && this.#passes(course, stretchOf(unit, next), next, last)) {
        this.#tick = last;
        return;
      }
    }
    if (next % TICKS_PER_HOUR === 0) course.hour(this.#moment);
    this.#runTasks(this.#moment);
    course.tick(next);
  }

  /** Can the ticks from `next` to `last`, of one stretch, be passed over? */
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

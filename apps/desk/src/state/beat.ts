import { inOwnTask, isBuilding, nextFrame } from "./task.js";

/** Clock and frames of a page. */
export interface Frames {
  now(): number;
  /** Runs in a task of its own, after this time at the earliest. */
  after(ms: number, task: () => void): void;
  /** Calls `begins` before anything else that waits for the next frame, and `drawn` once that frame is drawn. */
  nextFrame(begins: () => void, drawn: () => void): void;
}

/** Live data is drawn at most this often, ms: nobody reads figures that change faster. */
const EVERY_MS = 100;
/** After new data is drawn the page rests for this multiple of the time that it took. */
const REST = 3;
const MAX_REST_MS = 200;
/** If drawing takes longer than the first, fewer tasks run next time; if it takes less than the second, more. */
const [LONG_MS, SHORT_MS] = [50, 25];

/**
 * Draws live data of several sources together, as many as a short frame has room for, and rests in proportion to what that took:
 * however fast the market and however slow the processor, the page keeps most of its time for the user.
 *
 * Tasks run before the frame, not in it: what a task requests for the next frame, as charts do, is drawn in the same one.
 */
export class Beat {
  readonly #frames: Frames;
  readonly #due = new Set<() => void>();
  #isPlanned = false;
  #restsUntil = 0;
  /** Number of tasks in a frame. */
  #most = 1;

  constructor(frames: Frames) {
    this.#frames = frames;
  }

  /** Runs a task before the next frame for live data; once, if it is passed several times. */
  next(task: () => void): void {
    this.#due.add(task);
    if (!this.#isPlanned) this.#plan();
  }

  #plan(): void {
    this.#isPlanned = true;
    this.#frames.after(Math.max(0, this.#restsUntil - this.#frames.now()), () => this.#draw());
  }

  #draw(): void {
    const { now } = this.#frames;
    const started = now();
    // Those that have waited longest.
    const tasks = [...this.#due].slice(0, this.#most);
    for (const task of tasks) this.#due.delete(task);
    let [ran, began] = [0, 0];
    this.#frames.nextFrame(
      () => {
        began = now();
      },
      () => this.#rest(tasks.length, started, ran + now() - began),
    );
    for (const task of tasks) task();
    ran = now() - started;
  }

  /** Plans the next frame after one in which this many tasks took this long, ms. */
  #rest(count: number, started: number, took: number): void {
    this.#restsUntil = Math.max(started + EVERY_MS, this.#frames.now() + Math.min(MAX_REST_MS, took * REST));
    if (took > LONG_MS) this.#most = Math.ceil(count / 2);
    else if (took < SHORT_MS && count === this.#most) this.#most += 1;
    this.#isPlanned = false;
    if (this.#due.size > 0) this.#plan();
  }
}

export const beat = new Beat({
  now: () => performance.now(),
  // While the page is built, what changes on it takes its turn.
  after: (ms, task) => void setTimeout(() => (isBuilding() ? inOwnTask(task) : task()), ms),
  nextFrame: (begins, drawn) =>
    nextFrame(() => {
      begins();
      // A message that is sent before a frame is drawn arrives after it.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        drawn();
      };
      port2.postMessage(undefined);
    }),
});

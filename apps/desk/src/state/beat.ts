import { inOwnTask, isBuilding, nextFrame } from "./task.js";

/** Clock and frames of a page. */
export interface Frames {
  /** ms. */
  now(): number;
  after(ms: number, task: () => void): void;
  /** Runs before the next frame is drawn. */
  beforeFrame(task: () => void): void;
  /** Runs once the current frame has been drawn. */
  afterFrame(task: () => void): void;
}

/** After a frame with new data the page rests for this multiple of the time that the frame took. */
const REST = 2;
const MAX_REST_MS = 200;
/** A frame that takes longer than the first has fewer tasks next time, one that takes less than the second has more. */
const [LONG_MS, SHORT_MS] = [50, 25];

/**
 * Draws live data of several sources together, as many as a short frame has room for, and rests in proportion to what that took:
 * however fast the market and however slow the processor, the page keeps most of its time for the user.
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

  /** Runs a task in the next frame for live data; once, if it is passed several times. */
  next(task: () => void): void {
    this.#due.add(task);
    if (!this.#isPlanned) this.#plan();
  }

  #plan(): void {
    this.#isPlanned = true;
    const wait = this.#restsUntil - this.#frames.now();
    const draw = () => this.#frames.beforeFrame(() => this.#draw());
    if (wait > 0) this.#frames.after(wait, draw);
    else draw();
  }

  #draw(): void {
    const started = this.#frames.now();
    // Those that have waited longest.
    const tasks = [...this.#due].slice(0, this.#most);
    for (const task of tasks) this.#due.delete(task);
    this.#frames.afterFrame(() => {
      const now = this.#frames.now();
      const took = now - started;
      this.#restsUntil = now + Math.min(MAX_REST_MS, took * REST);
      if (took > LONG_MS) this.#most = Math.ceil(tasks.length / 2);
      else if (took < SHORT_MS && tasks.length === this.#most) this.#most += 1;
      this.#isPlanned = false;
      if (this.#due.size > 0) this.#plan();
    });
    for (const task of tasks) task();
  }
}

/** The beat of this page. */
export const beat = new Beat({
  now: () => performance.now(),
  after: (ms, task) => void setTimeout(task, ms),
  // While the page is built, what changes on it takes its turn.
  beforeFrame: (task) => (isBuilding() ? inOwnTask(task) : nextFrame(task)),
  // A message that is sent before a frame is drawn arrives after it.
  afterFrame(task) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      task();
    };
    port2.postMessage(undefined);
  },
});

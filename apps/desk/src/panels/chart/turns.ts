import { inOwnTask, nextFrame } from "../../state/task.js";

/** Steps of all charts of a page that wait for their turn: one is taken for each frame. */
export class TurnQueue {
  readonly #waiting: { readonly of: Turns; readonly step: () => void }[] = [];
  readonly #afterDrawing: (task: () => void) => void;
  #isTaking = false;

  // A chart that is made learns its size as the first frame is laid out, and draws itself in the second.
  constructor(
    afterDrawing = (task: () => void): void => nextFrame(() => nextFrame(() => inOwnTask(task, { isDrawnAlone: true }))),
  ) {
    this.#afterDrawing = afterDrawing;
  }

  next(of: Turns, step: () => void): void {
    if (this.#isTaking) this.#waiting.push({ of, step });
    else step();
  }

  pause(): void {
    if (!this.#isTaking) this.#plan();
  }

  #plan(): void {
    this.#isTaking = true;
    this.#afterDrawing(() => this.#take());
  }

  #take(): void {
    const first = this.#waiting.findIndex(({ of }) => !of.isOver);
    const [taken] = first < 0 ? [] : this.#waiting.splice(0, first + 1).slice(-1);
    this.#isTaking = taken !== undefined;
    if (taken === undefined) {
      this.#waiting.length = 0;
      return;
    }
    taken.step();
    this.#plan();
  }
}

const ofPage = new TurnQueue();

/**
 * Steps of a picture. Each is taken in a task of its own, once the step before it is on the screen, and in turn with those of the
 * page's other pictures: to draw a chart for the first time at once, or two charts in a frame, would be a long task. While nothing
 * waits, a step is taken at once.
 */
export class Turns {
  readonly #queue: TurnQueue;
  #isOver = false;

  constructor(queue: TurnQueue = ofPage) {
    this.#queue = queue;
  }

  /** Whether waiting steps were discarded. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes a step in its turn. */
  next(step: () => void): void {
    this.#queue.next(this, step);
  }

  /** Later steps wait until what is drawn now is on the screen. */
  pause(): void {
    this.#queue.pause();
  }

  /** Discards the waiting steps. */
  end(): void {
    this.#isOver = true;
  }
}

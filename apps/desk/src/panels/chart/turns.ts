import { nextFrame } from "../../state/beat.js";
import { inOwnTask } from "../../state/task.js";

/**
 * Steps of a picture. Each is taken in a task of its own, once the step before it is on the screen: to draw a chart for the first
 * time at once would be a long task. While nothing waits, a step is taken at once.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isTaking = false;
  #isOver = false;
  readonly #afterDrawing: (task: () => void) => void;

  constructor(afterDrawing = (task: () => void): void => nextFrame(() => inOwnTask(task))) {
    this.#afterDrawing = afterDrawing;
  }

  /** Takes a step in its turn. */
  next(step: () => void): void {
    if (this.#isTaking) this.#waiting.push(step);
    else step();
  }

  /** Later steps wait until what is drawn now is on the screen. */
  pause(): void {
    if (!this.#isTaking) this.#plan();
  }

  /** Forgets the steps that wait. */
  end(): void {
    this.#isOver = true;
  }

  #plan(): void {
    this.#isTaking = true;
    this.#afterDrawing(() => this.#take());
  }

  #take(): void {
    const step = this.#isOver ? undefined : this.#waiting.shift();
    this.#isTaking = step !== undefined;
    if (step === undefined) return;
    step();
    this.#plan();
  }
}

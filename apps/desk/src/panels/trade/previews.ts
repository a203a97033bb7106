/** A clock for waits. */
export interface Waits {
  now(): number;
  /** Runs the task after this time, ms; returns the cancellation. */
  after(ms: number, task: () => void): () => void;
}

/** The result of a dry run. */
export interface Preview<Input, Result> {
  readonly input: Input;
  readonly result: Result;
  /** Time of the result, Unix ms. */
  readonly at: number;
}

/** Pause in typing before a dry run is requested, and the longest that it is put off by further typing, ms. */
const PAUSE_MS = 250;
const MAX_PAUSE_MS = 1_000;
/** An unchanged order is checked again at this interval, ms: balances and the market move. */
const AGAIN_MS = 15_000;

/**
 * Decides when orders are checked by dry runs: after a pause in typing, which cannot be put off for ever; one at a time; and now
 * and then again. Inputs are compared by their JSON.
 */
export class Previews<Input, Result> {
  readonly #run: (input: Input) => Promise<Result>;
  readonly #show: (preview: Preview<Input, Result>) => void;
  readonly #waits: Waits;
  #wanted: Input | undefined;
  #key = "";
  /** Since when the wanted input differs from the last one that was sent; undefined if it does not. */
  #since: number | undefined;
  #cancel: (() => void) | undefined;
  #isRunning = false;

  constructor(run: (input: Input) => Promise<Result>, show: (preview: Preview<Input, Result>) => void, waits: Waits) {
    this.#run = run;
    this.#show = show;
    this.#waits = waits;
  }

  /** The order as it is now; undefined for none. */
  want(input: Input | undefined): void {
    const key = JSON.stringify(input) ?? "";
    if (key === this.#key) return;
    this.#key = key;
    this.#wanted = input;
    this.#since ??= this.#waits.now();
    const left = this.#since + MAX_PAUSE_MS - this.#waits.now();
    this.#plan(Math.max(0, Math.min(PAUSE_MS, left)));
  }

  /** Requests nothing more. */
  close(): void {
    this.#cancel?.();
    this.#wanted = undefined;
    this.#key = "";
  }

  #plan(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#waits.after(ms, () => void this.#send());
  }

  async #send(): Promise<void> {
    const [input, key] = [this.#wanted, this.#key];
    if (input === undefined || this.#isRunning) return;
    this.#isRunning = true;
    this.#since = undefined;
    const result = await this.#run(input).finally(() => {
      this.#isRunning = false;
    });
    if (this.#key === "") return;
    this.#show({ input, result, at: this.#waits.now() });
    // What was typed meanwhile has waited for this answer.
    this.#plan(key === this.#key ? AGAIN_MS : 0);
  }
}

import { useSyncExternalStore } from "react";

/** A value outside React. Readers are notified at most once per animation frame, or less often. */
export class Store<T> {
  #value: T;
  #shown: T;
  #isDue = false;
  #notified = 0;
  readonly #everyMs: number;
  readonly #readers = new Set<() => void>();

  /** `everyMs`: the least time between two notifications. Default: a frame. */
  constructor(value: T, { everyMs = 0 }: { readonly everyMs?: number } = {}) {
    this.#value = value;
    this.#shown = value;
    this.#everyMs = everyMs;
  }

  /** The newest value. */
  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    if (this.#isDue) return;
    this.#isDue = true;
    const wait = this.#notified + this.#everyMs - performance.now();
    if (wait > 0) setTimeout(() => nextFrame(this.#notify), wait);
    else nextFrame(this.#notify);
  }

  readonly #notify = (): void => {
    this.#isDue = false;
    this.#notified = performance.now();
    this.#shown = this.#value;
    for (const reader of this.#readers) reader();
  };

  update(change: (value: T) => T): void {
    this.set(change(this.#value));
  }

  readonly subscribe = (reader: () => void): (() => void) => {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  };

  /** The value of the last frame. */
  readonly shown = (): T => this.#shown;
}

/** The value of a store, for a component. */
export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.shown);

/** Runs before the next frame is drawn; soon if none is drawn, as in a hidden tab. */
function nextFrame(run: () => void): void {
  if (document.visibilityState === "visible") requestAnimationFrame(run);
  else setTimeout(run, HIDDEN_MS);
}

const HIDDEN_MS = 250;

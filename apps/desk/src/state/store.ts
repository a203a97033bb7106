import { useSyncExternalStore } from "react";
import { beat } from "./beat.js";
import { inOwnTask, nextFrame } from "./task.js";

interface StoreOptions {
  /** The least time between two notifications, ms. Default: a frame. */
  readonly everyMs?: number;
  /** Whether the value changes by itself, and not by what the user does: it is shown with the beat. Default: false. */
  readonly isLive?: boolean;
}

/** A value outside React. Readers are notified at most once per animation frame, or less often. */
export class Store<T> {
  #value: T;
  #shown: T;
  #isDue = false;
  #notified = 0;
  readonly #everyMs: number;
  readonly #isLive: boolean;
  readonly #readers = new Set<() => void>();

  constructor(value: T, { everyMs = 0, isLive = false }: StoreOptions = {}) {
    this.#value = value;
    this.#shown = value;
    this.#everyMs = everyMs;
    this.#isLive = isLive;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    if (this.#isDue) return;
    this.#isDue = true;
    const wait = this.#notified + this.#everyMs - performance.now();
    if (this.#everyMs > 0 && wait > 0) setTimeout(this.#plan, wait);
    else this.#plan();
  }

  readonly #plan = (): void => {
    if (!this.#isLive) nextFrame(this.#notify);
    // The first value is what somebody waits for.
    else if (this.#notified === 0) inOwnTask(this.#notify);
    else beat.next(this.#notify);
  };

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

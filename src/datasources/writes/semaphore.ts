import { FairQueue } from "../calls/index.js";

/** A semaphore with a fixed number of permits; waiting clients take turns. */
export class Semaphore {
  #free: number;
  readonly #waiting = new FairQueue<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Waits for a permit; call the result once to release it. */
  async enter(client: string): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.add(client, resolve));
    return () => {
      const next = this.#waiting.next();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}

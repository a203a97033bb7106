import { FairQueue } from "../scheduler/fairQueue.js";

/** Lets a fixed number through at a time; the clients of the others take turns. */
export class Semaphore {
  #free: number;
  readonly #waiting = new FairQueue<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Waits for a place; call what it resolves to, once, to give the place back. */
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

/**
 * Makes writes to a file durable, together: whoever asks while the disk is busy shares the next sync with everybody else
 * who has asked by then. The event loop never waits for the disk.
 */
export class GroupSync {
  /** How often the disk was asked so far. */
  syncs = 0;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** `sync` makes everything durable that was written before its call. */
  constructor(private readonly sync: () => Promise<void>) {}

  /** Resolves when everything that has been written up to now is durable. Rejects when the disk refuses. */
  flush(): Promise<void> {
    this.#next ??= this.#afterRunning();
    return this.#next;
  }

  async #afterRunning(): Promise<void> {
    // How the sync before this one ended is its own clients' matter.
    await Promise.allSettled([this.#running]);
    this.#next = undefined;
    this.syncs++;
    this.#running = this.sync();
    return this.#running;
  }
}

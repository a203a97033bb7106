/** Group commit: callers that arrive while the disk is busy share the next sync. The event loop never waits for the disk. */
export class GroupSync {
  syncs = 0;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** `sync` makes everything durable that was written before its call. */
  constructor(private readonly sync: () => Promise<void>) {}

  /** Resolves when everything written so far is durable. Rejects if the disk fails. */
  flush(): Promise<void> {
    this.#next ??= this.#afterRunning();
    return this.#next;
  }

  async #afterRunning(): Promise<void> {
    // A failure of the previous sync is reported to its own callers.
    await Promise.allSettled([this.#running]);
    this.#next = undefined;
    this.syncs++;
    this.#running = this.sync();
    return this.#running;
  }
}

/** Waits for entries that other processes settle, woken by the database's announcements. */
export class EntryWaiters {
  /** By the number of an entry. */
  readonly #waiting = new Map<number, Set<() => void>>();

  /** Runs `wait`, passing a function that resolves when the entry may have changed since its call. */
  async following<T>(seq: number, wait: (changed: () => Promise<void>) => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(seq) ?? new Set();
    this.#waiting.set(seq, waiting);
    try {
      return await wait(() => new Promise<void>((resolve) => waiting.add(resolve)));
    } finally {
      this.#waiting.delete(seq);
      for (const wake of waiting) wake();
    }
  }

  /** Wakes the waiters of these entries, given as space-separated numbers; all if announcements may have been missed. */
  wake(seqs: string | undefined): void {
    const changed = seqs === undefined ? [...this.#waiting.keys()] : seqs.split(" ").map((seq) => Number.parseInt(seq, 10));
    for (const seq of changed) {
      const waiting = [...(this.#waiting.get(seq) ?? [])];
      this.#waiting.get(seq)?.clear();
      for (const wake of waiting) wake();
    }
  }
}

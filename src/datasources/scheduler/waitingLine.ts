/** How urgent a call is: taking risk away comes first, refreshing a cache last. */
export const URGENCIES = ["cancel", "write", "read", "refresh"] as const;
/** One of `URGENCIES`. */
export type Urgency = (typeof URGENCIES)[number];

/** How many more urgent calls may go before a class gets its turn all the same: its share is one in that many plus one. */
const PATIENCE: Readonly<Record<Urgency, number>> = { cancel: 0, write: 4, read: 8, refresh: 16 };

interface Row<T> {
  readonly urgency: Urgency;
  readonly jobs: Set<T>;
  passedOver: number;
}

/**
 * Calls that wait for one counter: the most urgent first, first come first served within a class, and no class
 * starved: one that has been passed over often enough goes next.
 */
export class WaitingLine<T> {
  readonly #rows: readonly Row<T>[] = URGENCIES.map((urgency) => ({ urgency, jobs: new Set<T>(), passedOver: 0 }));
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(urgency: Urgency, job: T): void {
    this.#row(urgency).jobs.add(job);
    this.#size++;
  }

  /** Takes a job out before its turn; false when it is not here any more. */
  remove(urgency: Urgency, job: T): boolean {
    const removed = this.#row(urgency).jobs.delete(job);
    if (removed) this.#size--;
    return removed;
  }

  /** At least how many go before a newcomer of this urgency. */
  ahead(urgency: Urgency): number {
    let count = 0;
    for (const row of this.#rows) {
      count += row.jobs.size;
      if (row.urgency === urgency) break;
    }
    return count;
  }

  /** The most urgent class that waits. */
  get foremost(): Urgency | undefined {
    return this.#rows.find((row) => row.jobs.size > 0)?.urgency;
  }

  /** Takes out whoever's turn it is among the classes that may go. */
  next(may: (urgency: Urgency) => boolean = () => true): T | undefined {
    const waiting = this.#rows.filter((row) => row.jobs.size > 0 && may(row.urgency));
    const chosen = waiting.find((row) => row.urgency !== "cancel" && row.passedOver >= PATIENCE[row.urgency]) ?? waiting[0];
    if (chosen === undefined) return undefined;
    for (const row of waiting) row.passedOver = row === chosen ? 0 : row.passedOver + 1;
    const [job] = chosen.jobs;
    if (job !== undefined) this.remove(chosen.urgency, job);
    return job;
  }

  #row(urgency: Urgency): Row<T> {
    const row = this.#rows.find((candidate) => candidate.urgency === urgency);
    if (row === undefined) throw new Error(`no urgency ${urgency}`);
    return row;
  }
}

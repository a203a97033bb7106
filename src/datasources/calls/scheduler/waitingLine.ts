import { FairQueue, type Waiting } from "./fairQueue.js";

/** Priorities, highest first: cancels reduce risk, refreshes only renew the cache, and nobody waits for what is in the background. */
export const PRIORITIES = ["cancel", "write", "read", "refresh", "background"] as const;
/** One of `PRIORITIES`. */
export type Priority = (typeof PRIORITIES)[number];

/**
 * Number of calls of higher priority that may pass before a priority gets a turn: its minimum share is one in that number plus
 * one. The background has none: it takes what the others leave.
 */
const PATIENCE: Readonly<Record<Priority, number>> = {
  cancel: 0,
  write: 4,
  read: 8,
  refresh: 16,
  background: Number.POSITIVE_INFINITY,
};

interface Row<T> {
  readonly priority: Priority;
  readonly jobs: FairQueue<T>;
  passedOver: number;
}

/**
 * Calls that wait for one counter, by priority. Within a priority clients take turns by weight. No priority but the
 * background is starved: one that has been passed over often enough is next. Each priority has its own capacity.
 */
export class WaitingLine<T> {
  readonly #rows: readonly Row<T>[] = PRIORITIES.map((priority) => ({ priority, jobs: new FairQueue<T>(), passedOver: 0 }));

  get size(): number {
    return this.#rows.reduce((size, { jobs }) => size + jobs.size, 0);
  }

  hasRoomFor(priority: Priority, client: string): boolean {
    return this.#row(priority).jobs.hasRoomFor(client);
  }

  add(priority: Priority, client: string, job: T, weight = 1): Waiting<T> {
    return this.#row(priority).jobs.add(client, job, weight);
  }

  /** Removes a job before its turn; false if it is not here any more. */
  remove(priority: Priority, waiting: Waiting<T>): boolean {
    return this.#row(priority).jobs.remove(waiting);
  }

  /** Minimum number of calls before a new one of this client and priority. */
  ahead(priority: Priority, client: string, weight = 1): number {
    let count = 0;
    for (const row of this.#rows) {
      if (row.priority === priority) return count + row.jobs.ahead(client, weight);
      count += row.jobs.size;
    }
    return count;
  }

  /** The highest waiting priority. */
  get foremost(): Priority | undefined {
    return this.#rows.find((row) => row.jobs.size > 0)?.priority;
  }

  /** The clients of the next turns in the highest waiting priority, at most `limit`. */
  foremostClients(limit: number): Iterable<string> {
    return this.#rows.find((row) => row.jobs.size > 0)?.jobs.clients(limit) ?? [];
  }

  /** Takes the next call among the priorities that may be served; of `client` if it waits in that priority. */
  next(may: (priority: Priority) => boolean = () => true, client?: string): T | undefined {
    const waiting = this.#rows.filter((row) => row.jobs.size > 0 && may(row.priority));
    const chosen = waiting.find((row) => row.priority !== "cancel" && row.passedOver >= PATIENCE[row.priority]) ?? waiting[0];
    if (chosen === undefined) return undefined;
    for (const row of waiting) row.passedOver = row === chosen ? 0 : row.passedOver + 1;
    return chosen.jobs.next(client);
  }

  #row(priority: Priority): Row<T> {
    const row = this.#rows.find((candidate) => candidate.priority === priority);
    if (row === undefined) throw new Error(`unknown priority ${priority}`);
    return row;
  }
}

import { FairQueue, type Waiting } from "./fairQueue.js";

/** How urgent a call is: taking risk away comes first, refreshing a cache last. */
export const PRIORITIES = ["cancel", "write", "read", "refresh"] as const;
/** One of `URGENCIES`. */
export type Priority = (typeof PRIORITIES)[number];

/** How many more urgent calls may go before a class gets its turn all the same: its share is one in that many plus one. */
const PATIENCE: Readonly<Record<Priority, number>> = { cancel: 0, write: 4, read: 8, refresh: 16 };

interface Row<T> {
  readonly priority: Priority;
  readonly jobs: FairQueue<T>;
  passedOver: number;
}

/**
 * Calls that wait for one counter: the most urgent first, within a class the clients in turns by their weights, and no class starved: one
 * that has been passed over often enough goes next. Each class has room of its own.
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

  /** Takes a job out before its turn; false when it is not here any more. */
  remove(priority: Priority, waiting: Waiting<T>): boolean {
    return this.#row(priority).jobs.remove(waiting);
  }

  /** At least how many go before one more of this client's and of this priority. */
  ahead(priority: Priority, client: string, weight = 1): number {
    let count = 0;
    for (const row of this.#rows) {
      if (row.priority === priority) return count + row.jobs.ahead(client, weight);
      count += row.jobs.size;
    }
    return count;
  }

  /** The most urgent class that waits. */
  get foremost(): Priority | undefined {
    return this.#rows.find((row) => row.jobs.size > 0)?.priority;
  }

  /** The clients that have the next turns in the most urgent class that waits, as many of them as `limit` says. */
  foremostClients(limit: number): Iterable<string> {
    return this.#rows.find((row) => row.jobs.size > 0)?.jobs.clients(limit) ?? [];
  }

  /** Takes out whoever's turn it is among the classes that may go; in its class one of `client` if that waits there. */
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

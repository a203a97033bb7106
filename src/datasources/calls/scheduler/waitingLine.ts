/** Maximum number of waiting items. One client's items never exceed the room that is left for all others. */
const CAPACITY = 4_000;

/** A waiting item, linked with the others of its client. */
class Waiting<T> {
  after: Waiting<T> | undefined;
  isWaiting = true;

  constructor(
    readonly item: T,
    readonly flow: Flow<T>,
    public before: Waiting<T> | undefined,
  ) {}
}

export type { Waiting };

/** The waiting items of one client, in order. Clients with waiting items form a ring. */
class Flow<T> {
  first: Waiting<T> | undefined;
  last: Waiting<T> | undefined;
  length = 0;
  before: Flow<T> = this;
  after: Flow<T> = this;
  /** Items that it may still take in this turn. */
  left: number;

  constructor(
    readonly client: string,
    readonly weight: number,
  ) {
    this.left = weight;
  }
}

/**
 * A weighted round-robin queue: it takes as many items of each client as the client's weight, then those of the next. Items of
 * one client are first in, first out. A client with thousands of waiting items delays another's first item by one turn. All
 * operations take constant time, except `ahead`, which takes logarithmic time per distinct weight.
 *
 * A weight is a whole number from 1. A client keeps its first weight until it has no waiting items.
 */
export class FairQueue<T> {
  readonly #flows = new Map<string, Flow<T>>();
  /** Number of clients with at least n waiting items, by n, for each weight. */
  readonly #withAtLeast = new Map<number, Tally>();
  /** The client whose turn is next. */
  #turn: Flow<T> | undefined;
  #size = 0;

  constructor(private readonly capacity = CAPACITY) {}

  get size(): number {
    return this.#size;
  }

  /** The clients of the next turns, in order, at most `limit`. */
  *clients(limit: number): Generator<string> {
    let flow = this.#turn;
    for (let at = 0; flow !== undefined && at < limit; at++) {
      yield flow.client;
      flow = flow.after === this.#turn ? undefined : flow.after;
    }
  }

  /** Whether one more item of this client may be added. */
  hasRoomFor(client: string): boolean {
    return (this.#flows.get(client)?.length ?? 0) < this.capacity - this.#size;
  }

  /** Minimum number of items before a new one of this client. */
  ahead(client: string, weight = 1): number {
    const flow = this.#flows.get(client);
    const own = flow?.length ?? 0;
    // The client completes this many turns before it, and each other client has a turn after each of them. A new client comes
    // last.
    const turns = Math.floor(own / (flow?.weight ?? weight));
    const goes = (each: number): number => (own === 0 ? 1 : turns * each);
    let ahead = flow === undefined ? 0 : own - Math.min(own, goes(flow.weight));
    for (const [each, tally] of this.#withAtLeast) ahead += tally.sum(goes(each));
    return ahead;
  }

  /** Adds an item. The result is the argument of `remove`. */
  add(client: string, item: T, weight = 1): Waiting<T> {
    const flow = this.#flows.get(client) ?? this.#enter(client, weight);
    const entry = new Waiting(item, flow, flow.last);
    if (flow.last === undefined) flow.first = entry;
    else flow.last.after = entry;
    flow.last = entry;
    this.#count(flow, ++flow.length, 1);
    this.#size++;
    return entry;
  }

  /** Removes an item before its turn; false if it does not wait any more. */
  remove(entry: Waiting<T>): boolean {
    if (!entry.isWaiting) return false;
    entry.isWaiting = false;
    const { flow, before, after } = entry;
    if (before === undefined) flow.first = after;
    else before.after = after;
    if (after === undefined) flow.last = before;
    else after.before = before;
    this.#count(flow, flow.length--, -1);
    this.#size--;
    if (flow.length === 0) this.#leave(flow);
    return true;
  }

  /** Takes the next item; with `client`, an item of that client if it has one, as part of its turn. */
  next(client?: string): T | undefined {
    const flow = (client === undefined ? undefined : this.#flows.get(client)) ?? this.#turn;
    const entry = flow?.first;
    if (flow === undefined || entry === undefined) return undefined;
    if (--flow.left === 0) {
      flow.left = flow.weight;
      this.#unlink(flow);
      this.#link(flow);
    }
    this.remove(entry);
    return entry.item;
  }

  /** Adds a client at the end of the ring. */
  #enter(client: string, weight: number): Flow<T> {
    const flow = new Flow<T>(client, weight);
    this.#link(flow);
    this.#flows.set(client, flow);
    return flow;
  }

  /** Counts one client more, or one less, with at least `length` waiting items. */
  #count({ weight }: Flow<T>, length: number, by: 1 | -1): void {
    let tally = this.#withAtLeast.get(weight);
    if (tally === undefined) {
      tally = new Tally();
      this.#withAtLeast.set(weight, tally);
    }
    tally.add(length, by);
  }

  #leave(flow: Flow<T>): void {
    this.#flows.delete(flow.client);
    this.#unlink(flow);
  }

  #link(flow: Flow<T>): void {
    if (this.#turn === undefined) this.#turn = flow;
    else {
      flow.after = this.#turn;
      flow.before = this.#turn.before;
      flow.before.after = flow;
      flow.after.before = flow;
    }
  }

  #unlink(flow: Flow<T>): void {
    flow.before.after = flow.after;
    flow.after.before = flow.before;
    if (this.#turn === flow) this.#turn = flow.after === flow ? undefined : flow.after;
    flow.before = flow;
    flow.after = flow;
  }
}

const FIRST_PLACES = 16;

/** Counts by index, from 1; sums of the first counts take logarithmic time (a Fenwick tree). */
class Tally {
  #tree = new Int32Array(FIRST_PLACES);

  add(place: number, by: number): void {
    if (place >= this.#tree.length) this.#grow();
    for (let at = place; at < this.#tree.length; at += at & -at) this.#tree[at] = (this.#tree[at] ?? 0) + by;
  }

  sum(places: number): number {
    let sum = 0;
    for (let at = Math.min(places, this.#tree.length - 1); at > 0; at -= at & -at) sum += this.#tree[at] ?? 0;
    return sum;
  }

  #grow(): void {
    const counts = Array.from(this.#tree, (_, place) => this.sum(place) - this.sum(place - 1));
    this.#tree = new Int32Array(this.#tree.length * 2);
    for (const [place, count] of counts.entries()) if (place > 0 && count !== 0) this.add(place, count);
  }
}

/** Priorities, highest first. Cancels reduce risk, refreshes only renew the cache, and nobody waits for calls in the background. */
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
 * Calls that wait for one counter, by priority. Within a priority clients take turns by weight. Only the background can starve: any
 * other priority that has been passed over often enough is next. Each priority has its own capacity.
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

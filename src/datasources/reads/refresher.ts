import type { Clock } from "@exchange-graph/contract/clock";
import type { RateLimit } from "@exchange-graph/contract/endpoint";
import { LRUCache } from "lru-cache";
import type { Owner } from "../cache/cacheKey.js";
import { growingLru } from "../cache/lru.js";
import { gatewayFor, type Requester } from "../scheduler/requester.js";
import { LastTimes } from "./lastTimes.js";

/** Answers that are watched at once. */
const MAX_WATCHED = 5_000;
/** Nothing is remembered of what nobody has read for so long, ms. */
const FORGOTTEN_MS = 120_000;
/** Reads within this time are one look: a page asks for many things at once. */
const ONE_LOOK_MS = 400;
/** Of its bound: what is looked at less often is not worth refreshing between two looks. */
const OFTEN = 1.5;
/** Of the time between two looks, and at least so long, ms: then nobody looks any more. */
const LOOKS_MISSED = 2;
const LEAST_WATCHED_MS = 10_000;
/** Of its bound: an answer that is watched is refreshed before it becomes too old. */
const REFRESH_AT = 0.6;
/** What could not be refreshed is tried again after so long, ms. */
const RETRY_MS = 5_000;

/** An answer that somebody reads, and how a new one is fetched. */
export interface Refreshable {
  readonly key: string;
  readonly endpoint: string;
  /** What it takes a slot of: an endpoint's budget of one counter. */
  readonly budget: string;
  readonly rate: Pick<RateLimit, "limit" | "windowMs">;
  readonly owner: Owner;
  /** Fetches it into memory. Gives when it was asked for, Unix ms; rejects where it cannot be had. */
  fetch(requester: Requester): Promise<number>;
}

/** One reading of an answer. */
interface Look {
  /** When the answer had been asked for, Unix ms. */
  readonly askedAt: number;
  /** How old it could have been, ms. */
  readonly boundMs: number;
  /** No newer one is wanted. */
  readonly isFresh: boolean;
}

interface Watched {
  readonly what: Refreshable;
  readonly queue: RefreshQueue;
  requester: Requester;
  boundMs: number;
  lastReadAt: number;
  /** Between the last two looks, ms; infinite before the second. */
  gapMs: number;
  /** When the answer was asked for that is known. */
  askedAt: number;
  /** It was read when it was no longer fresh. */
  isWanted: boolean;
  isUnderWay?: boolean;
  notBefore: number;
}

/** What takes slots of one budget. */
interface RefreshQueue {
  readonly rate: Refreshable["rate"];
  readonly rows: Map<string, Watched>;
  /** When clients and accounts had their last turns, as numbers of turns. */
  readonly turns: ReturnType<typeof growingLru<number>>;
  isBusy: boolean;
  readyAt: number;
  cancel: (() => void) | undefined;
}

/** Clients and accounts whose turns a queue remembers. */
const MAX_TAKERS = 1_000;

/**
 * Keeps fresh what is read again and again and what no stream carries: one call at a time for each budget, with at least half of
 * it left for others, the clients and accounts in turns and of each the oldest first. No read waits for it.
 */
export class Refresher {
  readonly #queues = new Map<string, RefreshQueue>();
  /** The rows of all queues: what was read longest ago goes first. */
  readonly #watched = new LRUCache<string, Watched>({
    max: MAX_WATCHED,
    dispose: ({ queue }, key) => queue.rows.delete(key),
  });
  /** Most answers are read once: of those no more is kept than when. */
  readonly #looks = new LastTimes(MAX_WATCHED);
  #turn = 0;
  #isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly failed: (endpoint: string, error: unknown) => void,
  ) {}

  /** An answer was read. `describe` says which, where it is to be watched. */
  read(key: string, requester: Requester, look: Look, describe: () => Refreshable): void {
    if (this.#isClosed) return;
    const now = this.clock.now();
    const known = this.#watched.get(key);
    if (known !== undefined) {
      this.#lookedAt(known, requester, look, now);
      return;
    }
    const lastAt = this.#looks.note(key, now);
    if (look.isFresh && (lastAt === undefined || now - lastAt < ONE_LOOK_MS)) return;
    const what = describe();
    const queue = this.#queueOf(what);
    const row: Watched = {
      ...{ what, queue, requester },
      boundMs: look.boundMs,
      lastReadAt: lastAt ?? now,
      gapMs: Number.POSITIVE_INFINITY,
      askedAt: look.askedAt,
      isWanted: false,
      notBefore: 0,
    };
    queue.rows.set(key, row);
    this.#watched.set(key, row);
    this.#lookedAt(row, requester, look, now, Number.POSITIVE_INFINITY);
  }

  #lookedAt(row: Watched, requester: Requester, { askedAt, boundMs, isFresh }: Look, now: number, wasDueAt = dueAtOf(row)): void {
    // Of several who read it the one that takes the newest alone decides, as long as it is there.
    const sinceMs = now - row.lastReadAt;
    row.boundMs = sinceMs > watchedMsOf(row) ? boundMs : Math.min(row.boundMs, boundMs);
    if (sinceMs >= ONE_LOOK_MS) row.gapMs = sinceMs;
    row.requester = gatewayFor(requester);
    row.lastReadAt = now;
    row.askedAt = Math.max(row.askedAt, askedAt);
    row.isWanted ||= !isFresh;
    if (dueAtOf(row) < wasDueAt) this.#run(row.what.budget, row.queue);
  }

  /** Is a newer answer being fetched? */
  isFetching(key: string): boolean {
    return this.#watched.peek(key)?.isUnderWay === true;
  }

  /** Nothing of this owner is read any more. */
  forget(owner: string): void {
    for (const [key, { what }] of [...this.#watched]) if (what.owner === owner) this.#watched.delete(key);
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#queues.values()) cancel?.();
    this.#queues.clear();
    this.#watched.clear();
  }

  /** Fetches what is due, or comes again when something will be. */
  #run(name: string, queue: RefreshQueue): void {
    if (queue.isBusy || this.#isClosed) return;
    queue.cancel?.();
    queue.cancel = undefined;
    const now = this.clock.now();
    for (const [key, { lastReadAt }] of queue.rows) if (now - lastReadAt > FORGOTTEN_MS) this.#watched.delete(key);
    if (queue.rows.size === 0) {
      this.#queues.delete(name);
      return;
    }
    const dueAt = Math.min(...[...queue.rows.values()].map(dueAtOf));
    if (!Number.isFinite(dueAt)) return;
    const at = Math.max(dueAt, queue.readyAt);
    if (at > now) queue.cancel = this.clock.after(at - now, () => this.#run(name, queue));
    else void this.#fetchNext(name, queue, now);
  }

  async #fetchNext(name: string, queue: RefreshQueue, now: number): Promise<void> {
    const row = nextOf(queue, now);
    if (row === undefined) return;
    queue.isBusy = true;
    row.isUnderWay = true;
    // With one slot in a window there is no half of it: the budget itself says when.
    queue.readyAt = now + (queue.rate.limit > 1 ? (2 * queue.rate.windowMs) / queue.rate.limit : 0);
    for (const taker of takersOf(row)) queue.turns.set(taker, ++this.#turn);
    row.isWanted = false;
    try {
      const askedAt = await row.what.fetch(row.requester);
      row.askedAt = Math.max(row.askedAt, askedAt);
    } catch (error) {
      row.notBefore = this.clock.now() + RETRY_MS;
      this.failed(row.what.endpoint, error);
    } finally {
      row.isUnderWay = false;
      queue.isBusy = false;
      this.#run(name, queue);
    }
  }

  #queueOf({ budget: name, rate }: Refreshable): RefreshQueue {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue: RefreshQueue = {
      rate,
      rows: new Map(),
      turns: growingLru<number>(MAX_TAKERS),
      isBusy: false,
      readyAt: 0,
      cancel: undefined,
    };
    this.#queues.set(name, queue);
    return queue;
  }
}

/** Whose turn a row takes: its client's, then its account's. */
const takersOf = ({ what: { owner = "" }, requester }: Watched) => [`client ${requester.client}`, `account ${owner}`] as const;

/** For how long after its last reading it is kept fresh. */
const watchedMsOf = ({ gapMs, boundMs }: Pick<Watched, "gapMs" | "boundMs">): number =>
  gapMs > boundMs * OFTEN ? 0 : Math.max(LEAST_WATCHED_MS, gapMs * LOOKS_MISSED);

/** When it is to be fetched: at once where it was read too old, and before it is where it is read again and again. */
function dueAtOf(row: Watched): number {
  const { isWanted, askedAt, boundMs, notBefore, lastReadAt } = row;
  if (isWanted) return notBefore;
  const dueAt = Math.max(notBefore, askedAt + boundMs * REFRESH_AT);
  return dueAt <= lastReadAt + watchedMsOf(row) ? dueAt : Number.POSITIVE_INFINITY;
}

/** What is due of whoever had no turn for the longest time, and of that the oldest. */
function nextOf({ rows, turns }: RefreshQueue, now: number): Watched | undefined {
  const ranked = [...rows.values()]
    .filter((row) => dueAtOf(row) <= now)
    .map((row) => {
      const [client, account] = takersOf(row).map((taker) => turns.peek(taker) ?? 0);
      return { row, rank: [client ?? 0, account ?? 0, row.askedAt] };
    });
  ranked.sort((one, other) => {
    for (const [at, value] of one.rank.entries()) if (value !== other.rank[at]) return value - (other.rank[at] ?? 0);
    return 0;
  });
  return ranked[0]?.row;
}

import type { Clock } from "@exchange-graph/contract/clock";
import type { RateLimit } from "@exchange-graph/contract/endpoint";
import { LRUCache } from "lru-cache";
import { gatewayFor, type Requester } from "../../calls/index.js";
import { growingLru } from "../../errors/index.js";
import type { TopicOwner } from "../cache/cacheStore.js";

/** The last time of each key: of at least the `limit` latest keys, and at most twice as many. Needs no object per key. */
export class LastTimes<K extends string | number = string> {
  #latest = new Map<K, number>();
  #former = new Map<K, number>();

  constructor(private readonly limit: number) {}

  /** Records that a key occurs now. Returns its previous time, if still known. */
  note(key: K, now: number): number | undefined {
    const last = this.#latest.get(key) ?? this.#former.get(key);
    this.#latest.set(key, now);
    if (this.#latest.size >= this.limit) {
      this.#former = this.#latest;
      this.#latest = new Map();
    }
    return last;
  }
}

const MAX_WATCHED = 5_000;
/** State of an answer that was not read for this long is dropped, in ms. */
const FORGOTTEN_MS = 120_000;
/** Reads within this time count as one: a page reads many things at once. */
const ONE_READ_MS = 400;
/** Maximum time between two reads, in multiples of the bound, for which an answer is refreshed between them. */
const OFTEN = 1.5;
/** Time after which an answer counts as no longer read, in multiples of the time between two reads, and at least this many ms. */
const LOOKS_MISSED = 2;
const LEAST_WATCHED_MS = 10_000;
/** Fraction of its bound at which a watched answer is refreshed. */
const REFRESH_AT = 0.6;
/** Pause after a failed refresh, in ms. */
const RETRY_MS = 5_000;

/** An answer that is read, and how it is refreshed. */
export interface Refreshable {
  readonly key: string;
  readonly endpoint: string;
  /** Key of the budget that it uses: an endpoint's budget of one counter. */
  readonly budget: string;
  readonly rate: Pick<RateLimit, "limit" | "windowMs">;
  readonly owner: TopicOwner;
  /** Fetches it into the cache. Returns when its call was sent, Unix ms; rejects if it failed. */
  fetch(requester: Requester): Promise<number>;
}

interface TrackedRead {
  /** When the call of the answer was sent, Unix ms. */
  readonly requestedAt: number;
  /** Maximum age that the reader accepts, in ms. */
  readonly boundMs: number;
  readonly isFresh: boolean;
}

interface Watched {
  readonly what: Refreshable;
  readonly queue: RefreshQueue;
  requester: Requester;
  boundMs: number;
  lastReadAt: number;
  /** Time between the last two reads, in ms; infinite before the second. */
  gapMs: number;
  /** When the call of the cached answer was sent. */
  requestedAt: number;
  /** Whether it was read after it was no longer fresh. */
  isWanted: boolean;
  isUnderWay?: boolean;
  notBefore: number;
}

/** The answers that use one budget. */
interface RefreshQueue {
  readonly rate: Refreshable["rate"];
  readonly rows: Map<string, Watched>;
  /** Last turns of clients and accounts, as numbers of turns. */
  readonly turns: ReturnType<typeof growingLru<number>>;
  isBusy: boolean;
  readyAt: number;
  cancel: (() => void) | undefined;
}

/** Maximum number of clients and accounts whose turns are remembered. */
const MAX_TAKERS = 1_000;

/**
 * Keeps answers fresh that are read repeatedly and that no stream carries: one call at a time per budget, using at most half of
 * it; clients and accounts take turns, and each gets its oldest answer refreshed first. Reads never wait for it.
 */
export class Refresher {
  readonly #queues = new Map<string, RefreshQueue>();
  /** The rows of all queues; the least recently read is evicted first. */
  readonly #watched = new LRUCache<string, Watched>({
    max: MAX_WATCHED,
    dispose: ({ queue }, key) => queue.rows.delete(key),
  });
  /** Most answers are read once: only the time of those reads is kept. */
  readonly #lastReads = new LastTimes(MAX_WATCHED);
  #turn = 0;
  #isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly failed: (endpoint: string, error: unknown) => void,
  ) {}

  /** Records a read. `describe` returns the answer's description if it is going to be watched. */
  read(key: string, requester: Requester, read: TrackedRead, describe: () => Refreshable): void {
    if (this.#isClosed) return;
    const now = this.clock.now();
    const existing = this.#watched.get(key);
    if (existing !== undefined) {
      this.#recordRead(existing, requester, read, now);
      return;
    }
    const lastAt = this.#lastReads.note(key, now);
    if (read.isFresh && (lastAt === undefined || now - lastAt < ONE_READ_MS)) return;
    const what = describe();
    const queue = this.#queueOf(what);
    const row: Watched = {
      ...{ what, queue, requester },
      boundMs: read.boundMs,
      lastReadAt: lastAt ?? now,
      gapMs: Number.POSITIVE_INFINITY,
      requestedAt: read.requestedAt,
      isWanted: false,
      notBefore: 0,
    };
    queue.rows.set(key, row);
    this.#watched.set(key, row);
    this.#recordRead(row, requester, read, now, Number.POSITIVE_INFINITY);
  }

  #recordRead(
    row: Watched,
    requester: Requester,
    { requestedAt, boundMs, isFresh }: TrackedRead,
    now: number,
    wasDueAt = dueAtOf(row),
  ): void {
    // Of several readers the one with the smallest bound decides, as long as it keeps reading.
    const sinceMs = now - row.lastReadAt;
    row.boundMs = sinceMs > watchedMsOf(row) ? boundMs : Math.min(row.boundMs, boundMs);
    if (sinceMs >= ONE_READ_MS) row.gapMs = sinceMs;
    row.requester = gatewayFor(requester);
    row.lastReadAt = now;
    row.requestedAt = Math.max(row.requestedAt, requestedAt);
    row.isWanted ||= !isFresh;
    if (dueAtOf(row) < wasDueAt) this.#run(row.what.budget, row.queue);
  }

  /** Whether a newer answer is being fetched. */
  isFetching(key: string): boolean {
    return this.#watched.peek(key)?.isUnderWay === true;
  }

  forget(owner: string): void {
    for (const [key, { what }] of [...this.#watched]) if (what.owner === owner) this.#watched.delete(key);
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#queues.values()) cancel?.();
    this.#queues.clear();
    this.#watched.clear();
  }

  /** Fetches a due answer, or schedules the next check. */
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
    // A budget of one slot per window has no half: the budget itself decides.
    queue.readyAt = now + (queue.rate.limit > 1 ? (2 * queue.rate.windowMs) / queue.rate.limit : 0);
    for (const taker of takersOf(row)) queue.turns.set(taker, ++this.#turn);
    row.isWanted = false;
    try {
      const requestedAt = await row.what.fetch(row.requester);
      row.requestedAt = Math.max(row.requestedAt, requestedAt);
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
    const existing = this.#queues.get(name);
    if (existing !== undefined) return existing;
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

/** The takers of a row's turn: its client, and its account. */
const takersOf = ({ what: { owner = "" }, requester }: Watched) => [`client ${requester.client}`, `account ${owner}`] as const;

/** Time after its last read for which an answer is kept fresh, in ms. */
const watchedMsOf = ({ gapMs, boundMs }: Pick<Watched, "gapMs" | "boundMs">): number =>
  gapMs > boundMs * OFTEN ? 0 : Math.max(LEAST_WATCHED_MS, gapMs * LOOKS_MISSED);

/** Due time of a refresh: at once if the answer was read when too old, and before its bound if it is read repeatedly. */
function dueAtOf(row: Watched): number {
  const { isWanted, requestedAt, boundMs, notBefore, lastReadAt } = row;
  if (isWanted) return notBefore;
  const dueAt = Math.max(notBefore, requestedAt + boundMs * REFRESH_AT);
  return dueAt <= lastReadAt + watchedMsOf(row) ? dueAt : Number.POSITIVE_INFINITY;
}

/** The due row of the taker that has waited longest for a turn, and of its rows the oldest. */
function nextOf({ rows, turns }: RefreshQueue, now: number): Watched | undefined {
  const turnOf = (taker: string): number => turns.peek(taker) ?? 0;
  const due = [...rows.values()].filter((row) => dueAtOf(row) <= now);
  const ranked = due.map((row) => {
    const [client, account] = takersOf(row);
    return { row, client: turnOf(client), account: turnOf(account), at: row.requestedAt };
  });
  ranked.sort((one, other) => one.client - other.client || one.account - other.account || one.at - other.at);
  return ranked[0]?.row;
}

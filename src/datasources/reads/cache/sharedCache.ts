import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime, Endpoint } from "@exchange-graph/contract/endpoint";
import { queryString } from "@exchange-graph/contract/signing";

/** Maximum time for which an answer is kept, in ms: the largest age that a client may request. */
export const keptMsOf = ({ freshMs, staleMs, keptMs = 0 }: CacheLifetime): number => Math.max(freshMs + staleMs, keptMs);

/** State of a topic that an answer belongs to. Versions are compared for equality only; no clocks are compared. */
export type Version = string | number;

/** A cached answer. */
export interface Entry {
  readonly value: unknown;
  /** Whether all of its rows could be decoded. */
  readonly isWhole: boolean;
  /** When its call was sent, Unix ms by this process's clock. */
  readonly askedAt: number;
  /** Version of its topic when its call was sent. */
  readonly version: Version;
}

/** An answer to be cached. */
export interface Fresh extends Entry {
  /** The body as received. */
  readonly body: Buffer;
  /** Decodes the value again from such a body, which is not used afterwards. */
  readonly again: (body: Buffer) => unknown;
  /** The text of the body. */
  readonly text: () => string;
}

/** Decodes an answer from the text that another replica has cached. */
export type Decode = (text: string) => Pick<Entry, "value" | "isWhole">;

/**
 * Caches answers by topic (an endpoint's data of one owner) and key. Dropping a topic affects all replicas: it gets another
 * version, and answers of former versions are not served any more. An answer belongs to the version of its topic before its call
 * was sent, so an answer that was on its way during a drop is not served after it.
 *
 * Look-ups in this process's memory are synchronous; `find`, which asks other replicas, is the only method that waits.
 */
export interface CacheStore {
  /** The current version of a topic, for answers whose calls are sent from now on. */
  version(topic: string): Version;
  /** Whether the topic was dropped since it had this version. */
  isDropped(topic: string, version: Version): boolean;
  /** Whether an answer of this version may be used now without another look-up. */
  isCurrent(topic: string, version: Version): boolean;
  /** An answer from this process's memory that may be served. */
  get(topic: string, key: string): Entry | undefined;
  /** The same, without counting as a use. */
  peek(topic: string, key: string): Entry | undefined;
  /**
   * A fresh answer that another replica has, or is fetching. If there is none, the caller has to fetch it and report the outcome
   * by `set` or `giveUp`. Undefined if there are no other replicas.
   */
  find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<Entry | undefined> | undefined;
  /** Caches an answer for the duration of its lifetime, unless its topic has been dropped since its call was sent. */
  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void;
  /** Reports that the call for this answer failed. */
  giveUp(topic: string, key: string): void;
  /** Drops a topic: this replica serves no answer any more whose call was sent before. */
  drop(topic: string): void;
  /** Resolves once that applies to all reachable replicas; undefined if it already does. Never rejects. */
  settled(): Promise<void> | undefined;
  /** Calls the listener with topics that another replica has dropped; with `undefined` if all topics may be affected. */
  onDropped(listener: (topic: string | undefined) => void): void;
  close(): Promise<void>;
}

/** Owner of a key's data: an account by its name, or `undefined` for public data. */
export type Owner = string | undefined;

/** Marks public data. Account names cannot contain it. */
const PUBLIC_OWNER = "*";

/**
 * Builds all keys: for the cache, shared calls and the loaders of a request. The key of a private endpoint always contains its
 * account, so two accounts never share one.
 */
export function cacheKey(endpoint: Endpoint, owner: Owner, parameters: Readonly<Record<string, unknown>>): string {
  if (endpoint.access === "private" && owner === undefined)
    throw new Error(`${endpoint.name} is an account's data and needs its account`);
  const topic = topicKey(endpoint.name, endpoint.access === "private" ? owner : undefined);
  // Joined into one flat string, because keys are kept for long: a template string stays a tree of its parts.
  return [topic, queryString(parameters)].join("?");
}

/** Topic that own writes and stream events drop: all answers of an endpoint for one owner. */
export const topicKey = (endpointName: string, owner: Owner): string => `${owner ?? PUBLIC_OWNER}/${endpointName}`;

/** A cached answer with its age, and whether it is fresh, or stale but usable while a new one is fetched. */
interface CacheHit extends Entry {
  readonly ageMs: number;
  readonly fresh: boolean;
}

/** Validity of an answer that was used. */
export interface Validity {
  /** Whether it may be used again without a look-up: it is fresh, and was not dropped. */
  holds(): boolean;
  /** Whether it was dropped since its call was sent. */
  isDropped(): boolean;
}

interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

/** Maximum age of a cached answer that is used at once: the caller's bound, limited by the cache lifetime. */
export function boundOf({ cache }: { readonly cache?: CacheLifetime | undefined }, maxAgeMs?: number): number {
  if (cache === undefined) return 0;
  return maxAgeMs === undefined ? cache.freshMs + cache.staleMs : Math.min(maxAgeMs, keptMsOf(cache));
}

/** Answers shared by all requests, and by all replicas of the store, with their lifetimes and hit counts. */
export class SharedCache {
  #hits = 0;
  #misses = 0;

  constructor(
    private readonly clock: Clock,
    private readonly store: CacheStore,
  ) {}

  /** The version of a topic, read before a call is sent. */
  version(topic: string): Version {
    return this.store.version(topic);
  }

  /** Looks a key up in memory. Counts as a hit if the entry is younger than `boundMs`. */
  get(topic: string, key: string, lifetime: CacheLifetime, boundMs = boundOf({ cache: lifetime })): CacheHit | undefined {
    const entry = this.store.get(topic, key);
    const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : this.clock.now() - entry.askedAt;
    if (entry === undefined || ageMs >= boundMs) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    const { value, isWhole, askedAt, version } = entry;
    return { value, isWhole, askedAt, version, ageMs, fresh: ageMs < lifetime.freshMs };
  }

  /** An answer that `get` would still return this many milliseconds from now. */
  kept(topic: string, key: string, lifetime: CacheLifetime, forMs: number): { readonly value: unknown } | undefined {
    const entry = this.store.peek(topic, key);
    if (entry === undefined) return undefined;
    return this.clock.now() + forMs - entry.askedAt < lifetime.freshMs + lifetime.staleMs ? entry : undefined;
  }

  /** A fresh answer of another replica; see `CacheStore.find`. */
  find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<Entry | undefined> | undefined {
    return this.store.find(topic, key, lifetime, decode)?.then((entry) => {
      if (entry !== undefined) {
        this.#misses--;
        this.#hits++;
      }
      return entry;
    });
  }

  /** Caches an answer, unless its topic has been dropped since its call was sent. */
  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void {
    this.store.set(topic, key, fresh, lifetime);
  }

  /** Reports that the call for an answer failed. */
  giveUp(topic: string, key: string): void {
    this.store.giveUp(topic, key);
  }

  /** Drops a topic: answers whose calls were sent before are not served again. */
  drop(topic: string): void {
    this.store.drop(topic);
  }

  /** Resolves once no replica serves what was dropped here; undefined if none does already. */
  settled(): Promise<void> | undefined {
    return this.store.settled();
  }

  /** Calls the listener with topics that another replica has dropped; with `undefined` if all topics may be affected. */
  onDropped(listener: (topic: string | undefined) => void): void {
    this.store.onDropped(listener);
  }

  /** The validity of an answer whose call was sent at `askedAt`. Without a lifetime it is valid for its own reader only. */
  validity(
    topic: string,
    lifetime: CacheLifetime | undefined,
    { askedAt, version }: Pick<Entry, "askedAt" | "version">,
    boundMs = Number.POSITIVE_INFINITY,
  ): Validity {
    const until = lifetime === undefined ? Number.NEGATIVE_INFINITY : askedAt + Math.min(lifetime.freshMs, boundMs);
    return {
      holds: () => this.clock.now() < until && this.store.isCurrent(topic, version),
      isDropped: () => this.store.isDropped(topic, version),
    };
  }

  get counts(): CacheCounts {
    return { hits: this.#hits, misses: this.#misses };
  }

  async close(): Promise<void> {
    await this.store.close();
  }
}

import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import { type CacheEntry, type CacheStore, type Decode, type Fresh, keptMsOf, type Version } from "./cacheStore.js";
import type { ReferenceData } from "./referenceData.js";

/** A cached answer with its age, and whether it is fresh, or stale but usable while a new one is fetched. */
interface CacheHit extends CacheEntry {
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

  /** `reference`: where reference data is kept, if not in the store. */
  constructor(
    private readonly clock: Clock,
    private readonly store: CacheStore,
    private readonly reference?: ReferenceData,
  ) {
    if (reference !== undefined && reference.memory !== store)
      store.onDropped((topic) => {
        if (topic === undefined || reference.has(topic)) reference.drop(topic);
      });
  }

  /** The version of a topic, read before a call is sent. */
  version(topic: string): Version {
    return this.#storeOf(topic).version(topic);
  }

  /** Looks a key up in memory. Counts as a hit if the entry is younger than `boundMs`. */
  get(topic: string, key: string, lifetime: CacheLifetime, boundMs = boundOf({ cache: lifetime })): CacheHit | undefined {
    const entry = this.#storeOf(topic).get(topic, key);
    const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : this.clock.now() - entry.requestedAt;
    if (entry === undefined || ageMs >= boundMs) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    const { value, isWhole, requestedAt, version } = entry;
    return { value, isWhole, requestedAt, version, ageMs, fresh: ageMs < lifetime.freshMs };
  }

  /** An answer that `get` would still return this many milliseconds from now. */
  kept(topic: string, key: string, lifetime: CacheLifetime, forMs: number): { readonly value: unknown } | undefined {
    const entry = this.#storeOf(topic).peek(topic, key);
    if (entry === undefined) return undefined;
    return this.clock.now() + forMs - entry.requestedAt < lifetime.freshMs + lifetime.staleMs ? entry : undefined;
  }

  /** A fresh answer of another replica; see `CacheStore.find`. */
  find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<CacheEntry | undefined> | undefined {
    const store = this.reference?.has(topic) === true ? this.reference : this.store;
    return store.find(topic, key, lifetime, decode)?.then((entry) => {
      if (entry !== undefined) {
        this.#misses--;
        this.#hits++;
      }
      return entry;
    });
  }

  /** Caches an answer, unless its topic has been dropped since its call was sent. */
  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void {
    this.#storeOf(topic).set(topic, key, fresh, lifetime);
    if (this.reference?.has(topic) === true) this.reference.set(topic, key, fresh, lifetime);
  }

  /** Reports that the call for an answer failed. */
  giveUp(topic: string, key: string): void {
    this.#storeOf(topic).giveUp(topic, key);
  }

  /** Drops topics: answers of them whose calls were sent before are not served again. */
  drop(topics: readonly string[]): void {
    const { reference } = this;
    if (reference === undefined) {
      this.store.drop(topics);
      return;
    }
    for (const topic of topics) if (reference.has(topic)) reference.drop(topic);
    const stored = topics.filter((topic) => this.#storeOf(topic) !== this.store || !reference.has(topic));
    if (stored.length > 0) this.store.drop(stored);
  }

  /** Resolves once no replica serves what was dropped here any more; undefined if that is already so. */
  settled(): Promise<void> | undefined {
    return this.store.settled();
  }

  /** Calls the listener with topics that another replica has dropped; with `undefined` if all topics may be affected. */
  onDropped(listener: (topic: string | undefined) => void): void {
    this.store.onDropped(listener);
  }

  /** The validity of an answer whose call was sent at `requestedAt`. Without a lifetime it is valid for its own reader only. */
  validity(
    topic: string,
    lifetime: CacheLifetime | undefined,
    { requestedAt, version }: Pick<CacheEntry, "requestedAt" | "version">,
    boundMs = Number.POSITIVE_INFINITY,
  ): Validity {
    const until = lifetime === undefined ? Number.NEGATIVE_INFINITY : requestedAt + Math.min(lifetime.freshMs, boundMs);
    return {
      holds: () => this.clock.now() < until && this.#storeOf(topic).isCurrent(topic, version),
      isDropped: () => this.#storeOf(topic).isDropped(topic, version),
    };
  }

  get counts(): CacheCounts {
    return { hits: this.#hits, misses: this.#misses };
  }

  async close(): Promise<void> {
    await Promise.all([this.store.close(), this.reference?.memory.close()]);
  }

  #storeOf(topic: string): CacheStore {
    return this.reference?.has(topic) === true ? this.reference.memory : this.store;
  }
}

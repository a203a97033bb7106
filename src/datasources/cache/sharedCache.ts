import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import { type CacheStore, type Decode, type Entry, type Fresh, keptMsOf, type Version } from "../ports/cacheStore.js";

/** A cached answer: how old it is, and whether it is still fresh or only good enough while a new one is fetched. */
interface CacheHit extends Entry {
  readonly ageMs: number;
  readonly fresh: boolean;
}

/** How an answer stands that was handed out. */
export interface Validity {
  /** May it be passed on without being looked up again? It is fresh, and was not dropped. */
  holds(): boolean;
  /** Has it been dropped since it was asked for? */
  isDropped(): boolean;
}

interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

/** How old an answer may be that is taken at once: what the caller says, as far as answers are kept for so long. */
export function boundOf({ cache }: { readonly cache?: CacheLifetime | undefined }, maxAgeMs?: number): number {
  if (cache === undefined) return 0;
  return maxAgeMs === undefined ? cache.freshMs + cache.staleMs : Math.min(maxAgeMs, keptMsOf(cache));
}

/** Answers shared by all requests, and by all replicas that share the store: how long they are good, and how often they were. */
export class SharedCache {
  #hits = 0;
  #misses = 0;

  constructor(
    private readonly clock: Clock,
    private readonly store: CacheStore,
  ) {}

  /** The version of a topic, to be read before a call leaves. */
  version(topic: string): Version {
    return this.store.version(topic);
  }

  /** Looks a key up in memory. Counts as a hit when something was there that is younger than `boundMs`. */
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

  /** An answer that `get` would still find so many milliseconds from now. */
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

  /** Stores an answer, unless its topic has been dropped since its call was sent. */
  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void {
    this.store.set(topic, key, fresh, lifetime);
  }

  /** The call that was to bring an answer has failed. */
  giveUp(topic: string, key: string): void {
    this.store.giveUp(topic, key);
  }

  /** Drops a topic: nothing that was asked for up to now is served again. */
  drop(topic: string): void {
    this.store.drop(topic);
  }

  /** Resolves once no replica serves what was dropped here; nothing where none does already. */
  settled(): Promise<void> | undefined {
    return this.store.settled();
  }

  /** Hears of topics that another replica has dropped; of all at once where it is not known which. */
  onDropped(listener: (topic: string | undefined) => void): void {
    this.store.onDropped(listener);
  }

  /** The validity of an answer to a call sent at `askedAt`. Without a lifetime it is good for whoever asked, not longer. */
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

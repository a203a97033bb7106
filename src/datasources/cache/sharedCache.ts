import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import type { KeyvStoreAdapter } from "keyv";
import { LRUCache } from "lru-cache";
import type { AnswerStore, Fresh } from "./answerStore.js";
import { KeyvStore } from "./keyvStore.js";
import { type MemoryBounds, MemoryStore } from "./memoryStore.js";

/** A cached answer: how old it is, and whether it is still fresh or only good enough while a new one is fetched. */
interface CacheHit {
  readonly value: unknown;
  /** Could every row of it be read? */
  readonly isWhole: boolean;
  /** When the call that brought it was sent. */
  readonly askedAt: number;
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

/** Far more topics than can be dropped within the lifetime of what they hold. */
const MAX_DROPPED_TOPICS = 10_000;

/**
 * Answers shared by all requests: in this process's memory by default, or in any store that Keyv speaks to.
 *
 * A topic (an endpoint's data of one owner) can be dropped as a whole. An entry counts from when its call was sent, so
 * an answer that was under way during a drop is never served after it.
 */
export class SharedCache {
  readonly #store: AnswerStore;
  readonly #droppedAt = new LRUCache<string, number>({ max: MAX_DROPPED_TOPICS });
  #hits = 0;
  #misses = 0;

  constructor(
    private readonly clock: Clock,
    options: MemoryBounds & {
      readonly store?: KeyvStoreAdapter;
      /** Hears when the store fails; the call then goes to the exchange as if nothing had been cached. */
      readonly onStoreError?: (error: unknown) => void;
    },
  ) {
    this.#store =
      options.store === undefined ? new MemoryStore(clock, options) : new KeyvStore(options.store, options.onStoreError);
  }

  /** Looks a key up. Counts as a hit when something usable was there. */
  async get(topic: string, key: string, lifetime: CacheLifetime): Promise<CacheHit | undefined> {
    const entry = await this.#store.get(key);
    const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : this.clock.now() - entry.askedAt;
    if (entry === undefined || this.#isDropped(topic, entry.askedAt) || ageMs >= lifetime.freshMs + lifetime.staleMs) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    return { value: entry.value, isWhole: entry.isWhole, askedAt: entry.askedAt, ageMs, fresh: ageMs < lifetime.freshMs };
  }

  /** An answer that `get` would still find so many milliseconds from now; nothing where that is not known at once. */
  kept(topic: string, key: string, lifetime: CacheLifetime, forMs: number): { readonly value: unknown } | undefined {
    const entry = this.#store.peek(key);
    if (entry === undefined || this.#isDropped(topic, entry.askedAt)) return undefined;
    return this.clock.now() + forMs - entry.askedAt < lifetime.freshMs + lifetime.staleMs ? entry : undefined;
  }

  /** Stores an answer, unless its topic has been dropped since its call was sent. */
  async set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): Promise<void> {
    if (this.#isDropped(topic, fresh.askedAt)) return;
    await this.#store.set(key, fresh, lifetime.freshMs + lifetime.staleMs);
  }

  /** Drops a topic: nothing that was asked for up to now is served again. */
  drop(topic: string): void {
    this.#droppedAt.set(topic, this.clock.now());
  }

  /** The standing of an answer to a call sent at `askedAt`. Without a lifetime it is good for whoever asked, not longer. */
  validity(topic: string, lifetime: CacheLifetime | undefined, askedAt: number): Validity {
    const until = lifetime === undefined ? Number.NEGATIVE_INFINITY : askedAt + lifetime.freshMs;
    const isDropped = () => this.#isDropped(topic, askedAt);
    return { holds: () => this.clock.now() < until && !isDropped(), isDropped };
  }

  #isDropped(topic: string, askedAt: number): boolean {
    const droppedAt = this.#droppedAt.get(topic);
    return droppedAt !== undefined && askedAt <= droppedAt;
  }

  get counts(): CacheCounts {
    return { hits: this.#hits, misses: this.#misses };
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}

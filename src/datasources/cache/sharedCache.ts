import { Keyv, type KeyvStoreAdapter } from "keyv";
import type { Clock } from "../../clock.js";
import type { CacheLifetime } from "../../contract/endpoint.js";
import { BoundedMap } from "./boundedMap.js";
import { Expiry } from "./expiry.js";

/** A cached answer: how old it is, and whether it is still fresh or only good enough while a new one is fetched. */
interface CacheHit {
  readonly value: unknown;
  /** When the call that brought it was sent. */
  readonly askedAt: number;
  readonly ageMs: number;
  readonly fresh: boolean;
}

interface Entry {
  readonly value: unknown;
  /** When the call that brought it was sent. */
  readonly askedAt: number;
}

/** An answer to be kept. */
export interface Fresh extends Entry {
  /** Reads the value anew from what it was read from. */
  readonly again: () => unknown;
}

/**
 * An entry in this process's memory. Most answers are asked for once, and one that is never asked for again costs no more
 * than its text; the first who asks has it read, and shares it with all who follow.
 */
class Remembered implements Entry {
  readonly askedAt: number;
  #again: (() => unknown) | undefined;
  #value: unknown;

  constructor({ again, askedAt }: Fresh) {
    this.askedAt = askedAt;
    this.#again = again;
  }

  get value(): unknown {
    if (this.#again !== undefined) {
      this.#value = this.#again();
      this.#again = undefined;
    }
    return this.#value;
  }
}

/** How an answer stands that was handed out. */
export interface Standing {
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
 * Answers shared by all requests, on Keyv: in this process's memory by default, or in any store that Keyv speaks to.
 * Memory holds at most `maxEntries`; the least recently used goes first.
 *
 * A topic (an endpoint's data of one owner) can be dropped as a whole. An entry counts from when its call was sent, so
 * an answer that was under way during a drop is never served after it.
 */
export class SharedCache {
  readonly #store: Keyv;
  /** Where answers are, unless they are in a store elsewhere. */
  readonly #memory: BoundedMap<string, unknown> | undefined;
  readonly #expiry: Expiry;
  readonly #droppedAt = new BoundedMap<string, number>(MAX_DROPPED_TOPICS);
  #hits = 0;
  #misses = 0;

  constructor(
    private readonly clock: Clock,
    options: {
      readonly maxEntries: number;
      readonly store?: KeyvStoreAdapter;
      /** Told when the store fails; the call then goes to the exchange as if nothing had been cached. */
      readonly onStoreError?: (error: unknown) => void;
    },
  ) {
    this.#expiry = new Expiry(options.maxEntries);
    if (options.store === undefined) {
      this.#memory = new BoundedMap(options.maxEntries);
      this.#store = new Keyv({ store: this.#memory, useKeyPrefix: false });
      // By reference: a decoded answer is never changed after it was read.
      this.#store.serialize = undefined;
      this.#store.deserialize = undefined;
    } else {
      this.#store = new Keyv({ store: options.store, namespace: "exchange-graph" });
    }
    this.#store.on("error", (error: unknown) => options.onStoreError?.(error));
  }

  /** Looks a key up. Counts as a hit when something usable was there. */
  async get(topic: string, key: string, lifetime: CacheLifetime): Promise<CacheHit | undefined> {
    const entry = await this.#store.get<Entry>(key);
    const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : this.clock.now() - entry.askedAt;
    if (entry === undefined || this.#isDropped(topic, entry.askedAt) || ageMs >= lifetime.freshMs + lifetime.staleMs) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    return { value: entry.value, askedAt: entry.askedAt, ageMs, fresh: ageMs < lifetime.freshMs };
  }

  /** Stores an answer, unless its topic has been dropped since its call was sent. */
  async set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): Promise<void> {
    const { value, askedAt } = fresh;
    if (this.#isDropped(topic, askedAt)) return;
    if (this.#memory === undefined) {
      await this.#store.set(key, { value, askedAt } satisfies Entry, lifetime.freshMs + lifetime.staleMs);
      return;
    }
    await this.#store.set(key, new Remembered(fresh));
    // What nobody can be given any more would be looked through again and again for what may be thrown away.
    this.#expiry.note(key, lifetime.freshMs + lifetime.staleMs, this.clock.now());
    for (const ended of this.#expiry.ended(this.clock.now())) this.#memory.delete(ended);
  }

  /** Drops a topic: nothing that was asked for up to now is served again. */
  drop(topic: string): void {
    this.#droppedAt.set(topic, this.clock.now());
  }

  /** The standing of an answer to a call sent at `askedAt`. Without a lifetime it is good for whoever asked, not longer. */
  standing(topic: string, lifetime: CacheLifetime | undefined, askedAt: number): Standing {
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
    await this.#store.disconnect();
  }
}

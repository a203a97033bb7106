import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import { LRUCache } from "lru-cache";
import { type CacheEntry, type CacheStore, type Decode, type Fresh, keptMsOf, type Version } from "./cacheStore.js";

/** Maximum length of a body as a share of the ring; a longer one would overwrite too many others. */
const LONGEST = 1 / 8;

/**
 * Bodies of answers in one ring buffer, where the newest overwrite the oldest. Most answers are kept for seconds and never read
 * again: in separate buffers they would be most of the garbage that survives a young collection.
 */
class AnswerRing {
  #bytes: Buffer | undefined;
  /** Bytes written in total, including those skipped at the end of the buffer. */
  #written = 0;

  constructor(private readonly size: number) {}

  /** Copies a body and returns its position; undefined if it is too long. */
  add(body: Buffer): number | undefined {
    if (body.length > this.size * LONGEST) return undefined;
    this.#bytes ??= Buffer.allocUnsafeSlow(this.size);
    const left = this.size - (this.#written % this.size);
    if (body.length > left) this.#written += left;
    const place = this.#written;
    body.copy(this.#bytes, place % this.size);
    this.#written += body.length;
    return place;
  }

  /** The body at a position, while it is there. It has to be read before the next one is added. */
  at(place: number, length: number): Buffer | undefined {
    if (this.#written - place > this.size) return undefined;
    const from = place % this.size;
    return this.#bytes?.subarray(from, from + length);
  }
}

/** An entry in this process's memory. It is decoded on its first use, and the result is shared. */
interface Remembered extends CacheEntry {
  value: unknown;
  /** Undefined once it is decoded. */
  decode: Decode | undefined;
  /** Its body, if it is too long for the ring. */
  body: Buffer | undefined;
  /** Its position in the ring. */
  readonly place: number;
  readonly length: number;
}

/** Maximum memory of a decoded answer, as a multiple of its text: lists of fills and orders need the most. */
const DECODED = 5;
/** Memory of an entry besides its answer and key, in bytes. */
const OVERHEAD = 500;
/** The ring is one buffer, whose length Node limits to a few gigabytes. */
const MAX_RING_BYTES = 1_073_741_824;
/** Interval at which expired entries are removed, in ms. */
const PURGE_EVERY_MS = 1_000;

/** Bounds of the memory. The least recently used entries are evicted first. */
export interface MemoryBounds {
  readonly maxEntries: number;
  /** Bytes, estimated from the lengths of the answers' texts as if all were decoded. */
  readonly maxBytes: number;
}

/** Caches answers in this process's memory, by reference: decoded answers are never modified. */
export class AnswerMemory {
  readonly #entries: LRUCache<string, Remembered>;
  /** Large enough for all entries that are not decoded. */
  readonly #ring: AnswerRing;
  #purgeAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    { maxEntries, maxBytes }: MemoryBounds,
  ) {
    this.#entries = new LRUCache({ max: maxEntries, maxSize: maxBytes, perf: clock, ttlResolution: 0 });
    this.#ring = new AnswerRing(Math.min(Math.ceil(maxBytes / DECODED), MAX_RING_BYTES));
  }

  /** Estimated bytes of all entries. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  peek(key: string): CacheEntry | undefined {
    return this.#decoded(key, this.#entries.peek(key));
  }

  get(key: string): CacheEntry | undefined {
    return this.#decoded(key, this.#entries.get(key));
  }

  /** Caches an answer for at most `lifetimeMs`. */
  set(key: string, fresh: Omit<Fresh, "value">, lifetimeMs: number): void {
    this.#purge();
    const { body, decode, requestedAt, isWhole, version } = fresh;
    const place = this.#ring.add(body);
    this.#entries.set(
      key,
      {
        requestedAt,
        isWhole,
        version,
        decode,
        value: undefined,
        body: place === undefined ? body : undefined,
        place: place ?? 0,
        length: body.length,
      },
      { size: body.length * DECODED + key.length + OVERHEAD, ttl: lifetimeMs },
    );
  }

  /** An entry with its value; undefined if newer answers have overwritten its body. */
  #decoded(key: string, entry: Remembered | undefined): CacheEntry | undefined {
    if (entry?.decode === undefined) return entry;
    const body = entry.body ?? this.#ring.at(entry.place, entry.length);
    if (body === undefined) {
      this.#entries.delete(key);
      return undefined;
    }
    entry.value = entry.decode(body.toString("utf8")).value;
    entry.decode = undefined;
    entry.body = undefined;
    return entry;
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Removes expired entries before their space is needed. */
  #purge(): void {
    const now = this.clock.now();
    if (now < this.#purgeAt) return;
    this.#purgeAt = now + PURGE_EVERY_MS;
    this.#entries.purgeStale();
  }
}

/** Far more topics than are dropped within the lifetime of their answers. */
const MAX_TOPICS = 10_000;

/**
 * Counts the drops of topics. A topic that was evicted gets the highest evicted count, so that its former answers are not served,
 * at worst unnecessarily.
 */
export class TopicVersions {
  #last = 0;
  #floor = 0;
  readonly #versions: LRUCache<string, number>;

  constructor(max = MAX_TOPICS) {
    this.#versions = new LRUCache<string, number>({
      max,
      dispose: (version, _topic, reason) => {
        if (reason === "evict") this.#floor = Math.max(this.#floor, version);
      },
    });
  }

  of(topic: string): number {
    return this.#versions.get(topic) ?? this.#floor;
  }

  raise(topic: string): void {
    this.#versions.set(topic, ++this.#last);
  }

  raiseAll(): void {
    this.#floor = ++this.#last;
    this.#versions.clear();
  }
}

/** Answers in this process's memory alone. */
export class MemoryCache implements CacheStore {
  readonly #memory: AnswerMemory;
  readonly #versions = new TopicVersions();

  constructor(clock: Clock, bounds: MemoryBounds) {
    this.#memory = new AnswerMemory(clock, bounds);
  }

  version(topic: string): Version {
    return this.#versions.of(topic);
  }

  isDropped(topic: string, version: Version): boolean {
    return version !== this.#versions.of(topic);
  }

  isCurrent(topic: string, version: Version): boolean {
    return !this.isDropped(topic, version);
  }

  get(topic: string, key: string): CacheEntry | undefined {
    return this.#unlessDropped(topic, this.#memory.get(key));
  }

  peek(topic: string, key: string): CacheEntry | undefined {
    return this.#unlessDropped(topic, this.#memory.peek(key));
  }

  find(_topic: string, _key: string): Promise<CacheEntry> | undefined {
    return undefined;
  }

  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void {
    if (!this.isDropped(topic, fresh.version)) this.#memory.set(key, fresh, keptMsOf(lifetime));
  }

  giveUp(): void {
    // No other replica waits for it.
  }

  drop(topics: readonly string[]): void {
    for (const topic of topics) this.#versions.raise(topic);
  }

  settled(): undefined {
    return undefined;
  }

  onDropped(): void {
    // There is no other replica.
  }

  async close(): Promise<void> {
    this.#memory.clear();
  }

  #unlessDropped(topic: string, entry: CacheEntry | undefined): CacheEntry | undefined {
    return entry === undefined || this.isDropped(topic, entry.version) ? undefined : entry;
  }
}

import type { Clock } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";
import type { Entry, Fresh, Version } from "../ports/cacheStore.js";

/**
 * An entry in this process's memory. Most answers are asked for once, and one that is never asked for again costs no more
 * than its text; the first who asks has it decoded, and shares it with all who follow.
 */
class Remembered implements Entry {
  readonly askedAt: number;
  readonly isWhole: boolean;
  readonly version: Version;
  #again: (() => unknown) | undefined;
  #value: unknown;

  constructor({ again, askedAt, isWhole, version }: Pick<Fresh, "again" | "askedAt" | "isWhole" | "version">) {
    this.askedAt = askedAt;
    this.isWhole = isWhole;
    this.version = version;
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

/** What a decoded answer takes at most, in lengths of its text: lists of fills and orders take the most. */
const DECODED = 5;
/** What an entry takes besides its answer and its key, in bytes. */
const OVERHEAD = 500;
/** How often entries that have ended are looked for, ms. */
const PURGE_EVERY_MS = 1_000;

/** How much is kept in memory. The least recently used goes first. */
export interface MemoryBounds {
  readonly maxEntries: number;
  /** Bytes, estimated from the lengths of the answers' texts as if every answer were decoded. */
  readonly maxBytes: number;
}

/** Keeps answers in this process's memory, by reference: a decoded answer is never changed. */
export class AnswerMemory {
  readonly #entries: LRUCache<string, Remembered>;
  #purgeAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    { maxEntries, maxBytes }: MemoryBounds,
  ) {
    this.#entries = new LRUCache({ max: maxEntries, maxSize: maxBytes, perf: clock, ttlResolution: 0 });
  }

  /** Bytes that the entries are estimated to take. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  peek(key: string): Entry | undefined {
    return this.#entries.peek(key);
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Keeps an answer for `lifetimeMs` at most. */
  set(key: string, fresh: Pick<Fresh, "again" | "askedAt" | "isWhole" | "version" | "bytes">, lifetimeMs: number): void {
    this.#purge();
    const size = fresh.bytes * DECODED + key.length + OVERHEAD;
    this.#entries.set(key, new Remembered(fresh), { size, ttl: lifetimeMs });
  }

  clear(): void {
    this.#entries.clear();
  }

  /** What nobody can be given any more goes before its place is needed. */
  #purge(): void {
    const now = this.clock.now();
    if (now < this.#purgeAt) return;
    this.#purgeAt = now + PURGE_EVERY_MS;
    this.#entries.purgeStale();
  }
}

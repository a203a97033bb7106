import type { Clock } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";
import type { Entry, Fresh } from "../ports/cacheStore.js";
import { AnswerRing } from "./answerRing.js";

/** An entry in this process's memory. The first who asks for it has it decoded, and shares it with all who follow. */
interface Remembered extends Entry {
  value: unknown;
  /** Decodes it; nothing once that is done. */
  again: Fresh["again"] | undefined;
  /** Its body, where that is too long for the ring. */
  body: Buffer | undefined;
  /** Where it is in the ring. */
  readonly place: number;
  readonly length: number;
}

/** What a decoded answer takes at most, in lengths of its text: lists of fills and orders take the most. */
const DECODED = 5;
/** What an entry takes besides its answer and its key, in bytes. */
const OVERHEAD = 500;
/** The ring is one buffer, which Node makes no longer than some gigabytes. */
const MAX_RING_BYTES = 1_073_741_824;
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
  /** As long as what is not decoded yet can be at most. */
  readonly #ring: AnswerRing;
  #purgeAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    { maxEntries, maxBytes }: MemoryBounds,
  ) {
    this.#entries = new LRUCache({ max: maxEntries, maxSize: maxBytes, perf: clock, ttlResolution: 0 });
    this.#ring = new AnswerRing(Math.min(Math.ceil(maxBytes / DECODED), MAX_RING_BYTES));
  }

  /** Bytes that the entries are estimated to take. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  peek(key: string): Entry | undefined {
    return this.#decoded(key, this.#entries.peek(key));
  }

  get(key: string): Entry | undefined {
    return this.#decoded(key, this.#entries.get(key));
  }

  /** Keeps an answer for `lifetimeMs` at most. */
  set(key: string, fresh: Omit<Fresh, "text" | "value">, lifetimeMs: number): void {
    this.#purge();
    const { body, again, askedAt, isWhole, version } = fresh;
    const place = this.#ring.add(body);
    this.#entries.set(
      key,
      {
        ...{ askedAt, isWhole, version, again },
        value: undefined,
        body: place === undefined ? body : undefined,
        place: place ?? 0,
        length: body.length,
      },
      { size: body.length * DECODED + key.length + OVERHEAD, ttl: lifetimeMs },
    );
  }

  /** An entry with its value; nothing where newer answers have taken the place of its body. */
  #decoded(key: string, entry: Remembered | undefined): Entry | undefined {
    if (entry?.again === undefined) return entry;
    const body = entry.body ?? this.#ring.at(entry.place, entry.length);
    if (body === undefined) {
      this.#entries.delete(key);
      return undefined;
    }
    entry.value = entry.again(body);
    entry.again = undefined;
    entry.body = undefined;
    return entry;
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

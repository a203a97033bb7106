import { endpoints } from "@exchange-graph/contract";
import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import { jsonIn } from "@exchange-graph/contract/json";
import { z } from "zod";
import type { ExternalStore } from "../store/externalStore.js";
import { type CacheEntry, type CacheStore, type Decode, type Fresh, topicKey } from "./cacheStore.js";

/** From this lifetime on, in ms, data changes slowly. */
const SLOW_MS = 60_000;

/** Topics of data that is the same for everybody and changes slowly: instruments, coins, pairs, tiers, terms. */
const REFERENCE: ReadonlySet<string> = new Set(
  endpoints
    .filter(({ access, cache }) => access !== "private" && cache !== undefined && cache.freshMs >= SLOW_MS)
    .map(({ name }) => topicKey(name, undefined)),
);

/** An answer in the store: when its call was sent, Unix ms, and its body. */
const stored = z.object({ requestedAt: z.number(), body: z.string() });

/**
 * Keeps reference data in a store besides this process's memory, so that another start, or another replica, need not ask the
 * exchange for it.
 */
export class ReferenceData {
  /** When topics were dropped here, Unix ms: answers from before are not taken from the store. */
  readonly #droppedAt = new Map<string, number>();

  constructor(
    private readonly parts: {
      readonly memory: CacheStore;
      readonly externalStore: ExternalStore;
      /** Identifies the exchange: another one has other data. */
      readonly exchange: string;
      readonly clock: Clock;
    },
  ) {}

  get memory(): CacheStore {
    return this.parts.memory;
  }

  has(topic: string): boolean {
    return REFERENCE.has(topic);
  }

  /** Stores an answer, unless its topic has been dropped since its call was sent. */
  set(topic: string, key: string, fresh: Fresh, { freshMs }: CacheLifetime): void {
    if (this.memory.isDropped(topic, fresh.version)) return;
    const text = JSON.stringify({ requestedAt: fresh.requestedAt, body: fresh.body.toString("utf8") });
    this.parts.externalStore.set("reference", this.#nameOf(key), text, freshMs);
  }

  /** Drops a topic here; `undefined` stands for all. */
  drop(topic: string | undefined): void {
    for (const each of topic === undefined ? REFERENCE : [topic]) {
      this.memory.drop([each]);
      this.#droppedAt.set(each, this.parts.clock.now());
    }
  }

  /** A fresh answer in the store. What cannot be decoded any more, or is dated in the future, counts as missing. */
  async find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<CacheEntry | undefined> {
    const { memory, externalStore, clock } = this.parts;
    const version = memory.version(topic);
    const text = await externalStore.get("reference", this.#nameOf(key));
    const read = text === undefined ? undefined : stored.safeParse(jsonIn(text)).data;
    if (read === undefined) return undefined;
    const { requestedAt, body } = read;
    const ageMs = clock.now() - requestedAt;
    const isDropped = requestedAt <= (this.#droppedAt.get(topic) ?? Number.NEGATIVE_INFINITY) || memory.isDropped(topic, version);
    if (ageMs < 0 || ageMs >= lifetime.freshMs || isDropped) return undefined;
    const entry = decoded(body, decode);
    if (entry?.isWhole !== true) return undefined;
    memory.set(topic, key, { ...entry, requestedAt, version, body: Buffer.from(body), decode }, lifetime);
    return { ...entry, requestedAt, version };
  }

  #nameOf(key: string): string {
    return `${this.parts.exchange}:${key}`;
  }
}

/** An answer of another version of the gateway need not be readable. */
function decoded(body: string, decode: Decode): ReturnType<Decode> | undefined {
  try {
    return decode(body);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

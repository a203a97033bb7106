import { endpoints } from "@exchange-graph/contract";
import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import { jsonIn } from "@exchange-graph/contract/json";
import { z } from "zod";
import type { FarStore } from "../store/farStore.js";
import { type CacheStore, type Decode, type Entry, type Fresh, topicKey, type Version } from "./sharedCache.js";

/** From this lifetime on, in ms, data changes slowly. */
const SLOW_MS = 60_000;

/** Topics of data that is the same for everybody and changes slowly: instruments, coins, pairs, tiers, terms. */
const REFERENCE: ReadonlySet<string> = new Set(
  endpoints
    .filter(({ access, cache }) => access !== "private" && cache !== undefined && cache.freshMs >= SLOW_MS)
    .map(({ name }) => topicKey(name, undefined)),
);

/** An answer in the store: when its call was sent, Unix ms, and its body. */
const stored = z.object({ askedAt: z.number(), body: z.string() });

/**
 * Keeps reference data in a store besides this process's memory, so that another start, or another replica, need not ask the
 * exchange for it. Everything else is left to `others`.
 */
export class ReferenceCache implements CacheStore {
  /** When topics were dropped here, Unix ms: answers from before are not taken from the store. */
  readonly #droppedAt = new Map<string, number>();

  constructor(
    private readonly parts: {
      /** Reference data in this process's memory. */
      readonly near: CacheStore;
      readonly others: CacheStore;
      readonly far: FarStore;
      /** Identifies the exchange: another one has other data. */
      readonly exchange: string;
      readonly clock: Clock;
    },
  ) {
    const { near, others } = parts;
    if (near !== others)
      others.onDropped((topic) => {
        for (const each of topic === undefined ? REFERENCE : [topic]) if (REFERENCE.has(each)) this.#drop(each);
      });
  }

  version(topic: string): Version {
    return this.#storeOf(topic).version(topic);
  }

  isDropped(topic: string, version: Version): boolean {
    return this.#storeOf(topic).isDropped(topic, version);
  }

  isCurrent(topic: string, version: Version): boolean {
    return this.#storeOf(topic).isCurrent(topic, version);
  }

  get(topic: string, key: string): Entry | undefined {
    return this.#storeOf(topic).get(topic, key);
  }

  peek(topic: string, key: string): Entry | undefined {
    return this.#storeOf(topic).peek(topic, key);
  }

  find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<Entry | undefined> | undefined {
    return REFERENCE.has(topic) ? this.#find(topic, key, lifetime, decode) : this.parts.others.find(topic, key, lifetime, decode);
  }

  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void {
    this.#storeOf(topic).set(topic, key, fresh, lifetime);
    if (!REFERENCE.has(topic) || this.isDropped(topic, fresh.version)) return;
    const text = JSON.stringify({ askedAt: fresh.askedAt, body: fresh.text() });
    this.parts.far.set("reference", this.#nameOf(key), text, lifetime.freshMs);
  }

  giveUp(topic: string, key: string): void {
    this.#storeOf(topic).giveUp(topic, key);
  }

  drop(topic: string): void {
    if (REFERENCE.has(topic)) this.#drop(topic);
    if (!REFERENCE.has(topic) || this.parts.others !== this.parts.near) this.parts.others.drop(topic);
  }

  #drop(topic: string): void {
    this.parts.near.drop(topic);
    this.#droppedAt.set(topic, this.parts.clock.now());
  }

  settled(): Promise<void> | undefined {
    return this.parts.others.settled();
  }

  onDropped(listener: (topic: string | undefined) => void): void {
    this.parts.others.onDropped(listener);
  }

  async close(): Promise<void> {
    await Promise.all([this.parts.near.close(), this.parts.others.close()]);
  }

  /** A fresh answer in the store. What cannot be decoded any more, or is dated in the future, counts as missing. */
  async #find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<Entry | undefined> {
    const { near, far, clock } = this.parts;
    const version = near.version(topic);
    const text = await far.get("reference", this.#nameOf(key));
    const read = text === undefined ? undefined : stored.safeParse(jsonIn(text)).data;
    if (read === undefined) return undefined;
    const { askedAt, body } = read;
    const ageMs = clock.now() - askedAt;
    const isDropped = askedAt <= (this.#droppedAt.get(topic) ?? Number.NEGATIVE_INFINITY) || near.isDropped(topic, version);
    if (ageMs < 0 || ageMs >= lifetime.freshMs || isDropped) return undefined;
    const entry = decoded(body, decode);
    if (entry?.isWhole !== true) return undefined;
    const again = (bytes: Buffer) => decode(bytes.toString("utf8")).value;
    near.set(topic, key, { ...entry, askedAt, version, body: Buffer.from(body), again, text: () => body }, lifetime);
    return { ...entry, askedAt, version };
  }

  #nameOf(key: string): string {
    return `${this.parts.exchange}:${key}`;
  }

  #storeOf(topic: string): CacheStore {
    return REFERENCE.has(topic) ? this.parts.near : this.parts.others;
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

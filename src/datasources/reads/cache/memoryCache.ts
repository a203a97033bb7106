import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import { AnswerMemory, type MemoryBounds } from "./answerMemory.js";
import { type CacheStore, type Entry, type Fresh, keptMsOf, type Version } from "./cacheStore.js";
import { TopicVersions } from "./topicVersions.js";

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

  get(topic: string, key: string): Entry | undefined {
    return this.#unlessDropped(topic, this.#memory.get(key));
  }

  peek(topic: string, key: string): Entry | undefined {
    return this.#unlessDropped(topic, this.#memory.peek(key));
  }

  find(_topic: string, _key: string): Promise<Entry> | undefined {
    return undefined;
  }

  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void {
    if (!this.isDropped(topic, fresh.version)) this.#memory.set(key, fresh, keptMsOf(lifetime));
  }

  giveUp(): void {
    // No other replica waits for it.
  }

  drop(topic: string): void {
    this.#versions.raise(topic);
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

  #unlessDropped(topic: string, entry: Entry | undefined): Entry | undefined {
    return entry === undefined || this.isDropped(topic, entry.version) ? undefined : entry;
  }
}
